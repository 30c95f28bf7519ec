//===- Diagnostics.cpp - MLIR diagnostics to llvm::Error -------------------===//
// See Diagnostics.h.
#include "compiler/backends/accelerator/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"

namespace forerun::backends::accelerator {

llvm::Error withDiagnostics(mlir::ModuleOp module, llvm::StringRef what,
                            llvm::function_ref<mlir::LogicalResult()> stage) {
  unsigned errors = 0;
  {
    // Counts and passes on: the caller's handlers still see every diagnostic.
    mlir::ScopedDiagnosticHandler counter(module.getContext(), [&](mlir::Diagnostic& diagnostic) {
      errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
      return mlir::failure();
    });
    if (mlir::succeeded(stage()) && errors == 0) return llvm::Error::success();
  }
  return llvm::createStringError("%s failed%s", what.str().c_str(),
                                 errors == 0 ? " without a diagnostic (a bug of the compiler)" : "");
}

}  // namespace forerun::backends::accelerator
