//===- CompileModule.cpp - all stages in a row ------------------------------===//
// For callers that want the program and nothing in between.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/Needs.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends::accelerator {

llvm::Expected<CompiledProgram> compileModule(mlir::ModuleOp module, const targets::TargetSpec& target,
                                              const CompileOptions& options) {
  if (llvm::Error error = selectVariants(module, target, options.dispatch)) return error;
  if (llvm::Error error = lowerTileToXfr(module, target)) return error;
  if (llvm::Error error = lowerXfrToLlvm(module, options)) return error;
  llvm::LLVMContext context;
  auto ir = emitLlvmIr(module, target, context, options);
  if (!ir) return ir.takeError();
  CompiledProgram program;
  program.needs = readNeeds(**ir);
  for (const llvm::Function& function : **ir)
    if (!function.isDeclaration() && function.hasExternalLinkage()) program.kernels.push_back(function.getName().str());
  auto object = emitObject(**ir, target, options);
  if (!object) return object.takeError();
  auto elf = linkElf(*object, program.kernels.empty() ? llvm::StringRef() : llvm::StringRef(program.kernels.front()));
  if (!elf) return elf.takeError();
  program.elf = std::move(*elf);
  return program;
}

}  // namespace forerun::backends::accelerator
