//===- ParseModule.cpp - the text of a kernel file to a module --------------===//
// Keeps from MLIR's parser what it cannot refuse by itself.
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/TextChecks.h"

#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace forerun::pipeline {

mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::SourceMgr& sources, mlir::MLIRContext& context) {
  const unsigned id = sources.getMainFileID();
  const llvm::MemoryBuffer& buffer = *sources.getMemoryBuffer(id);
  if (const auto fault = findFault(buffer.getBuffer())) {
    const auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(fault->place), id);
    mlir::emitError(mlir::FileLineColLoc::get(&context, buffer.getBufferIdentifier(), line, column)) << fault->message;
    return nullptr;
  }
  return mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
}

}  // namespace forerun::pipeline
