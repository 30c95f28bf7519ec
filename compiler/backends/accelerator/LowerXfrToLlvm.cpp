//===- LowerXfrToLlvm.cpp - xfr, scf, arith to the LLVM dialect ------------===//
// Upstream conversions, then a check that nothing is left that would fail later without a source location.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/Diagnostics.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace forerun::backends::accelerator {

namespace {

/// Located diagnostics for every operation that is not LLVM dialect.
mlir::LogicalResult requireLlvmOnly(mlir::ModuleOp module) {
  bool clean = true;
  module.walk([&](mlir::Operation* op) {
    if (op == module || mlir::isa_and_present<mlir::LLVM::LLVMDialect>(op->getDialect())) return;
    clean = false;
    op->emitError() << "the accelerator back end cannot lower '" << op->getName() << "': expected an operation of arith, math, scf or xfr that LLVM has an instruction for";
  });
  return mlir::success(clean);
}

}  // namespace

llvm::Error lowerXfrToLlvm(mlir::ModuleOp module, const CompileOptions& options) {
  return withDiagnostics(module, "lowering to the LLVM dialect", [&] {
    mlir::PassManager passes(module.getContext());
    passes.enableVerifier(true);
    passes.addPass(mlir::createSCFToControlFlowPass());
    passes.addPass(mlir::createConvertMathToLLVMPass());
    passes.addPass(mlir::createArithToLLVMConversionPass());
    passes.addPass(mlir::createConvertIndexToLLVMPass());
    passes.addPass(mlir::createUBToLLVMConversionPass());
    passes.addPass(mlir::createConvertControlFlowToLLVMPass());
    passes.addPass(mlir::createReconcileUnrealizedCastsPass());
    if (options.debugLines) passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass());
    if (mlir::failed(passes.run(module))) return mlir::failure();
    return requireLlvmOnly(module);
  });
}

}  // namespace forerun::backends::accelerator
