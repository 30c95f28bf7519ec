//===- LowerXfrToLlvm.cpp - xfr, scf, arith to the LLVM dialect ------------===//
// Upstream conversions, then a check that nothing is left that would fail later without a source location.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/Diagnostics.h"
#include "compiler/backends/accelerator/XfrDialect.h"
#include "isa/InsnTemplates.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace forerun::backends::accelerator {

namespace {

using namespace mlir;

/// One inline assembly call an Xfr instruction, with side effects so that none is dropped, merged or reordered.
LogicalResult lowerInstructions(ModuleOp module) {
  SmallVector<Operation*> instructions;
  module.walk([&](Operation* op) {
    if (llvm::isa_and_present<xfr::XfrDialect>(op->getDialect())) instructions.push_back(op);
  });
  for (Operation* op : instructions) {
    const isa::InsnTemplate* insn = isa::insnTemplate(op->getName().getStringRef().str());
    if (!insn) return op->emitError("no Xfr instruction has this name");
    OpBuilder builder(op);
    SmallVector<Value> inputs;
    unsigned registerInputs = 0;
    for (const isa::InsnInput& input : insn->inputs) {
      if (input.isRegister) {
        inputs.push_back(op->getOperand(registerInputs++));
        continue;
      }
      auto value = op->getAttrOfType<IntegerAttr>(StringRef(input.name.data(), input.name.size()));
      inputs.push_back(LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(), value));
    }
    std::string constraints(insn->constraints);
    // Setting a descriptor touches no memory: values may stay in registers across it.
    if (insn->opcode == isa::Opcode::XdSet || insn->opcode == isa::Opcode::Xid)
      if (const auto clobber = constraints.find(",~{memory}"); clobber != std::string::npos) constraints.erase(clobber);
    auto call = LLVM::InlineAsmOp::create(
        builder, op->getLoc(), insn->hasResult ? TypeRange{builder.getI64Type()} : TypeRange{}, inputs,
        StringRef(insn->text.data(), insn->text.size()), constraints, /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(module.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
    op->replaceAllUsesWith(call->getResults());
    op->erase();
  }
  return success();
}

/// What neither the RISC-V back end nor the upstream conversions know: rounding divisions, conversions of bf16 where
/// the harts have none.
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

/// Located diagnostics for every operation that is not LLVM dialect.
mlir::LogicalResult requireLlvmOnly(mlir::ModuleOp module) {
  bool clean = true;
  module.walk([&](mlir::Operation* op) {
    if (op == module || mlir::isa_and_present<mlir::LLVM::LLVMDialect>(op->getDialect())) return;
    clean = false;
    op->emitError() << "the accelerator back end cannot lower '" << op->getName()
                    << "': expected an operation of arith, math, scf or xfr that LLVM has an instruction for";
  });
  return mlir::success(clean);
}

}  // namespace

llvm::Error lowerXfrToLlvm(mlir::ModuleOp module, const CompileOptions& options) {
  return withDiagnostics(module, "lowering to the LLVM dialect", [&] {
    if (failed(expandArith(module, module->hasAttr("xfr.expand_bf16"))) || failed(lowerInstructions(module)))
      return failure();
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
