//===- Diagnostics.cpp - MLIR diagnostics to llvm::Error -------------------===//
// See Diagnostics.h.
#include "compiler/backends/lowering/Diagnostics.h"

#include "compiler/backends/lowering/Diagnosed.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"

namespace forerun::backends {

char Diagnosed::ID = 0;

void Diagnosed::log(llvm::raw_ostream& os) const { os << stage << " failed"; }

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
  if (errors != 0) return llvm::make_error<Diagnosed>(what.str());
  return llvm::createStringError("%s failed without a diagnostic (a bug of the compiler)", what.str().c_str());
}

mlir::FailureOr<llvm::SmallVector<tile::KernelOp>> kernelsOf(mlir::ModuleOp module) {
  for (tile::ParamOp param : module.getOps<tile::ParamOp>())
    return param.emitError() << "parameter @" << param.getSymName()
                             << " is not bound; run --tile-bind-params before the back end";
  auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
  if (kernels.empty()) return module.emitError() << "the module has no tile.kernel to compile";
  return kernels;
}

}  // namespace forerun::backends
