//===- BarrierPlacement.cpp - where the teams of a core must meet ----------===//
// See BarrierPlacement.h.
#include "compiler/backends/accelerator/lowering/BarrierPlacement.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace forerun::backends::accelerator {

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

class Placement {
 public:
  Placement(unsigned teams, function_ref<bool(Value, Value)> overlap) : teams_(teams), overlap_(overlap) {}

  void block(Block& block) {
    for (Operation& op : block) operation(&op);
  }

  /// A loop: the state that enters an iteration joins what the iteration leaves, until nothing changes.
  void loop(Operation* op) {
    if (conflictsAny(accessesWithin(op, teams_))) barrier(op);
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
    if (auto exec = dyn_cast<tile::ExecOp>(op); exec && exec.getScope() == tile::Scope::Team) {
      const auto accesses = accessesWithin(op, teams_);
      if (conflictsAny(accesses)) barrier(op);
      for (const Access& access : accesses) record(access);
      return;
    }
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

  void step(Operation* op) {
    if (llvm::isa<tile::SyncOp>(op)) {
      barrier(op);
      return;
    }
    const auto accesses = accessesOf(op, teams_);
    // A wait only takes note of what an engine did: its conflicts were met when the command was issued.
    if (!llvm::isa<tile::WaitOp>(op) && conflictsAny(accesses)) barrier(op);
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

  unsigned teams_;
  function_ref<bool(Value, Value)> overlap_;
  State state_;
};

}  // namespace

BarrierPlan placeBarriers(tile::KernelOp kernel, unsigned teams, function_ref<bool(Value, Value)> overlap) {
  if (teams <= 1) return {};
  Placement placement(teams, overlap);
  placement.loop(kernel);  // the kernel's body repeats for every work item
  return std::move(placement.plan);
}

}  // namespace forerun::backends::accelerator
