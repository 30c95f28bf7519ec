//===- Uniformity.cpp - which values differ between those who execute a region //
// A backward walk over what a value is computed from; loops are met once.
#include "compiler/passes/Uniformity.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace forerun::passes {

namespace {

class Walk {
 public:
  explicit Walk(Region& region) : region_(region) {}

  void value(Value value) {
    if (!value || !region_.isAncestor(value.getParentRegion()) || !seen_.insert(value).second) return;
    if (auto argument = dyn_cast<BlockArgument>(value)) return blockArgument(argument);
    operation(cast<OpResult>(value));
  }

  /// What decides whether and how often the regions of `op` are executed.
  void control(Operation* op) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) return value(branch.getCondition());
    if (auto loop = dyn_cast<scf::WhileOp>(op)) return value(loop.getConditionOp().getCondition());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      value(loop.getLowerBound());
      value(loop.getUpperBound());
      value(loop.getStep());
    }
  }

  Verdict verdict;

 private:
  void note(Uniformity uniformity, Operation* because) {
    if (uniformity > verdict.uniformity) verdict = {uniformity, because};
  }

  void blockArgument(BlockArgument argument) {
    Operation* parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      control(parent);
      if (argument.getArgNumber() == 0) return;
      value(loop.getInitArgs()[argument.getArgNumber() - 1]);
      value(loop.getYieldedValues()[argument.getArgNumber() - 1]);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      control(parent);
      const unsigned number = argument.getArgNumber();
      if (argument.getOwner() == loop.getAfterBody()) return value(loop.getConditionOp().getArgs()[number]);
      value(loop.getInits()[number]);
      value(loop.getYieldedValues()[number]);
    } else if (auto kernel = dyn_cast<tile::KernelOp>(parent)) {
      if (argument.getArgNumber() >= kernel.getNumArguments()) note(Uniformity::Divergent, parent);  // a grid id
    } else {
      note(Uniformity::Unknown, parent);
    }
  }

  void operation(OpResult result) {
    Operation* op = result.getOwner();
    const unsigned number = result.getResultNumber();
    if (llvm::isa<tile::LaneIdOp, tile::TeamIdOp, tile::GroupIdOp, tile::CoreIdOp>(op))
      return note(Uniformity::Divergent, op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      control(op);
      value(branch.thenYield().getOperand(number));
      return value(branch.elseYield().getOperand(number));
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      control(op);
      value(loop.getInitArgs()[number]);
      return value(loop.getYieldedValues()[number]);
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      control(op);
      return value(loop.getConditionOp().getArgs()[number]);
    }
    if (!isMemoryEffectFree(op)) return note(Uniformity::Unknown, op);
    for (Value operand : op->getOperands()) value(operand);
  }

  Region& region_;
  llvm::DenseSet<Value> seen_;
};

}  // namespace

Verdict uniformityIn(Region& region, Value value) {
  Walk walk(region);
  walk.value(value);
  return walk.verdict;
}

Verdict controlOf(Region& region, Operation* op) {
  Walk walk(region);
  for (Operation* parent = op->getParentOp(); parent != region.getParentOp(); parent = parent->getParentOp())
    walk.control(parent);
  return walk.verdict;
}

}  // namespace forerun::passes
