//===- AcceleratorPipeline.cpp - kernel file to ELF, stage by stage ---------===//
// The order of the stages and nothing else: each is a function of compiler/backends/accelerator/Backend.h or Stages.h.
#include "compiler/pipeline/AcceleratorPipeline.h"

#include "compiler/backends/accelerator/Backend.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace forerun::pipeline {

namespace accelerator = backends::accelerator;

namespace {

std::string text(const std::vector<char>& bytes) { return {bytes.begin(), bytes.end()}; }

accelerator::CompileOptions backendOptions(const PipelineOptions& options) {
  accelerator::CompileOptions result;
  result.optimizationLevel = options.optimizationLevel;
  return result;
}

llvm::Expected<std::string> link(llvm::ArrayRef<char> object) {
  auto elf = accelerator::linkElf(object, "");
  if (!elf) return elf.takeError();
  return text(*elf);
}

llvm::Expected<std::string> runFromIr(llvm::Module& module, const targets::TargetSpec& target,
                                      const PipelineOptions& options) {
  if (options.stopAfter == Stage::Ll) return print(module);
  if (options.stopAfter == Stage::Asm) return accelerator::emitAssembly(module, target, backendOptions(options));
  auto object = accelerator::emitObject(module, target, backendOptions(options));
  if (!object) return object.takeError();
  if (options.stopAfter == Stage::Obj) return text(*object);
  return link(*object);
}

}  // namespace

llvm::ArrayRef<Stage> acceleratorStages() {
  static constexpr Stage kStages[] = {Stage::Tile, Stage::Expanded, Stage::Dispatched, Stage::Xfr, Stage::Llvm,
                                      Stage::Ll,   Stage::Asm,      Stage::Obj,        Stage::Elf};
  return kStages;
}

llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::TargetSpec& target,
                                          const PipelineOptions& options) {
  const accelerator::CompileOptions backend = backendOptions(options);
  auto stop = [&](Stage stage) { return options.stopAfter == stage; };
  if (llvm::Error error = runFrontStages(module, from, passes::Accumulators::Memory, options)) return std::move(error);
  if (options.stopAfter <= Stage::Expanded) return print(module);
  if (from < Stage::Xfr)
    if (llvm::Error error = accelerator::selectVariants(module, target, options.dispatch)) return std::move(error);
  if (stop(Stage::Dispatched)) return print(module);
  if (from < Stage::Xfr)
    if (llvm::Error error = accelerator::lowerTileToXfr(module, target)) return std::move(error);
  if (stop(Stage::Xfr)) return print(module);
  if (from < Stage::Llvm)
    if (llvm::Error error = accelerator::lowerXfrToLlvm(module, backend)) return std::move(error);
  if (stop(Stage::Llvm)) return print(module);
  llvm::LLVMContext context;
  auto ir = accelerator::emitLlvmIr(module, target, context, backend);
  if (!ir) return ir.takeError();
  return runFromIr(**ir, target, options);
}

llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage from,
                                         const targets::TargetSpec& target, const PipelineOptions& options) {
  if (from == Stage::Obj) return link(llvm::ArrayRef(contents.data(), contents.size()));
  llvm::LLVMContext context;
  auto module = parseIr(contents, name, context);
  if (!module) return module.takeError();
  return runFromIr(**module, target, options);
}

}  // namespace forerun::pipeline
