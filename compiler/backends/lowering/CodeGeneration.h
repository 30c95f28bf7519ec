//===- CodeGeneration.h - LLVM IR to a target's code ------------------------===//
// LLVM's optimisation pipeline run freestanding, and its code generators with their complaints as errors.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <vector>

namespace llvm {
class Module;
}

namespace forerun::backends {

/// Verifies the module and optimises it at `level` (0..3). Nothing becomes a library call.
llvm::Error optimize(llvm::Module& module, llvm::TargetMachine& machine, unsigned level, bool unrollLoops);

/// Assembly text or an object's bytes. The module is consumed by code generation.
llvm::Expected<std::vector<char>> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                           llvm::CodeGenFileType kind);

}  // namespace forerun::backends
