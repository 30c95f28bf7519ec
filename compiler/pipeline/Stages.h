//===- Stages.h - the named stages of compilation ---------------------------===//
// What the driver can stop after, dump and re-enter at; nothing but their order lives here.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace forerun::pipeline {

/// Dialects of every stage.
void registerDialects(mlir::DialectRegistry& registry);

/// --tile-bind-params with "NAME=VALUE" pairs; unknown names are errors. Failures have been diagnosed.
llvm::LogicalResult bindParams(mlir::ModuleOp module, llvm::ArrayRef<std::string> values);

/// --tile-expand-semantics.
llvm::LogicalResult expandSemantics(mlir::ModuleOp module);

}  // namespace forerun::pipeline
