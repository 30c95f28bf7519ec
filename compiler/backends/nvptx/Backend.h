//===- Backend.h - the NVIDIA back end: tile module in, PTX out ------------===//
// One function a named stage: tile -> llvm (with nvvm) -> ll -> ptx. A core is a CTA, a team is a warp, a lane is a
// thread; scratch is shared memory, accumulators are fragments in registers. A probe: docs/extending.md says what it
// takes.
#pragma once

#include "targets/GpuSpec.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
}  // namespace mlir

namespace forerun::backends::nvptx {

/// Dialects and translations that the stages below need on the context of their module, beside the tile dialect's.
void registerDialects(mlir::DialectRegistry& registry);

/// tile -> LLVM and NVVM dialects. Parameters must be bound and semantics expanded. A kernel becomes a PTX entry whose
/// parameters are, for each buffer, a pointer and its `?` extents (64 bits each, outermost first; row-major), and the
/// scalars; host functions are dropped. Emits located diagnostics and returns an error when something cannot be
/// lowered.
llvm::Error lowerTileToLlvm(mlir::ModuleOp module, const targets::GpuSpec& target);

/// LLVM and NVVM dialects -> optimised LLVM IR. `context` must outlive the result. `optimizationLevel`: 0..3.
llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, const targets::GpuSpec& target,
                                                         llvm::LLVMContext& context, unsigned optimizationLevel);

/// LLVM IR of `emitLlvmIr` -> PTX. Its first lines say what each kernel's launch needs. A call that LLVM left to a
/// library is an error that names it.
llvm::Expected<std::string> emitPtx(llvm::Module& module, const targets::GpuSpec& target, unsigned optimizationLevel);

}  // namespace forerun::backends::nvptx
