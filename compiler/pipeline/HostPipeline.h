//===- HostPipeline.h - kernel file to this CPU's code, stage by stage ------===//
// The host's counterpart of AcceleratorPipeline.h.
#pragma once

#include "compiler/pipeline/Stages.h"
#include "targets/HostSpec.h"

namespace forerun::pipeline {

/// tile, expanded, llvm, ll, asm.
llvm::ArrayRef<Stage> hostStages();

/// From an MLIR module at stage `from` (which is changed) to the artifact of `options.stopAfter`. Failures have been
/// diagnosed where the error is about the kernel; the error's text says which stage failed.
llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::HostSpec& target,
                                          const PipelineOptions& options);

/// From LLVM IR text (`from` is Ll). `name` is for messages.
llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage from,
                                         const targets::HostSpec& target, const PipelineOptions& options);

}  // namespace forerun::pipeline
