//===- ToLlvm.cpp - scf, arith, math to the LLVM dialect --------------------===//
// See ToLlvm.h.
#include "compiler/backends/lowering/ToLlvm.h"

#include "compiler/dialect/TileOps.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace forerun::backends {

namespace {

/// What neither LLVM's back ends nor the upstream conversions know: rounding divisions, conversions of bf16 where the
/// machine has none.
LogicalResult expandArith(ModuleOp module, bool expandBfloat) {
  RewritePatternSet patterns(module.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  if (expandBfloat) arith::populateExpandBFloat16Patterns(patterns);
  // No folding or region simplification: only what is named here may change.
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(module, std::move(patterns), config);
}

LogicalResult requireLlvmOnly(ModuleOp module, const ToLlvmOptions& options) {
  bool clean = true;
  module.walk([&](Operation* op) {
    if (op == module || llvm::isa_and_present<LLVM::LLVMDialect>(op->getDialect())) return;
    if (op->getDialect() && llvm::is_contained(options.dialects, op->getDialect()->getNamespace())) return;
    clean = false;
    op->emitError() << options.backend << " cannot lower '" << op->getName()
                    << "': expected an operation of arith, math or scf that LLVM has an instruction for";
  });
  return success(clean);
}

}  // namespace

void keepLowered(ModuleOp module) {
  for (tile::KernelOp kernel : llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) kernel.erase();
  for (func::FuncOp function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) function.erase();
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, module);
}

LogicalResult lowerToLlvmDialect(ModuleOp module, const ToLlvmOptions& options) {
  if (failed(expandArith(module, options.expandBfloat))) return failure();
  PassManager passes(module.getContext());
  passes.enableVerifier(true);
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (options.debugLines) passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  if (failed(passes.run(module))) return failure();
  return requireLlvmOnly(module, options);
}

}  // namespace forerun::backends
