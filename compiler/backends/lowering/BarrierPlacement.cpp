//===- BarrierPlacement.cpp - where those who share work must meet ---------===//
// See BarrierPlacement.h.
#include "compiler/backends/lowering/BarrierPlacement.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace forerun::backends {

namespace {

/// What happened to a buffer since the last barrier.
struct History {
  bool leaderRead = false, leaderWrote = false;
  Partition teamsRead = Partition::none(), teamsWrote = Partition::none();
  bool operator==(const History&) const = default;
};

Partition join(Partition a, Partition b) {
  if (a.isNone() || a == b) return b;
  if (b.isNone()) return a;
  return Partition::mixed();
}

/// Accesses of an operation and everything inside it.
SmallVector<Access> accessesWithin(Operation* op, AccessesOf accessesOf) {
  SmallVector<Access> accesses;
  if (auto exec = dyn_cast<tile::ExecOp>(op); exec && exec.getScope() < tile::Scope::Core) {
    exec.getBody().walk([&](Operation* inner) {
      for (Access access : accessesOf(inner)) {
        access.actor = Actor::Teams;
        access.partition = Partition::mixed();
        accesses.push_back(access);
      }
    });
    return accesses;
  }
  llvm::append_range(accesses, accessesOf(op));
  for (Region& region : op->getRegions())
    for (Block& block : region)
      for (Operation& inner : block) llvm::append_range(accesses, accessesWithin(&inner, accessesOf));
  return accesses;
}

class Placement {
 public:
  Placement(AccessesOf accessesOf, function_ref<bool(Value, Value)> overlap)
      : accessesOf_(accessesOf), overlap_(overlap) {}

  void block(Block& block) {
    for (Operation& op : block) operation(&op);
  }

  /// A loop: the state that enters an iteration joins what the iteration leaves, until nothing changes.
  void loop(Operation* op) {
    if (conflictsAny(accessesWithin(op, accessesOf_))) barrier(op);
    for (;;) {
      const State entry = state_;
      const std::size_t barriers = plan.before.size();
      for (Region& region : op->getRegions())
        if (!region.empty()) block(region.front());
      joinState(entry);
      if (state_ == entry && barriers == plan.before.size()) return;
    }
  }

  BarrierPlan plan;

 private:
  using State = llvm::DenseMap<Value, History>;

  void operation(Operation* op) {
    if (auto exec = dyn_cast<tile::ExecOp>(op); exec && exec.getScope() < tile::Scope::Core) {
      const auto accesses = accessesWithin(op, accessesOf_);
      if (conflictsAny(accesses)) barrier(op);
      for (const Access& access : accesses) record(access);
      return;
    }
    if (auto exec = dyn_cast<tile::ExecOp>(op); exec && exec.getScope() > tile::Scope::Core) return cores(exec);
    if (llvm::isa<scf::ForOp, scf::WhileOp>(op)) return loop(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      const State entry = state_;
      block(branch.getThenRegion().front());
      State afterThen = state_;
      state_ = entry;
      if (!branch.getElseRegion().empty()) block(branch.getElseRegion().front());
      joinState(afterThen);
      return;
    }
    if (llvm::isa<tile::MapOp>(op)) {
      step(op);
      return;
    }
    step(op);
    for (Region& region : op->getRegions())
      if (!region.empty()) block(region.front());
  }

  /// Teams of several cores meet at its beginning, after each of its operations, and so at its end.
  void cores(tile::ExecOp exec) {
    state_.clear();
    for (auto inner : exec.getBody().getOps<tile::ExecOp>()) {
      block(inner.getBody().front());
      state_.clear();
    }
  }

  void step(Operation* op) {
    if (llvm::isa<tile::SyncOp>(op)) {
      barrier(op);
      return;
    }
    const auto accesses = accessesOf_(op);
    if (!tile::takesTokens(op) && conflictsAny(accesses)) barrier(op);
    for (const Access& access : accesses) record(access);
  }

  void barrier(Operation* op) {
    plan.before.insert(op);
    state_.clear();
  }

  bool conflictsAny(ArrayRef<Access> accesses) const {
    return llvm::any_of(accesses, [&](const Access& access) {
      return llvm::any_of(state_, [&](const auto& entry) {
        return overlap_(entry.first, access.root) && conflicts(entry.first, entry.second, access);
      });
    });
  }

  static bool conflicts(Value root, const History& history, const Access& access) {
    // Distinct buffers over the same bytes never agree element by element.
    const bool same = root == access.root;
    if (access.actor == Actor::Leader)
      return !history.teamsWrote.isNone() || (access.write && !history.teamsRead.isNone());
    if (history.leaderWrote || (access.write && history.leaderRead)) return true;
    auto disagrees = [&](Partition earlier) {
      return !earlier.isNone() && !(same && earlier.agrees(access.partition));
    };
    return disagrees(history.teamsWrote) || (access.write && disagrees(history.teamsRead));
  }

  void record(const Access& access) {
    History& history = state_[access.root];
    if (access.actor == Actor::Leader) {
      (access.write ? history.leaderWrote : history.leaderRead) = true;
    } else {
      Partition& partition = access.write ? history.teamsWrote : history.teamsRead;
      partition = join(partition, access.partition);
    }
  }

  void joinState(const State& other) {
    for (const auto& [root, history] : other) {
      History& mine = state_[root];
      mine.leaderRead |= history.leaderRead;
      mine.leaderWrote |= history.leaderWrote;
      mine.teamsRead = join(mine.teamsRead, history.teamsRead);
      mine.teamsWrote = join(mine.teamsWrote, history.teamsWrote);
    }
  }

  AccessesOf accessesOf_;
  function_ref<bool(Value, Value)> overlap_;
  State state_;
};

}  // namespace

BarrierPlan placeBarriers(Block& body, bool repeats, AccessesOf accessesOf, function_ref<bool(Value, Value)> overlap) {
  Placement placement(accessesOf, overlap);
  if (repeats)
    placement.loop(body.getParentOp());
  else
    placement.block(body);
  return std::move(placement.plan);
}

SmallVector<Operation*> asyncSources(Value token) {
  llvm::SetVector<Operation*> sources;
  SmallVector<Value> pending{token};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && argument.getArgNumber() > 0) {
        const unsigned index = argument.getArgNumber() - 1;
        pending.push_back(loop.getInitArgs()[index]);
        pending.push_back(loop.getYieldedValues()[index]);
      }
      continue;
    }
    Operation* op = value.getDefiningOp();
    const unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      pending.push_back(loop.getInitArgs()[index]);
      pending.push_back(loop.getYieldedValues()[index]);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      pending.push_back(branch.thenYield().getOperand(index));
      pending.push_back(branch.elseYield().getOperand(index));
    } else if (!llvm::isa<tile::ReadyOp>(op)) {
      sources.insert(op);
    }
  }
  return sources.takeVector();
}

}  // namespace forerun::backends
