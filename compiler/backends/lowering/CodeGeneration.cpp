//===- CodeGeneration.cpp - LLVM IR to a target's code ----------------------===//
// See CodeGeneration.h.
#include "compiler/backends/lowering/CodeGeneration.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::backends {

namespace {

/// Collects what the code generator and its assembler complain about, instead of letting LLVM print and exit.
class CollectErrors final : public llvm::DiagnosticHandler {
 public:
  explicit CollectErrors(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

 private:
  std::string& errors_;
};

llvm::OptimizationLevel optimizationLevel(unsigned level) {
  switch (level) {
    case 0:
      return llvm::OptimizationLevel::O0;
    case 1:
      return llvm::OptimizationLevel::O1;
    case 2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

}  // namespace

llvm::Error optimize(llvm::Module& module, llvm::TargetMachine& machine, unsigned level, bool unrollLoops) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return llvm::createStringError("LLVM refuses the module before optimisation: %s", problem.c_str());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  // Freestanding: loop-idiom recognition must not make memset and memcpy calls of fill and copy loops.
  llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.LoopUnrolling = unrollLoops;
  tuning.SLPVectorization =
      false;  // short fixed vectors in scalar address code cost more than they save on an in-order hart
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(optimizationLevel(level)).run(module, modules);
  return llvm::Error::success();
}

llvm::Expected<std::vector<char>> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                           llvm::CodeGenFileType kind) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  std::string errors;
  llvm::LLVMContext& context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(errors));
  llvm::legacy::PassManager passes;
  const bool refused = machine.addPassesToEmitFile(passes, out, nullptr, kind);
  if (!refused) passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  if (refused) return llvm::createStringError("LLVM's back end for this machine cannot write this kind of file");
  if (!errors.empty()) return llvm::createStringError("code generation failed: %s", errors.c_str());
  return std::vector<char>(bytes.begin(), bytes.end());
}

}  // namespace forerun::backends
