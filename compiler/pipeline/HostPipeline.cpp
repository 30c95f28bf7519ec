//===- HostPipeline.cpp - kernel file to this CPU's code, stage by stage ----===//
// The order of the stages and nothing else: each is a function of compiler/backends/host/Backend.h or Stages.h.
#include "compiler/pipeline/HostPipeline.h"

#include "compiler/backends/host/Backend.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace forerun::pipeline {

namespace host = backends::host;

llvm::ArrayRef<Stage> hostStages() {
  static constexpr Stage kStages[] = {Stage::Tile, Stage::Expanded, Stage::Llvm, Stage::Ll, Stage::Asm};
  return kStages;
}

llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::HostSpec& target,
                                          const PipelineOptions& options) {
  if (llvm::Error error = runFrontStages(module, from, passes::Accumulators::Memory, options)) return std::move(error);
  if (options.stopAfter <= Stage::Expanded) return print(module);
  if (from < Stage::Llvm)
    if (auto lowered = host::lowerTileToLlvm(module, target); !lowered) return lowered.takeError();
  if (options.stopAfter == Stage::Llvm) return print(module);
  llvm::LLVMContext context;
  auto ir = host::emitLlvmIr(module, context, options.optimizationLevel);
  if (!ir) return ir.takeError();
  if (options.stopAfter == Stage::Ll) return print(**ir);
  return host::emitAssembly(**ir, options.optimizationLevel);
}

llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage,
                                         const targets::HostSpec&, const PipelineOptions& options) {
  llvm::LLVMContext context;
  auto module = parseIr(contents, name, context);
  if (!module) return module.takeError();
  if (options.stopAfter == Stage::Ll) return print(**module);
  return host::emitAssembly(**module, options.optimizationLevel);
}

}  // namespace forerun::pipeline
