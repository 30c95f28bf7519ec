//===- ScopeHandlers.cpp - regions of units, and what joins them ------------===//
// Units of a core run one after another; only teams that wait for each other, and work items of a launch that do, run
// side by side.
#include "compiler/dialect/Scopes.h"
#include "compiler/dialect/layout/Selection.h"
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Parties.h"

#include "llvm/Support/SaveAndRestore.h"

namespace forerun::interpreter {

namespace {

/// The units of the range, of `count` that there are: "teams", "the core has". Fails with an error at `op`.
llvm::FailureOr<layout::Units> unitsIn(Execution& execution, tile::ExecOp op, std::int64_t count,
                                       const llvm::Twine& what, const llvm::Twine& owner) {
  const auto range = op.getMixedRange();
  if (range.empty()) return layout::Units{count, 0, 1};
  const std::int64_t low = execution.integer(range[0]),
                     high = range.size() == 1 ? low + 1 : execution.integer(range[1]);
  if (low >= high) return layout::Units{0, 0, 1};
  if (low < 0 || high > count)
    return op.emitError() << what << " [" << low << ", " << high << ") reach past the " << owner << " " << count;
  return llvm::cantFail(layout::unitsOf(low, high, op.getStep()));
}

/// Arrives, and waits for the others.
llvm::LogicalResult meet(mlir::Operation* op, Parties& parties, BarrierState& meeting) {
  const std::int64_t phase = meeting.arrive();
  return parties.await(
      op, [&] { return meeting.phase > phase; },
      [&] {
        return "the others: " + std::to_string(meeting.arrived) + " of " + std::to_string(meeting.count) + " came";
      });
}

llvm::LogicalResult runTeams(Execution& execution, tile::ExecOp op) {
  const llvm::StringRef owner = execution.inRole ? "role's" : execution.group >= 0 ? "group's" : "core's";
  const auto units = unitsIn(execution, op, execution.teams, "teams", owner);
  if (llvm::failed(units)) return llvm::failure();
  mlir::Block& body = op.getBody().front();
  if (units->extent <= 1 || !tile::waitsForOthers(op.getBody())) {
    for (std::int64_t i = 0; i < units->extent; ++i) {
      const llvm::SaveAndRestore team(execution.team, units->offset + i * units->stride);
      if (llvm::failed(execution.runBlock(body))) return llvm::failure();
    }
    return llvm::success();
  }
  Parties teams("team");
  const auto meeting = std::make_shared<BarrierState>(BarrierState{execution.teams});
  for (std::int64_t i = 0; i < units->extent; ++i) {
    auto own = std::make_shared<Execution>(execution);
    own->team = units->offset + i * units->stride;
    own->parties = &teams;
    own->teamMeeting = meeting;
    teams.add(llvm::Twine(own->team), [own, &body] { return own->runBlock(body); });
  }
  return teams.run(op);
}

llvm::LogicalResult runGroups(Execution& execution, tile::ExecOp op) {
  const std::int64_t each = execution.options.machine.perGroup;
  const auto units = unitsIn(execution, op, execution.teams / each, "groups", "core's");
  if (llvm::failed(units)) return llvm::failure();
  for (std::int64_t i = 0; i < units->extent; ++i) {
    const llvm::SaveAndRestore group(execution.group, units->offset + i * units->stride);
    const llvm::SaveAndRestore teams(execution.teams, each);
    if (llvm::failed(execution.runBlock(op.getBody().front()))) return llvm::failure();
  }
  return llvm::success();
}

llvm::LogicalResult runLanes(Execution& execution, tile::ExecOp op) {
  const std::int64_t lanes = execution.options.machine.lanes;
  layout::Units teams, inTeam;
  if (execution.team >= 0) {
    const auto units = unitsIn(execution, op, lanes, "lanes", "team's");
    if (llvm::failed(units)) return llvm::failure();
    teams.offset = execution.team;
    inTeam = *units;
  } else {
    const auto units = unitsIn(execution, op, lanes * execution.teams, "lanes", "core's");
    if (llvm::failed(units)) return llvm::failure();
    if (units->extent == 0) return llvm::success();
    auto parts = layout::split("lane", *units, layout::Coarser{"team", lanes});
    if (!parts) return op.emitError() << llvm::toString(parts.takeError());
    teams = parts->front();
    inTeam = parts->back();
  }
  for (std::int64_t i = 0; i < teams.extent; ++i)
    for (std::int64_t j = 0; j < inTeam.extent; ++j) {
      const llvm::SaveAndRestore team(execution.team, teams.offset + i * teams.stride);
      const llvm::SaveAndRestore lane(execution.lane, inTeam.offset + j * inTeam.stride);
      if (llvm::failed(execution.runBlock(op.getBody().front()))) return llvm::failure();
    }
  return llvm::success();
}

/// The region of a cluster or the chip: what one of its operations does is done on all cores before the next begins.
llvm::LogicalResult runCores(Execution& execution, tile::ExecOp op) {
  const bool cluster = op.getScope() == tile::Scope::Cluster;
  BarrierState& meeting = cluster ? *execution.clusterMeeting : *execution.chipMeeting;
  const auto first =
      cluster ? execution.core / execution.options.machine.coresPerCluster * execution.options.machine.coresPerCluster
              : std::int64_t{0};
  if (llvm::failed(meet(op, *execution.items, meeting))) return llvm::failure();
  for (mlir::Operation& inner : op.getBody().front().without_terminator()) {
    auto exec = llvm::dyn_cast<tile::ExecOp>(inner);
    if (!exec) {
      if (llvm::failed(execution.runOperation(&inner))) return llvm::failure();
      continue;
    }
    const auto units = unitsIn(execution, exec, meeting.count, "cores", cluster ? "cluster's" : "launch's");
    if (llvm::failed(units)) return llvm::failure();
    const std::int64_t at = execution.core - first - units->offset;
    if (at >= 0 && at % units->stride == 0 && at / units->stride < units->extent &&
        llvm::failed(execution.runBlock(exec.getBody().front())))
      return llvm::failure();
    if (llvm::failed(meet(exec, *execution.items, meeting))) return llvm::failure();
  }
  return llvm::success();
}

llvm::LogicalResult runExec(Execution& execution, tile::ExecOp op) {
  switch (op.getScope()) {
    case tile::Scope::Lane:
      return runLanes(execution, op);
    case tile::Scope::Team:
      return runTeams(execution, op);
    case tile::Scope::Group:
      return runGroups(execution, op);
    case tile::Scope::Core:
      return execution.runBlock(op.getBody().front());
    case tile::Scope::Cluster:
    case tile::Scope::Chip:
      return runCores(execution, op);
  }
  llvm_unreachable("unknown scope");
}

llvm::LogicalResult runSync(Execution& execution, tile::SyncOp op) {
  auto exec = op->getParentOfType<tile::ExecOp>();
  if (!exec) return llvm::success();
  switch (exec.getScope()) {
    case tile::Scope::Team: {
      if (execution.teams == 1) return llvm::success();
      if (!execution.teamMeeting)
        return op.emitError()
               << "one of " << execution.teams
               << " teams comes here and would wait for the others for ever; give 'tile.exec team' no range";
      return meet(op, *execution.parties, *execution.teamMeeting);
    }
    case tile::Scope::Cluster:
      return meet(op, *execution.items, *execution.clusterMeeting);
    case tile::Scope::Chip:
      return meet(op, *execution.items, *execution.chipMeeting);
    default:
      return llvm::success();  // its members act together
  }
}

}  // namespace

void addScopeHandlers(HandlerTable& table) {
  addHandler(table, "tile.exec", handler<tile::ExecOp, runExec>);
  addHandler(table, "tile.sync", handler<tile::SyncOp, runSync>);
}

}  // namespace forerun::interpreter
