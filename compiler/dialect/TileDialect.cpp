//===- TileDialect.cpp - registration of the tile dialect ------------------===//
// The generated definitions and the list of dialects that kernel modules use.
#include "compiler/dialect/TileDialect.h"

#include "compiler/dialect/OpSyntax.h"
#include "compiler/dialect/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "compiler/dialect/TileDialect.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/TileOps.cpp.inc"

namespace forerun::tile {

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
}

void TileDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileOps.cpp.inc"
      >();
}

void registerDialects(mlir::DialectRegistry& registry) {
  registry.insert<TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::func::FuncDialect>();
}

}  // namespace forerun::tile
