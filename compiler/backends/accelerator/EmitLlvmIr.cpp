//===- EmitLlvmIr.cpp - LLVM dialect to optimised LLVM IR ------------------===//
// Translates, tells LLVM about the harts, runs its optimisation pipeline freestanding (nothing may become a library
// call), and adds the ELF note.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/accelerator/Needs.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace forerun::backends::accelerator {

namespace {

void noteType(const llvm::Type* type, UsedTypes& used) {
  used.half |= type->getScalarType()->isHalfTy();
  used.bfloat |= type->getScalarType()->isBFloatTy();
}

UsedTypes usedTypes(const llvm::Module& module) {
  UsedTypes used;
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        noteType(instruction.getType(), used);
        for (const llvm::Value* operand : instruction.operands()) noteType(operand->getType(), used);
      }
  return used;
}

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

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const CompileOptions& options) {
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
  tuning.SLPVectorization =
      false;  // short fixed vectors in scalar address code cost more than they save on an in-order hart
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(optimizationLevel(options.optimizationLevel)).run(module, modules);
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, const targets::TargetSpec& target,
                                                         llvm::LLVMContext& context, const CompileOptions& options) {
  std::vector<std::string> needs;
  if (auto attribute = module->getAttrOfType<mlir::ArrayAttr>("xfr.needs"))
    for (mlir::Attribute need : attribute)
      if (auto text = mlir::dyn_cast<mlir::StringAttr>(need)) needs.push_back(text.getValue().str());

  std::unique_ptr<llvm::Module> result = mlir::translateModuleToLLVMIR(module, context, "forerun");
  if (!result)
    return llvm::createStringError(
        "the module does not translate to LLVM IR: expected LLVM dialect only (run lowerXfrToLlvm first)");

  const ComputeTeams teams = computeTeams(target);
  const UsedTypes used = usedTypes(*result);
  const std::string features = hartFeatures(teams, used);
  auto machine = createHartMachine(features, options.optimizationLevel);
  if (!machine) return machine.takeError();
  result->setTargetTriple((*machine)->getTargetTriple());
  result->setDataLayout((*machine)->createDataLayout());
  result->addModuleFlag(llvm::Module::Error, "target-abi", llvm::MDString::get(context, "lp64d"));
  for (llvm::Function& function : *result) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", "generic-rv64");
    function.addFnAttr("target-features", features);
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  for (std::string& need : hartNeeds(teams, used)) needs.push_back(std::move(need));
  addNeeds(*result, std::move(needs));

  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*result, &stream))
    return llvm::createStringError("LLVM refuses the module before optimisation: %s", problem.c_str());
  optimize(*result, **machine, options);
  return result;
}

}  // namespace forerun::backends::accelerator
