//===- NvptxPipeline.cpp - kernel file to PTX, stage by stage ---------------===//
// The order of the stages and nothing else: each is a function of compiler/backends/nvptx/Backend.h or Stages.h.
#include "compiler/pipeline/NvptxPipeline.h"

#include "compiler/backends/nvptx/Backend.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace forerun::pipeline {

namespace nvptx = backends::nvptx;

llvm::ArrayRef<Stage> nvptxStages() {
  static constexpr Stage kStages[] = {Stage::Tile, Stage::Expanded, Stage::Llvm, Stage::Ll, Stage::Ptx};
  return kStages;
}

llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::GpuSpec& target,
                                          const PipelineOptions& options) {
  if (llvm::Error error = runFrontStages(module, from, passes::Accumulators::Fragments, options))
    return std::move(error);
  if (options.stopAfter <= Stage::Expanded) return print(module);
  if (from < Stage::Llvm)
    if (llvm::Error error = nvptx::lowerTileToLlvm(module, target)) return std::move(error);
  if (options.stopAfter == Stage::Llvm) return print(module);
  llvm::LLVMContext context;
  auto ir = nvptx::emitLlvmIr(module, target, context, options.optimizationLevel);
  if (!ir) return ir.takeError();
  if (options.stopAfter == Stage::Ll) return print(**ir);
  return nvptx::emitPtx(**ir, target, options.optimizationLevel);
}

llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage,
                                         const targets::GpuSpec& target, const PipelineOptions& options) {
  llvm::LLVMContext context;
  auto module = parseIr(contents, name, context);
  if (!module) return module.takeError();
  if (options.stopAfter == Stage::Ll) return print(**module);
  return nvptx::emitPtx(**module, target, options.optimizationLevel);
}

}  // namespace forerun::pipeline
