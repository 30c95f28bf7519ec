//===- EmitCode.cpp - LLVM dialect to LLVM IR to assembly -------------------===//
// Translates, tells LLVM about the CPU, runs its optimisation pipeline.
#include "compiler/backends/host/Backend.h"
#include "compiler/backends/host/HostCode.h"
#include "compiler/backends/lowering/CodeGeneration.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace forerun::backends::host {

namespace {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(unsigned optimizationLevel) {
  auto builder = hostMachine(optimizationLevel);
  if (!builder) return builder.takeError();
  return builder->createTargetMachine();
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, llvm::LLVMContext& context,
                                                         unsigned optimizationLevel) {
  auto machine = createMachine(optimizationLevel);
  if (!machine) return machine.takeError();
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), (*machine)->createDataLayout().getStringRepresentation()));
  std::unique_ptr<llvm::Module> result = mlir::translateModuleToLLVMIR(module, context, "forerun");
  if (!result)
    return llvm::createStringError(
        "the module does not translate to LLVM IR: expected the LLVM dialect only (run lowerTileToLlvm first)");
  result->setTargetTriple((*machine)->getTargetTriple());
  result->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function& function : *result) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", (*machine)->getTargetCPU());
    function.addFnAttr("target-features", (*machine)->getTargetFeatureString());
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  // Unrolled, code is twice as long to compile and hardly faster: vectors are interleaved all the same.
  if (llvm::Error error = optimize(*result, **machine, optimizationLevel, /*unrollLoops=*/false))
    return std::move(error);
  return result;
}

llvm::Expected<std::string> emitAssembly(llvm::Module& module, unsigned optimizationLevel) {
  auto machine = createMachine(optimizationLevel);
  if (!machine) return machine.takeError();
  auto text = generate(module, **machine, llvm::CodeGenFileType::AssemblyFile);
  if (!text) return text.takeError();
  return std::string(text->begin(), text->end());
}

}  // namespace forerun::backends::host
