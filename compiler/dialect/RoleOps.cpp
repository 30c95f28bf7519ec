//===- RoleOps.cpp - syntax and checks of roles and pipelines --------------===//
// Roles run at the same time: what they share goes through pipelines, and each pipeline has one producer and one
// consumer.
#include "compiler/dialect/Verification.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace forerun::tile {

ParseResult RolesOp::parse(OpAsmParser& parser, OperationState& state) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SmallVector<int64_t> low, high;
  do {
    if (parser.parseKeyword(&names.emplace_back()) || parser.parseLSquare() || parser.parseInteger(low.emplace_back()))
      return failure();
    high.push_back(low.back() + 1);
    if (succeeded(parser.parseOptionalColon()) && parser.parseInteger(high.back())) return failure();
    if (parser.parseRSquare() || parser.parseRegion(*state.addRegion())) return failure();
    if (state.regions.back()->empty()) state.regions.back()->emplaceBlock();
  } while (succeeded(parser.parseOptionalComma()));
  Builder& builder = parser.getBuilder();
  state.addAttribute(getNamesAttrName(state.name), builder.getStrArrayAttr(names));
  state.addAttribute(getLowAttrName(state.name), builder.getDenseI64ArrayAttr(low));
  state.addAttribute(getHighAttrName(state.name), builder.getDenseI64ArrayAttr(high));
  return parser.parseOptionalAttrDict(state.attributes);
}

void RolesOp::print(OpAsmPrinter& printer) {
  for (unsigned role = 0; role < getBodies().size(); ++role) {
    const auto [low, high] = getTeams(role);
    printer << (role == 0 ? " " : ", ") << getRoleName(role) << " [" << low;
    if (high != low + 1) printer << " : " << high;
    printer << "] ";
    printer.printRegion(getBodies()[role]);
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {getNamesAttrName(), getLowAttrName(), getHighAttrName()});
}

LogicalResult RolesOp::verify() {
  const std::size_t roles = getBodies().size();
  if (roles == 0) return emitOpError() << "expected at least one role";
  if (getNames().size() != roles || getLow().size() != roles || getHigh().size() != roles)
    return emitOpError() << "expected a name and a range for each of " << roles << " regions";
  for (unsigned role = 0; role < roles; ++role) {
    const auto [low, high] = getTeams(role);
    if (low < 0 || low >= high)
      return emitOpError() << "role '" << getRoleName(role)
                           << "': expected a range [low : high] of teams with 0 <= low < high, found [" << low << " : "
                           << high << "]";
    for (unsigned other = 0; other < role; ++other) {
      if (getRoleName(other) == getRoleName(role))
        return emitOpError() << "two roles are called '" << getRoleName(role) << "'; roles are told apart by name";
      const auto [otherLow, otherHigh] = getTeams(other);
      if (low < otherHigh && otherLow < high)
        return emitOpError() << "roles '" << getRoleName(other) << "' [" << otherLow << " : " << otherHigh << "] and '"
                             << getRoleName(role) << "' [" << low << " : " << high
                             << "] share a team; the ranges of roles are disjoint";
    }
  }
  return success();
}

std::optional<unsigned> RolesOp::roleOf(Operation* op) {
  for (unsigned role = 0; role < getBodies().size(); ++role)
    if (getBodies()[role].isAncestor(op->getParentRegion())) return role;
  return std::nullopt;
}

Value SliceOp::getPipeline() {
  auto stage = llvm::dyn_cast<Value>(getMixedOrigins().front());
  if (!stage) return {};
  if (auto acquire = stage.getDefiningOp<ProducerAcquireOp>()) return acquire.getPipeline();
  if (auto wait = stage.getDefiningOp<ConsumerWaitOp>()) return wait.getPipeline();
  return {};
}

namespace {

/// The window's allocation or argument, and the slice that is taken of it first, if any.
struct Origin {
  Value root;
  SliceOp outermost;
};

Origin originOf(Value buffer) {
  Origin origin{buffer, {}};
  while (auto slice = origin.root.getDefiningOp<SliceOp>()) {
    origin.root = slice.getSource();
    origin.outermost = slice;
  }
  return origin;
}

/// The pipeline whose stage the window is.
Value pipelineOf(Origin origin) {
  return origin.outermost && origin.outermost.getDroppedDims() != 0 ? origin.outermost.getPipeline() : Value();
}

/// What roles do to one buffer that lives outside of them.
struct Sharing {
  struct Access {
    unsigned role;
    Operation* op;
    Value pipeline;
    bool write;
  };
  llvm::SmallVector<Access> accesses;
};

/// Who uses a pipeline, and where first.
struct Ends {
  Operation *producer = nullptr, *consumer = nullptr;
};

LogicalResult checkPipelines(RolesOp roles) {
  llvm::MapVector<Value, Ends> ends;
  const WalkResult walk = roles->walk([&](Operation* op) {
    const bool produces = llvm::isa<ProducerAcquireOp, ProducerCommitOp>(op);
    if (!produces && !llvm::isa<ConsumerWaitOp, ConsumerReleaseOp>(op)) return WalkResult::advance();
    Ends& known = ends[op->getOperand(0)];
    Operation*& first = produces ? known.producer : known.consumer;
    if (!first) first = op;
    const unsigned role = *roles.roleOf(op), firstRole = *roles.roleOf(first);
    if (role == firstRole) return WalkResult::advance();
    auto diagnostic = op->emitOpError() << "role '" << roles.getRoleName(role) << "' uses a pipeline as role '"
                                        << roles.getRoleName(firstRole) << "' does; a pipeline has one role that "
                                        << (produces ? "produces" : "consumes");
    diagnostic.attachNote(first->getLoc()) << "used here before";
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted()) return failure();
  for (auto& [pipeline, both] : ends) {
    Operation* only = both.producer ? both.producer : both.consumer;
    if (!both.producer || !both.consumer)
      return only->emitOpError() << "no role " << (both.producer ? "waits for" : "fills")
                                 << " the stages of this pipeline: it never completes";
    if (roles.roleOf(both.producer) == roles.roleOf(both.consumer))
      return both.consumer->emitOpError()
             << "the role that fills the stages waits for them itself; use two roles, or tile.wait";
  }
  return success();
}

LogicalResult checkSharing(RolesOp roles) {
  llvm::MapVector<Value, Sharing> shared;
  auto add = [&](Operation* op, Value buffer, bool write) {
    Origin origin = originOf(buffer);
    if (roles->isAncestor(origin.root.getParentBlock()->getParentOp())) return;  // of one role
    shared[origin.root].accesses.push_back({*roles.roleOf(op), op, pipelineOf(origin), write});
  };
  roles->walk([&](Operation* op) {
    auto interface = llvm::dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface) return;
    llvm::SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance& effect : effects)
      if (Value value = effect.getValue(); value && llvm::isa<BufferType>(value.getType()))
        add(op, value, llvm::isa<MemoryEffects::Write>(effect.getEffect()));
  });
  for (auto& [root, sharing] : shared) {
    for (const Sharing::Access& access : sharing.accesses) {
      if (!access.write) continue;
      for (const Sharing::Access& other : sharing.accesses) {
        if (other.role == access.role || (access.pipeline && access.pipeline == other.pipeline)) continue;
        // Say it at the access that goes round the pipeline.
        const Sharing::Access& wrong = other.pipeline ? access : other;
        const Sharing::Access& right = other.pipeline ? other : access;
        auto diagnostic = wrong.op->emitOpError()
                          << "role '" << roles.getRoleName(wrong.role) << "' " << (wrong.write ? "writes" : "reads")
                          << " a buffer that role '" << roles.getRoleName(right.role) << "' "
                          << (right.write ? "writes" : "reads")
                          << ", and nothing orders the two; take the window at a stage of a pipeline: tile.slice "
                             "%buffer[%stage, ...] "
                             "with %stage from tile.producer_acquire or tile.consumer_wait";
        diagnostic.attachNote(right.op->getLoc()) << "the other access";
        diagnostic.attachNote(root.getLoc()) << "the buffer";
        return failure();
      }
    }
  }
  return success();
}

}  // namespace

LogicalResult RolesOp::verifyRegions() { return failure(failed(checkPipelines(*this)) || failed(checkSharing(*this))); }

/// The roles around an operation of a pipeline: nothing else runs at the same time.
static LogicalResult requireRole(Operation* op) {
  if (ExecOp exec = enclosingTeamExec(op)) {
    auto diagnostic =
        op->emitOpError() << "a single team executes here; the teams of a role go through a pipeline together";
    diagnostic.attachNote(exec.getLoc()) << "the enclosing region";
    return failure();
  }
  if (op->getParentOfType<RolesOp>()) return success();
  return op->emitOpError() << "expected inside a role of 'tile.roles': without one nobody else fills or empties the "
                              "pipeline";
}

LogicalResult ProducerAcquireOp::verify() { return requireRole(*this); }
LogicalResult ProducerCommitOp::verify() { return requireRole(*this); }
LogicalResult ConsumerWaitOp::verify() { return requireRole(*this); }
LogicalResult ConsumerReleaseOp::verify() { return requireRole(*this); }

LogicalResult PipelineOp::verify() {
  llvm::APInt stages;
  if (matchPattern(getStages(), m_ConstantInt(&stages)) && stages.slt(1))
    return emitOpError() << "expected at least one stage, found " << stages.getSExtValue();
  return success();
}

}  // namespace forerun::tile
