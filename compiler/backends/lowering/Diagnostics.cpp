//===- Diagnostics.cpp - MLIR diagnostics to llvm::Error -------------------===//
// See Diagnostics.h.
#include "compiler/backends/lowering/Diagnostics.h"

#include "compiler/backends/lowering/Diagnosed.h"
#include "compiler/dialect/TileDialect.h"

#include "llvm/ADT/STLExtras.h"
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

namespace {

/// Which buffer an operation touches is known when it is compiled: buffers pass through operations of this dialect
/// only.
mlir::LogicalResult requireKnownBuffers(tile::KernelOp kernel) {
  const mlir::WalkResult walk = kernel.getBody().walk<mlir::WalkOrder::PreOrder>([](mlir::Operation* op) {
    if (llvm::isa_and_present<tile::TileDialect>(op->getDialect())) return mlir::WalkResult::advance();
    for (mlir::Type type : llvm::concat<const mlir::Type>(op->getOperandTypes(), op->getResultTypes()))
      if (llvm::isa<tile::BufferType, tile::PipelineType>(type)) {
        op->emitError() << "'" << op->getName() << "' passes on " << type
                        << ", and back ends do not follow which one it is; name the buffer or pipeline where it is "
                           "used, and choose between parts of one buffer with tile.slice";
        return mlir::WalkResult::interrupt();
      }
    return mlir::WalkResult::advance();
  });
  return mlir::failure(walk.wasInterrupted());
}

}  // namespace

mlir::FailureOr<llvm::SmallVector<tile::KernelOp>> kernelsOf(mlir::ModuleOp module) {
  for (tile::ParamOp param : module.getOps<tile::ParamOp>())
    return param.emitError() << "parameter @" << param.getSymName()
                             << " is not bound; run --tile-bind-params before the back end";
  auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
  if (kernels.empty()) return module.emitError() << "the module has no tile.kernel to compile";
  for (tile::KernelOp kernel : kernels)
    if (mlir::failed(requireKnownBuffers(kernel))) return mlir::failure();
  return kernels;
}

mlir::LogicalResult refusePins(mlir::ModuleOp module, llvm::StringRef backend) {
  const mlir::WalkResult walked = module.walk([&](mlir::Operation* op) {
    if (!op->hasTrait<tile::Primitive>() || tile::variantOf(op).empty()) return mlir::WalkResult::advance();
    op->emitError() << "'" << op->getName() << "' has no variant '" << tile::variantOf(op) << "' here: " << backend
                    << " has one way for each operation; leave variant and options away";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(walked.wasInterrupted());
}

}  // namespace forerun::backends
