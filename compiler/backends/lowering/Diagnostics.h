//===- Diagnostics.h - MLIR diagnostics to llvm::Error ---------------------===//
// A stage that works on MLIR reports located diagnostics; its caller also gets an error that says which stage failed.
#pragma once

#include "compiler/dialect/TileOps.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends {

/// Runs `stage`; on failure the error is Diagnosed: diagnostics, which went to the context's handlers, say why.
llvm::Error withDiagnostics(mlir::ModuleOp module, llvm::StringRef what,
                            llvm::function_ref<mlir::LogicalResult()> stage);

/// The kernels of a module that is ready for a back end; else a diagnostic says what is missing.
mlir::FailureOr<llvm::SmallVector<tile::KernelOp>> kernelsOf(mlir::ModuleOp module);

/// For a back end that has one way to carry out each operation, which has no name: an operation that names a variant is
/// an error.
mlir::LogicalResult refusePins(mlir::ModuleOp module, llvm::StringRef backend);

}  // namespace forerun::backends
