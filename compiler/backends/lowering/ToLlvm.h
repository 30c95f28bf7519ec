//===- ToLlvm.h - scf, arith, math to the LLVM dialect ----------------------===//
// Upstream conversions in the order that all back ends use, and a check that nothing is left that would fail later
// without a source location.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends {

struct ToLlvmOptions {
  llvm::StringRef backend;                   ///< for messages: "the accelerator back end"
  llvm::ArrayRef<llvm::StringRef> dialects;  ///< that may stay beside llvm, by namespace
  bool expandBfloat = false;                 ///< conversions from and to bf16 become integer arithmetic
  bool debugLines = true;                    ///< DWARF line tables that lead back to the .mlir lines
};

/// Drops what kernels were lowered from and the host's functions, and says what is computed twice once.
void keepLowered(mlir::ModuleOp module);

/// Failures have been diagnosed at their operations.
mlir::LogicalResult lowerToLlvmDialect(mlir::ModuleOp module, const ToLlvmOptions& options);

}  // namespace forerun::backends
