//===- Backend.h - the host back end: tile module in, code for this CPU out -===//
// One function a named stage: tile -> llvm -> ll -> asm, or -> a Program that runs. A core is a thread of the process;
// its teams take turns on it; on-chip buffers are ordinary memory that belongs to it.
#pragma once

#include "targets/HostSpec.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/Location.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace mlir {
class ModuleOp;
}

namespace forerun::backends::host {

/// An error that a run may end with: what is wrong at an operation. "{value}" in the text stands for a number that is
/// known then.
struct Stop {
  mlir::Location location;
  std::string text;
};

/// What the code of a module does not say itself.
struct Lowered {
  std::vector<Stop> stops;
  llvm::StringMap<std::int64_t> arenaBytes;  ///< of on-chip memory, a kernel
};

/// tile -> LLVM dialect. Parameters must be bound and semantics expanded. Kernels become functions (Abi.h); host
/// functions are dropped. Emits located diagnostics and returns an error when something cannot be lowered.
llvm::Expected<Lowered> lowerTileToLlvm(mlir::ModuleOp module, const targets::HostSpec& target);

/// LLVM dialect -> LLVM IR, optimised for this CPU. `context` must outlive the result. `optimizationLevel`: 0..3.
llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, llvm::LLVMContext& context,
                                                         unsigned optimizationLevel);

/// LLVM IR of `emitLlvmIr` -> assembly of this CPU.
llvm::Expected<std::string> emitAssembly(llvm::Module& module, unsigned optimizationLevel);

}  // namespace forerun::backends::host
