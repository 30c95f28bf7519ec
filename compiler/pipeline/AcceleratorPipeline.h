//===- AcceleratorPipeline.h - kernel file to ELF, stage by stage -----------===//
// Enter at any named stage, stop after any later one, get its text or bytes.
#pragma once

#include "compiler/pipeline/Stages.h"
#include "targets/TargetSpec.h"

namespace forerun::pipeline {

/// tile, expanded, xfr, llvm, ll, asm, obj, elf. asm ends a compilation (obj does not come from its text).
llvm::ArrayRef<Stage> acceleratorStages();

/// From an MLIR module at stage `from` (which is changed) to the artifact of `options.stopAfter`. Failures have been
/// diagnosed where the error is about the kernel; the error's text says which stage failed.
llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::TargetSpec& target,
                                          const PipelineOptions& options);

/// From LLVM IR text or an object's bytes (`from` is Ll or Obj). `name` is for messages.
llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage from,
                                         const targets::TargetSpec& target, const PipelineOptions& options);

}  // namespace forerun::pipeline
