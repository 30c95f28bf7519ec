//===- AcceleratorPipeline.cpp - kernel file to ELF, stage by stage ---------===//
// The order of the stages and nothing else: each is a function of compiler/backends/accelerator/Backend.h or Stages.h.
#include "compiler/pipeline/AcceleratorPipeline.h"

#include "compiler/backends/accelerator/Backend.h"
#include "compiler/pipeline/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::pipeline {

namespace accelerator = backends::accelerator;

namespace {

/// Text with locations, so that a stage that is re-entered still leads back to the kernel file.
std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return text + "\n";
}

llvm::Error failed(llvm::StringRef stage) { return llvm::createStringError("stage '" + stage + "' failed"); }

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
  if (options.stopAfter == Stage::Ll) {
    std::string ir;
    llvm::raw_string_ostream(ir) << module;
    return ir;
  }
  if (options.stopAfter == Stage::Asm) return accelerator::emitAssembly(module, target, backendOptions(options));
  auto object = accelerator::emitObject(module, target, backendOptions(options));
  if (!object) return object.takeError();
  if (options.stopAfter == Stage::Obj) return text(*object);
  return link(*object);
}

}  // namespace

llvm::ArrayRef<llvm::StringRef> stageNames() {
  static constexpr llvm::StringRef kNames[] = {"tile", "expanded", "xfr", "llvm", "ll", "asm", "obj", "elf"};
  return kNames;
}

std::optional<Stage> parseStage(llvm::StringRef name) {
  const auto names = stageNames();
  const auto found = llvm::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Stage>(found - names.begin());
}

bool isMlir(Stage stage) { return stage <= Stage::Llvm; }

llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::TargetSpec& target,
                                          const PipelineOptions& options) {
  const accelerator::CompileOptions backend = backendOptions(options);
  auto stop = [&](Stage stage) { return options.stopAfter == stage; };
  if (from == Stage::Tile) {
    if (llvm::failed(bindParams(module, options.params))) return failed("tile");
    if (stop(Stage::Tile)) return print(module);
    if (llvm::failed(expandSemantics(module))) return failed("expanded");
  }
  if (stop(Stage::Expanded)) return print(module);
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
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssembly(llvm::MemoryBufferRef(contents, name), diagnostic, context);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream os(message);
    diagnostic.print(nullptr, os, /*ShowColors=*/false);
    return llvm::createStringError(llvm::StringRef(message).rtrim());
  }
  return runFromIr(*module, target, options);
}

}  // namespace forerun::pipeline
