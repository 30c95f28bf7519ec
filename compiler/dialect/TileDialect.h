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

/// True for what a buffer may hold: i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 or !tile.param.
bool isElementType(mlir::Type type);
/// The 8-bit float types: kept and converted, never computed in.
bool isFloat8(mlir::Type type);

/// Registers the dialects that a kernel module may use: tile, arith, math, scf, func.
void registerDialects(mlir::DialectRegistry& registry);
}  // namespace forerun::tile

#include "compiler/dialect/TileDialect.h.inc"
#include "compiler/dialect/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileTypes.h.inc"
