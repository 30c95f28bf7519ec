//===- LowerXfrToLlvm.cpp - xfr, scf, arith to the LLVM dialect ------------===//
// Xfr instructions become inline assembly; the rest is converted as for every back end.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/lowering/Diagnostics.h"
#include "compiler/backends/lowering/ToLlvm.h"
#include "isa/InsnTemplates.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends::accelerator {

namespace {

using namespace mlir;

constexpr llvm::StringLiteral kStops = "xfr.stops";  // on inline assembly that is never left

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
    if (insn->opcode == isa::Opcode::Xtrap) call->setAttr(kStops, builder.getUnitAttr());
    op->replaceAllUsesWith(call->getResults());
    op->erase();
  }
  return success();
}

/// Tells LLVM that the way through a failed check ends there, so that what stands around the branch is optimised as if
/// there were none.
void endFailedChecks(ModuleOp module) {
  SmallVector<LLVM::InlineAsmOp> stops;
  module.walk([&](LLVM::InlineAsmOp call) {
    if (call->removeAttr(kStops)) stops.push_back(call);
  });
  for (LLVM::InlineAsmOp stop : stops) {
    Block* block = stop->getBlock();
    while (&block->back() != stop) block->back().erase();
    OpBuilder builder = OpBuilder::atBlockEnd(block);
    LLVM::UnreachableOp::create(builder, stop.getLoc());
  }
}

}  // namespace

llvm::Error lowerXfrToLlvm(mlir::ModuleOp module, const CompileOptions& options) {
  return withDiagnostics(module, "lowering to the LLVM dialect", [&] {
    if (failed(lowerInstructions(module))) return failure();
    ToLlvmOptions toLlvm;
    toLlvm.backend = "the accelerator back end";
    toLlvm.expandBfloat = module->hasAttr("xfr.expand_bf16");
    toLlvm.debugLines = options.debugLines;
    if (failed(lowerToLlvmDialect(module, toLlvm))) return failure();
    endFailedChecks(module);
    return success();
  });
}

}  // namespace forerun::backends::accelerator
