//===- EmitObject.cpp - LLVM IR to RISC-V assembly and objects -------------===//
// Runs LLVM's RISC-V code generator with the features that the functions carry.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/lowering/CodeGeneration.h"

#include "llvm/IR/Module.h"

namespace forerun::backends::accelerator {

namespace {

/// Of the functions that may use all of them.
std::string functionFeatures(const llvm::Module& module, const targets::TargetSpec& target) {
  for (const llvm::Function& function : module)
    if (function.hasFnAttribute("target-features") && !function.hasFnAttribute(kScalarFunction))
      return function.getFnAttribute("target-features").getValueAsString().str();
  return hartFeatures(computeTeams(target), {});
}

llvm::Expected<std::vector<char>> generateFor(llvm::Module& module, const targets::TargetSpec& target,
                                              const CompileOptions& options, llvm::CodeGenFileType kind) {
  auto machine = createHartMachine(functionFeatures(module, target), options.optimizationLevel);
  if (!machine) return machine.takeError();
  return generate(module, **machine, kind);
}

}  // namespace

llvm::Expected<std::string> emitAssembly(llvm::Module& module, const targets::TargetSpec& target,
                                         const CompileOptions& options) {
  auto text = generateFor(module, target, options, llvm::CodeGenFileType::AssemblyFile);
  if (!text) return text.takeError();
  return std::string(text->begin(), text->end());
}

llvm::Expected<std::vector<char>> emitObject(llvm::Module& module, const targets::TargetSpec& target,
                                             const CompileOptions& options) {
  return generateFor(module, target, options, llvm::CodeGenFileType::ObjectFile);
}

}  // namespace forerun::backends::accelerator
