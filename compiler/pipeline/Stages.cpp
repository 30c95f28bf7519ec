//===- Stages.cpp - the named stages of compilation -------------------------===//
// Runs single passes; the later stages are in the Backend.h of each back end.
#include "compiler/pipeline/Stages.h"

#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/lowering/Diagnosed.h"
#include "compiler/backends/nvptx/Backend.h"
#include "compiler/dialect/TileDialect.h"
#include "compiler/passes/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"

namespace forerun::pipeline {

namespace {
constexpr llvm::StringRef kNames[] = {"tile", "expanded", "dispatched", "xfr", "llvm",
                                      "ll",   "asm",      "obj",        "elf", "ptx"};
}

llvm::StringRef stageName(Stage stage) { return kNames[static_cast<std::size_t>(stage)]; }

std::optional<Stage> parseStage(llvm::StringRef name) {
  const auto* found = llvm::find(kNames, name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<Stage>(found - std::begin(kNames));
}

std::string stageNames(llvm::ArrayRef<Stage> stages) {
  std::string names;
  for (Stage stage : stages) names += (names.empty() ? "" : ", ") + stageName(stage).str();
  return names;
}

bool isMlir(Stage stage) { return stage <= Stage::Llvm; }
bool isText(Stage stage) { return stage != Stage::Obj && stage != Stage::Elf; }

void registerDialects(mlir::DialectRegistry& registry) {
  tile::registerDialects(registry);
  backends::accelerator::registerDialects(registry);
  backends::nvptx::registerDialects(registry);
}

llvm::LogicalResult bindParams(mlir::ModuleOp module, llvm::ArrayRef<std::string> values) {
  passes::TileBindParamsOptions options;
  options.values.assign(values.begin(), values.end());
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createTileBindParams(std::move(options)));
  manager.addPass(passes::createTileVerifyTokens());
  manager.addPass(passes::createTileVerifyScopes());
  return manager.run(module);
}

llvm::LogicalResult expandSemantics(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createTileExpandSemantics());
  return manager.run(module);
}

llvm::LogicalResult inferLayouts(mlir::ModuleOp module, passes::Accumulators accumulators, llvm::raw_ostream* explain) {
  if (explain)
    module.walk(
        [&](tile::KernelOp kernel) { passes::explain(*explain, kernel, passes::inferLayouts(kernel, accumulators)); });
  mlir::PassManager manager(module.getContext());
  manager.addPass(passes::createTileInferLayouts());
  return manager.run(module);
}

llvm::Error runFrontStages(mlir::ModuleOp module, Stage from, passes::Accumulators accumulators,
                           const PipelineOptions& options) {
  if (from == Stage::Tile) {
    if (llvm::failed(bindParams(module, options.params))) return llvm::make_error<backends::Diagnosed>("stage 'tile'");
    if (options.stopAfter == Stage::Tile) return llvm::Error::success();
    if (llvm::failed(expandSemantics(module))) return llvm::make_error<backends::Diagnosed>("stage 'expanded'");
  }
  if (from <= Stage::Expanded && llvm::failed(inferLayouts(module, accumulators, options.explainLayouts)))
    return llvm::make_error<backends::Diagnosed>("stage 'expanded'");
  return llvm::Error::success();
}

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return text + "\n";
}

llvm::Expected<std::unique_ptr<llvm::Module>> parseIr(llvm::StringRef contents, llvm::StringRef name,
                                                      llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssembly(llvm::MemoryBufferRef(contents, name), diagnostic, context);
  if (module) return module;
  std::string message;
  llvm::raw_string_ostream os(message);
  diagnostic.print(nullptr, os, /*ShowColors=*/false);
  return llvm::createStringError(llvm::StringRef(message).rtrim());
}

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

}  // namespace forerun::pipeline
