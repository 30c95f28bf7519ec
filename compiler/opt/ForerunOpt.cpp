//===- ForerunOpt.cpp - developer tool: parse, run passes, print -----------===//
// Tests drive single passes through it; users have the forerun command.
#include "compiler/dialect/TileDialect.h"
#include "compiler/passes/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  forerun::tile::registerDialects(registry);
  forerun::passes::registerTilePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Forerun pass driver (developer tool)\n", registry));
}
