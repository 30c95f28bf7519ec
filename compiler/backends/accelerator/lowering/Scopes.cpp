//===- Scopes.cpp - regions of lanes, teams, groups and cores ---------------===//
// A region's units are told apart by the hart's number; lanes follow each other on their hart. Cores meet by
// semaphores: each tells the first core that it has come, which tells all when the last one has.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/dialect/layout/Selection.h"
#include "compiler/dialect/layout/TargetAxes.h"
#include "isa/Isa.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

constexpr auto kIdCore = static_cast<std::uint32_t>(isa::Identity::Core);

/// Semaphores of a core: number 0 is the kernel's start.
enum Semaphore : std::int64_t { kChipCame = 1, kChipGo, kClusterCame, kClusterGo, kSemaphores };

}  // namespace

std::int64_t KernelLowering::lanes() const { return layout::axesOf(target_).find(layout::Axis("lane"))->extent; }

unsigned KernelLowering::teamsTogether(Operation* op) const {
  return accelerator::teamsTogether(op, teams_.count, static_cast<unsigned>(teamsPerGroup()));
}

void KernelLowering::placeBarriersOfScopes() {
  if (teams_.count == 1) return;
  auto accesses = [&](Operation* op) {
    SmallVector<Access> accesses = accessesOf(op, teamsTogether(op));
    auto partWritten = [&](Value root) {
      const Buffer* buffer = windows_.buffer(root);
      return buffer && buffer->partWritten;
    };
    // Valid extents that all teams read where one has written them.
    for (Access& access : accesses)
      if (partWritten(access.root)) {
        access.actor = Actor::Teams;
        access.partition = Partition::mixed();
      }
    if (auto alloc = dyn_cast<tile::AllocOp>(op); alloc && partWritten(alloc.getResult()))
      accesses.push_back({alloc.getResult(), true, Actor::Teams, Partition::mixed()});
    return accesses;
  };
  auto overlap = [&](Value a, Value b) { return windows_.overlap(a, b); };
  barriers_ = placeBarriers(kernel_.getBody().front(), /*repeats=*/true, accesses, overlap);  // by the next work item
  if (teamsPerGroup() == 1) return;
  kernel_.walk([&](tile::ExecOp exec) {
    if (exec.getScope() != tile::Scope::Group) return;
    const BarrierPlan inside = placeBarriers(exec.getBody().front(), /*repeats=*/false, accesses, overlap);
    barriers_.before.insert(inside.before.begin(), inside.before.end());
  });
}

LogicalResult KernelLowering::reserveGroupBarriers() {
  tile::ExecOp first;
  kernel_.walk([&](tile::ExecOp exec) {
    if (exec.getScope() == tile::Scope::Group && !first) first = exec;
    usesBarriers_ |= exec.getScope() > tile::Scope::Core && teams_.count > 1;
  });
  kernel_.walk([&](tile::SyncOp) { usesBarriers_ |= teams_.count > 1; });
  if (!first || teamsPerGroup() == 1) return success();
  groupBarrier_ = nextBarrier_;
  nextBarrier_ += static_cast<unsigned>(groups());
  usesBarriers_ = true;
  if (nextBarrier_ <= target_.sync.barriers) return success();
  return unsupported(first, "its " + Twine(groups()) + " groups take a barrier each, and the target has " +
                                Twine(target_.sync.barriers) + " a core");
}

SmallVector<Value> KernelLowering::boundsOf(tile::ExecOp op) {
  SmallVector<Value> bounds = llvm::map_to_vector(op.getMixedRange(), [&](OpFoldResult bound) {
    const auto constant = getConstantIntValue(bound);
    return constant ? b_.constant(*constant) : scalar(cast<Value>(bound));
  });
  if (bounds.size() == 1) bounds.push_back(b_.add(bounds[0], 1));
  return bounds;
}

LogicalResult KernelLowering::checkRange(tile::ExecOp op, std::int64_t count, const Twine& what) {
  const std::int64_t most = op.getStaticRange().size() == 1 ? count - 1 : count;
  auto isPast = [&](OpFoldResult bound) { return getConstantIntValue(bound).value_or(0) > most; };
  if (!llvm::any_of(op.getMixedRange(), isPast)) return success();
  return unsupported(op, "a range past " + what + ", of which there are " + Twine(count));
}

Value KernelLowering::isAmong(Value unit, Value low, Value high, std::int64_t step) {
  Value above = b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, unit, low);
  Value inside = b_.conjunction(above, b_.less(unit, high));
  if (step == 1) return inside;
  Value offset = arith::RemSIOp::create(b_, b_.sub(unit, low), b_.constant(step));
  return b_.conjunction(inside, b_.equal(offset, b_.constant(0)));
}

FailureOr<Value> KernelLowering::insideRange(tile::ExecOp op, Value unit, std::int64_t count, const Twine& what) {
  if (failed(checkRange(op, count, what))) return failure();
  const SmallVector<Value> bounds = boundsOf(op);
  if (bounds.empty()) return Value();
  if (op.getStaticRange().size() == 1) return Value(b_.equal(unit, bounds[0]));
  return isAmong(unit, bounds[0], bounds[1], op.getStep());
}

void KernelLowering::enter(const Scope& scope) {
  scope_ = scope;
  windows_.setWriter(scope.isLeader);
}

LogicalResult KernelLowering::emitInside(Value inside, const Scope& scope, Block& body) {
  return emitInside(inside, scope, [&] {
    SmallVector<Left> none;
    return emitRegionBody(body, none);
  });
}

LogicalResult KernelLowering::emitInside(Value inside, const Scope& scope, function_ref<LogicalResult()> body) {
  const Scope outer = scope_;
  enter(scope);
  LogicalResult result = success();
  if (inside)
    b_.when(inside, [&] { result = body(); });
  else
    result = body();
  enter(outer);
  return result;
}

LogicalResult KernelLowering::emitTeams(tile::ExecOp op) {
  const FailureOr<Value> inside = insideRange(op, scope_.teamId, scope_.joined, "the teams that compute");
  if (failed(inside)) return failure();
  Scope scope = scope_;
  scope.teams = 1;
  scope.isLeader = Value();
  const auto range = op.getConstantRange();
  scope.allTeams = !*inside || (range && (*range)[0] == 0 && (*range)[1] == scope_.joined && (*range)[2] == 1);
  return emitInside(*inside, scope, op.getBody().front());
}

LogicalResult KernelLowering::emitGroups(tile::ExecOp op) {
  const std::int64_t each = teamsPerGroup();
  Scope scope = scope_;
  if (groups() == 1) {
    scope.group = b_.constant(0);
  } else {
    scope.group = arith::DivUIOp::create(b_, scope_.teamId, b_.constant(each));
    scope.teamId = arith::RemUIOp::create(b_, scope_.teamId, b_.constant(each));
    scope.teams = scope.joined = static_cast<unsigned>(each);
    scope.isLeader = each == 1 ? Value() : b_.equal(scope.teamId, b_.constant(0));
    if (each > 1) scope.barrier = b_.add(scope.group, groupBarrier_);
  }
  const FailureOr<Value> inside = insideRange(op, scope.group, groups(), "the groups of a core");
  return failed(inside) ? failure() : emitInside(*inside, scope, op.getBody().front());
}

LogicalResult KernelLowering::emitLanes(tile::ExecOp op) {
  Scope scope = scope_;
  scope.teams = 1;
  scope.isLeader = Value();
  Value inside, low = b_.constant(0), high = b_.constant(lanes());
  std::int64_t step = op.getStep();
  if (scope_.teams == 1) {
    if (failed(checkRange(op, lanes(), "the lanes of a team"))) return failure();
    if (const SmallVector<Value> bounds = boundsOf(op); !bounds.empty()) {
      low = bounds[0];
      high = bounds[1];
      stopWhere(b_.less(b_.constant(lanes()), high),
                "lanes below {value} reach past the team's " + Twine(lanes()) + " lanes", high);
    }
  } else if (!op.getStaticRange().empty()) {
    const auto range = op.getConstantRange();
    if (!range)
      return unsupported(op,
                         "a range over lanes of several teams that is known at run time only; write 'tile.exec team' "
                         "around it, or integers");
    const std::int64_t count = lanes() * scope_.joined;
    if ((*range)[1] > count)
      return unsupported(op, "a range past the lanes of the teams, of which there are " + Twine(count));
    auto units = layout::unitsOf((*range)[0], (*range)[1], step);
    if (!units) return op.emitError() << llvm::toString(units.takeError());
    auto parts = layout::split("lane", *units, layout::Coarser{"team", lanes()});
    if (!parts) return op.emitError() << llvm::toString(parts.takeError());
    const layout::Units teams = parts->front(), inTeam = parts->back();
    inside = isAmong(scope_.teamId, b_.constant(teams.offset),
                     b_.constant(teams.offset + (teams.extent - 1) * teams.stride + 1), teams.stride);
    low = b_.constant(inTeam.offset);
    high = b_.constant(inTeam.offset + (inTeam.extent - 1) * inTeam.stride + 1);
    step = inTeam.stride;
  }
  return emitInside(inside, scope, [&] {
    LogicalResult result = success();
    b_.loop(low, high, b_.constant(step), [&](Value lane) {
      scope_.laneId = lane;
      SmallVector<Left> none;
      result = emitRegionBody(op.getBody().front(), none);
    });
    return result;
  });
}

KernelLowering::Cores KernelLowering::coresOf(bool cluster) {
  Cores cores;
  cores.items = gridExtents_[0];
  for (Value extent : ArrayRef(gridExtents_).drop_front()) cores.items = b_.mul(cores.items, extent);
  cores.own = xfr::IdOp::create(b_, b_.getI64Type(), kIdCore);
  cores.first = b_.constant(0);
  cores.end = cores.items;
  if (!cluster) return cores;
  const std::int64_t each = target_.coresPerCluster;
  cores.first = b_.mul(arith::DivUIOp::create(b_, cores.own, b_.constant(each)), each);
  cores.end = b_.min(cores.items, b_.add(cores.first, each));
  return cores;
}

void KernelLowering::meetCores(bool cluster) {
  Value& meetings = cluster ? clusterMeetings_ : chipMeetings_;
  flushPending();
  if (scope_.teams > 1) barrier();
  const std::int64_t came = cluster ? kClusterCame : kChipCame, go = cluster ? kClusterGo : kChipGo;
  leader([&] {
    const Value zero = b_.constant(0);
    const auto [items, core, first, end] = coresOf(cluster);
    Value meeting = b_.add(b_.loadWord(meetings, zero), 1);
    b_.storeWord(meeting, meetings, zero);
    auto add = [&](Value other, std::int64_t semaphore) {
      Value id = b_.add(arith::ShLIOp::create(b_, other, b_.constant(32)), semaphore);
      xfr::SemAddOp::create(b_, id, b_.constant(1));
    };
    Value isFirst = b_.equal(core, first);
    b_.when(isFirst, [&] {
      Value others = b_.sub(b_.sub(end, first), b_.constant(1));
      xfr::SemWaitgeOp::create(b_, b_.constant(came), arith::MulIOp::create(b_, others, meeting));
      b_.loop(b_.add(first, 1), end, b_.constant(1), [&](Value other) { add(other, go); });
    });
    b_.when(arith::XOrIOp::create(b_, isFirst, b_.constant1(true)), [&] {
      add(first, came);
      xfr::SemWaitgeOp::create(b_, b_.constant(go), meeting);
    });
  });
  if (scope_.teams > 1) barrier();
}

LogicalResult KernelLowering::emitCores(tile::ExecOp op) {
  if (target_.launch.dynamic)
    return unsupported(op,
                       "the target gives work items to the core that asks first (launch.dynamic), so that they have "
                       "no known core to wait for");
  if (target_.sync.semaphores < kSemaphores)
    return unsupported(op, "it takes " + Twine(static_cast<int>(kSemaphores)) + " semaphores a core, the target has " +
                               Twine(target_.sync.semaphores));
  const bool cluster = op.getScope() == tile::Scope::Cluster;
  Value& meetings = cluster ? clusterMeetings_ : chipMeetings_;
  if (!meetings) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(entry_);
    meetings = b_.alloca64(1);
    b_.storeWord(b_.constant(0), meetings, b_.constant(0));
  }
  const auto [items, core, first, end] = coresOf(cluster);
  stopWhere(b_.less(b_.constant(target_.cores()), items),
            "it waits for all {value} work items of the launch, which then have to run at the same time; there are " +
                Twine(target_.cores()) + " cores (tile.num_cores)",
            items);
  Value number = b_.sub(core, first), count = b_.sub(end, first);
  meetCores(cluster);
  for (Operation& inner : op.getBody().front().without_terminator()) {
    auto exec = dyn_cast<tile::ExecOp>(inner);
    if (!exec) {
      if (failed(emitOperation(&inner))) return failure();
      continue;
    }
    b_.setLoc(exec.getLoc());
    const FailureOr<Value> inside = insideRange(exec, number, target_.cores(), "the cores");
    if (failed(inside)) return failure();
    if (const SmallVector<Value> bounds = boundsOf(exec); !bounds.empty())
      stopWhere(b_.less(count, bounds[1]), "cores below {value} reach past those that have a work item of the launch",
                bounds[1]);
    if (failed(emitInside(*inside, scope_, exec.getBody().front()))) return failure();
    meetCores(cluster);
  }
  return success();
}

LogicalResult KernelLowering::emitSync(tile::SyncOp sync) {
  auto exec = sync->getParentOfType<tile::ExecOp>();
  if (exec && exec.getScope() > tile::Scope::Core) return meetCores(exec.getScope() == tile::Scope::Cluster), success();
  flushPending();
  if (!exec || exec.getScope() != tile::Scope::Team) return success();  // the barrier itself is in the plan
  if (!scope_.allTeams)
    return unsupported(sync, "in a range of teams: it joins all " + Twine(scope_.joined) +
                                 ", and those outside never come; give 'tile.exec team' no range");
  if (scope_.joined > 1) barrier();
  return success();
}

LogicalResult KernelLowering::emitExec(tile::ExecOp op) {
  switch (op.getScope()) {
    case tile::Scope::Lane:
      return emitLanes(op);
    case tile::Scope::Team:
      return emitTeams(op);
    case tile::Scope::Group:
      return emitGroups(op);
    case tile::Scope::Core:
      return emitBlock(op.getBody().front());
    case tile::Scope::Cluster:
    case tile::Scope::Chip:
      return emitCores(op);
  }
  llvm_unreachable("unknown scope");
}

}  // namespace forerun::backends::accelerator
