//===- LowerTileToLlvm.cpp - tile kernels to the LLVM dialect ---------------===//
// Lowers every kernel of a module and drops the host's part.
#include "compiler/backends/host/Backend.h"
#include "compiler/backends/host/lowering/Conversions.h"
#include "compiler/backends/host/lowering/KernelLowering.h"
#include "compiler/backends/lowering/Diagnostics.h"
#include "compiler/backends/lowering/ToLlvm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

/// Whatever was computed in bf16 is integer arithmetic by now; what is only moved becomes its bits, too. LLVM would
/// carry it through f32 and call a library to come back.
void bfloatToBits(ModuleOp module) {
  Type bits = IntegerType::get(module.getContext(), 16);
  SmallVector<LLVM::BitcastOp> same;
  module.walk([&](Operation* op) {
    if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
      if (auto value = dyn_cast<FloatAttr>(constant.getValue()); value && value.getType().isBF16())
        constant.setValueAttr(IntegerAttr::get(bits, value.getValue().bitcastToAPInt()));
    for (Value result : op->getResults())
      if (result.getType().isBF16()) result.setType(bits);
    for (Region& region : op->getRegions())
      for (Block& block : region)
        for (Value argument : block.getArguments())
          if (argument.getType().isBF16()) argument.setType(bits);
    if (auto cast = dyn_cast<LLVM::BitcastOp>(op)) same.push_back(cast);
  });
  for (LLVM::BitcastOp cast : same)
    if (cast.getArg().getType() == cast.getType()) {
      cast.getResult().replaceAllUsesWith(cast.getArg());
      cast.erase();
    }
}

}  // namespace

llvm::Expected<Lowered> lowerTileToLlvm(ModuleOp module, const targets::HostSpec& target) {
  Lowered lowered;
  llvm::Error error = withDiagnostics(module, "lowering to the LLVM dialect", [&]() -> LogicalResult {
    const auto kernels = kernelsOf(module);
    if (failed(kernels) || failed(refusePins(module, "the host back end"))) return failure();
    expandConversions(module);
    bool good = true;
    for (tile::KernelOp kernel : *kernels)  // its function takes the name
      good &= succeeded(KernelLowering(kernel, target, lowered).run(kernel.getSymName()));
    if (!good) return failure();
    keepLowered(module);
    ToLlvmOptions options;
    options.backend = "the host back end";
    options.expandBfloat = true;
    if (failed(lowerToLlvmDialect(module, options))) return failure();
    bfloatToBits(module);
    return success();
  });
  if (error) return std::move(error);
  return lowered;
}

}  // namespace forerun::backends::host
