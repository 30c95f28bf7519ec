//===- EmitLlvmIr.cpp - LLVM dialect to optimised LLVM IR ------------------===//
// Translates, tells LLVM about the harts, runs its optimisation pipeline freestanding (nothing may become a library
// call), and adds the ELF note.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/accelerator/Needs.h"
#include "compiler/backends/lowering/CodeGeneration.h"
#include "isa/ElfNote.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Rounding to integral values has no scalar instruction: for the sake of size LLVM calls a library for it.
bool roundsScalars(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!intrinsic || intrinsic->getType()->isVectorTy()) return false;
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::trunc:
      case llvm::Intrinsic::floor:
      case llvm::Intrinsic::ceil:
      case llvm::Intrinsic::round:
      case llvm::Intrinsic::roundeven:
      case llvm::Intrinsic::rint:
      case llvm::Intrinsic::nearbyint:
        return true;
      default:
        return false;
    }
  });
}

std::vector<std::string> textsOf(mlir::ModuleOp module, llvm::StringRef attribute) {
  std::vector<std::string> texts;
  if (auto array = module->getAttrOfType<mlir::ArrayAttr>(attribute))
    for (mlir::Attribute element : array)
      if (auto text = mlir::dyn_cast<mlir::StringAttr>(element)) texts.push_back(text.getValue().str());
  return texts;
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, const targets::TargetSpec& target,
                                                         llvm::LLVMContext& context, const CompileOptions& options) {
  std::vector<std::string> needs = textsOf(module, "xfr.needs");

  // Else the translation assumes LLVM's default layout, in which 64-bit words are aligned to 4 bytes.
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), hartTriple().computeDataLayout(kHartAbi)));
  std::unique_ptr<llvm::Module> result = mlir::translateModuleToLLVMIR(module, context, "forerun");
  if (!result)
    return llvm::createStringError(
        "the module does not translate to LLVM IR: expected LLVM dialect only (run lowerXfrToLlvm first)");

  const ComputeTeams teams = computeTeams(target);
  const UsedTypes used = usedTypes(*result);
  const std::string features = hartFeatures(teams, used);
  ComputeTeams withoutVectors = teams;
  withoutVectors.vlenBits = 0;
  const std::string scalarFeatures = hartFeatures(withoutVectors, used);
  auto machine = createHartMachine(features, options.optimizationLevel);
  if (!machine) return machine.takeError();
  result->setTargetTriple((*machine)->getTargetTriple());
  result->setDataLayout((*machine)->createDataLayout());
  result->addModuleFlag(llvm::Module::Error, "target-abi", llvm::MDString::get(context, kHartAbi));
  for (llvm::Function& function : *result) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", "generic-rv64");
    function.addFnAttr("tune-cpu", kHartTuning);
    function.addFnAttr("target-features", function.hasFnAttribute(kScalarFunction) ? scalarFeatures : features);
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    // Most code of a kernel runs once a core, each line of it a miss of the instruction cache; loops that matter are
    // unrolled by lowering.
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
  }
  for (std::string& need : hartNeeds(teams, used)) needs.push_back(std::move(need));
  addNeeds(*result, std::move(needs));
  addTexts(*result, isa::kChecksSection, textsOf(module, "xfr.checks"));
  addTexts(*result, isa::kMarksSection, textsOf(module, "xfr.marks"));

  // Lowering has put strips side by side already; more copies of a loop would only cost instruction fetches.
  if (llvm::Error error = optimize(*result, **machine, options.optimizationLevel, /*unrollLoops=*/false))
    return std::move(error);
  for (llvm::Function& function : *result)
    if (roundsScalars(function)) function.removeFnAttr(llvm::Attribute::OptimizeForSize);
  return result;
}

}  // namespace forerun::backends::accelerator
