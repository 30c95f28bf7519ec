//===- EmitPtx.cpp - LLVM dialect to LLVM IR to PTX -------------------------===//
// Needs no CUDA: LLVM's NVPTX back end writes the text.
#include "compiler/backends/lowering/CodeGeneration.h"
#include "compiler/backends/nvptx/Backend.h"
#include "compiler/backends/nvptx/GpuCode.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace forerun::backends::nvptx {

llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, const targets::GpuSpec& target,
                                                         llvm::LLVMContext& context, unsigned optimizationLevel) {
  auto machine = createGpuMachine(target, optimizationLevel);
  if (!machine) return machine.takeError();
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), (*machine)->createDataLayout().getStringRepresentation()));
  std::unique_ptr<llvm::Module> result = mlir::translateModuleToLLVMIR(module, context, "forerun");
  if (!result)
    return llvm::createStringError(
        "the module does not translate to LLVM IR: expected the LLVM and NVVM dialects only (run lowerTileToLlvm "
        "first)");
  result->setTargetTriple((*machine)->getTargetTriple());
  result->setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = optimize(*result, **machine, optimizationLevel, /*unrollLoops=*/true))
    return std::move(error);
  return result;
}

llvm::Expected<std::string> emitPtx(llvm::Module& module, const targets::GpuSpec& target, unsigned optimizationLevel) {
  auto machine = createGpuMachine(target, optimizationLevel);
  if (!machine) return machine.takeError();
  std::string text;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isIntrinsic())
      return llvm::createStringError("the kernels call '%s', which no library provides",
                                     function.getName().str().c_str());
    if (function.hasFnAttribute(kSharedBytesAttribute))
      text += "// kernel " + function.getName().str() + ": " + std::to_string(target.warpsPerCta * target.warpSize) +
              " threads a CTA, " + function.getFnAttribute(kSharedBytesAttribute).getValueAsString().str() +
              " bytes of dynamic shared memory\n";
  }
  auto ptx = generate(module, **machine, llvm::CodeGenFileType::AssemblyFile);
  if (!ptx) return ptx.takeError();
  return text.append(ptx->begin(), ptx->end());
}

}  // namespace forerun::backends::nvptx
