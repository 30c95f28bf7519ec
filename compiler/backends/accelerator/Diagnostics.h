//===- Diagnostics.h - MLIR diagnostics to llvm::Error ---------------------===//
// A stage that works on MLIR reports located diagnostics; its caller also gets an error that says which stage failed.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends::accelerator {

/// Runs `stage`; on failure the error's text is `what` and that the diagnostics (which went to the context's handlers)
/// say why.
llvm::Error withDiagnostics(mlir::ModuleOp module, llvm::StringRef what,
                            llvm::function_ref<mlir::LogicalResult()> stage);

}  // namespace forerun::backends::accelerator
