//===- Stages.cpp - the named stages of compilation -------------------------===//
// Runs single passes; the accelerator's stages are in compiler/backends/accelerator/Backend.h.
#include "compiler/pipeline/Stages.h"

#include "compiler/backends/accelerator/Backend.h"
#include "compiler/dialect/TileDialect.h"
#include "compiler/passes/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace forerun::pipeline {

void registerDialects(mlir::DialectRegistry& registry) {
  tile::registerDialects(registry);
  backends::accelerator::registerDialects(registry);
}

llvm::LogicalResult bindParams(mlir::ModuleOp module, llvm::ArrayRef<std::string> values) {
  passes::TileBindParamsOptions options;
  options.values.assign(values.begin(), values.end());
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createTileBindParams(std::move(options)));
  manager.addPass(passes::createTileVerifyTokens());
  return manager.run(module);
}

llvm::LogicalResult expandSemantics(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createTileExpandSemantics());
  return manager.run(module);
}

}  // namespace forerun::pipeline
