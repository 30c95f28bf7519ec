//===- NvptxPipeline.h - kernel file to PTX, stage by stage -----------------===//
// The GPU's counterpart of AcceleratorPipeline.h.
#pragma once

#include "compiler/pipeline/Stages.h"
#include "targets/GpuSpec.h"

namespace forerun::pipeline {

/// tile, expanded, llvm, ll, ptx.
llvm::ArrayRef<Stage> nvptxStages();

/// From an MLIR module at stage `from` (which is changed) to the artifact of `options.stopAfter`. Failures have been
/// diagnosed where the error is about the kernel; the error's text says which stage failed.
llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::GpuSpec& target,
                                          const PipelineOptions& options);

/// From LLVM IR text (`from` is Ll). `name` is for messages.
llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage from,
                                         const targets::GpuSpec& target, const PipelineOptions& options);

}  // namespace forerun::pipeline
