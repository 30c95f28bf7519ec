//===- TileDialect.h - the tile dialect and its types ----------------------===//
// What passes, interpreter and back ends include to name tile types; TileOps.h adds the operations.
#pragma once

#include "compiler/dialect/layout/Layout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Types.h"

namespace forerun::tile {
namespace detail {
struct BufferTypeStorage;
}

/// True for what a buffer may hold: a type of kElementTypes or !tile.param.
bool isElementType(mlir::Type type);
/// All element types, for messages.
inline constexpr llvm::StringLiteral kElementTypes =
    "i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU";
/// f8E4M3FN and f8E5M2, which matrix products take.
bool isFloat8(mlir::Type type);
/// Floats of 8 and 4 bits: kept and converted, never computed in.
bool isSmallFloat(mlir::Type type);
/// i4 and f4E2M1FN: two elements lie in a byte.
bool isPacked(mlir::Type type);

/// Registers the dialects that a kernel module may use: tile, arith, math, scf, func.
void registerDialects(mlir::DialectRegistry& registry);
}  // namespace forerun::tile

#include "compiler/dialect/TileDialect.h.inc"
#include "compiler/dialect/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileTypes.h.inc"
