//===- HoistDescriptors.cpp - xd.set out of loops ---------------------------===//
// A descriptor keeps its fields between commands: one that a loop inside a work item sets to the same value in every
// iteration, and nowhere else, is set once before it.
#include "compiler/backends/accelerator/HoistDescriptors.h"
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/DescriptorFields.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

void hoistFrom(LoopLikeOpInterface loop) {
  struct Site {
    xfr::DSetOp op;
    unsigned count = 0;
  };
  llvm::MapVector<std::pair<unsigned, unsigned>, Site> sites;
  llvm::SmallDenseSet<unsigned> reset;
  loop->walk([&](xfr::DSetOp set) {
    if (set.getField() == kFieldReset) reset.insert(set.getD());
    Site& site = sites[{set.getD(), set.getField()}];
    site.op = set;
    ++site.count;
  });
  for (auto& [key, site] : sites) {
    if (site.count != 1 || reset.contains(key.first)) continue;
    Value value = site.op.getValue();
    if (auto constant = value.getDefiningOp();
        constant && constant->hasTrait<OpTrait::ConstantLike>() && loop->isAncestor(constant))
      constant->moveBefore(loop);
    if (loop.isDefinedOutsideOfLoop(value)) site.op->moveBefore(loop);
  }
}

/// The loop over work items. Fields set before it would stand between the launch and the first load of every core,
/// which costs more, through the instruction cache, than setting them again for each item behind the loads.
bool isItemLoop(LoopLikeOpInterface loop) {
  auto items = dyn_cast<scf::WhileOp>(loop.getOperation());
  return items && !items.getBeforeBody()->getOps<xfr::NextOp>().empty();
}

}  // namespace

void hoistDescriptors(Operation* root) {
  // Innermost loops first: a field climbs as far as its value allows.
  root->walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(loop);
    if (!isItemLoop(loop)) hoistFrom(loop);
  });
}

}  // namespace forerun::backends::accelerator
