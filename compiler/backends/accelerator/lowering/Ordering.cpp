//===- Ordering.cpp - tokens, barriers, who issues --------------------------===//
// Commands run behind the hart that issued them. A hart waits for one only where an operation needs it; between
// commands the wait is handed to the engine as an `after` token.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace forerun::backends::accelerator {

void KernelLowering::leader(function_ref<void()> body) {
  if (!scope_.isLeader) return body();
  b_.when(scope_.isLeader, body);
}

Value KernelLowering::leaderToken(function_ref<Value()> body) {
  Value token;
  if (!scope_.isLeader)
    token = body();
  else
    token = b_.when(scope_.isLeader, ValueRange{b_.constant(0)}, [&] { return SmallVector<Value>{body()}; }).front();
  issued_.insert(token);
  return token;
}

void KernelLowering::barrier() {
  flushPending();
  finishReleases(nullptr);
  Value phase = xfr::BarArriveOp::create(b_, b_.getI64Type(), scope_.barrier, b_.constant(0));
  xfr::BarWaitOp::create(b_, scope_.barrier, phase);
}

void KernelLowering::waitFor(ArrayRef<Value> tokens) {
  llvm::SmallSetVector<Value, 4> real;
  for (Value token : tokens)
    if (constantOf(token) != 0) real.insert(token);
  if (real.empty()) return;
  leader([&] {
    for (Value token : real) xfr::TokWaitOp::create(b_, token);
  });
}

bool KernelLowering::conflicts(const Pending& pending, ArrayRef<Access> accesses) const {
  return llvm::any_of(accesses, [&](const Access& access) {
    auto hits = [&](ArrayRef<Value> roots) {
      return llvm::any_of(roots, [&](Value root) {
        return windows_.overlap(root, access.root) && !(pending.carried && rotates(root));
      });
    };
    return hits(pending.writes) || (access.write && hits(pending.reads));
  });
}

bool KernelLowering::supersedes(const Pending& later, const Pending& earlier) const {
  // A command of this block, and one of the same queue whose token was there before.
  if (later.queues.empty() || earlier.queues.empty() || later.queues.front() != earlier.queues.front()) return false;
  Operation* issue = issued_.contains(later.token) ? later.token.getDefiningOp() : nullptr;
  if (!issue || later.token == earlier.token) return false;
  if (auto argument = dyn_cast<BlockArgument>(earlier.token)) return argument.getOwner() == issue->getBlock();
  Operation* before = earlier.token.getDefiningOp();
  return before->getBlock() == issue->getBlock() && before->isBeforeInBlock(issue);
}

SmallVector<Value> KernelLowering::settle(ArrayRef<Access> accesses, int queue, unsigned tokens) {
  SmallVector<Value> after, waits;
  SmallVector<Pending*> unordered;
  for (Pending& pending : pending_) {
    if (!conflicts(pending, accesses)) continue;
    if (queue != kNoQueue && llvm::is_contained(pending.queues, queue))
      pending.covered = true;  // one queue keeps its own order
    else
      unordered.push_back(&pending);
  }
  for (Pending* pending : unordered) {
    const auto later = llvm::find_if(unordered, [&](const Pending* other) { return supersedes(*other, *pending); });
    if (later != unordered.end()) {
      pending->covered = true;
      if (!pending->by) pending->by = (*later)->token;
    } else if (after.size() < tokens) {
      after.push_back(pending->token);
      pending->covered = true;
    } else {
      waits.push_back(pending->token);
    }
  }
  llvm::erase_if(pending_, [&](const Pending& pending) {
    return llvm::is_contained(waits, pending.token) || (pending.by && llvm::is_contained(waits, pending.by));
  });
  waitFor(waits);
  return after;
}

void KernelLowering::coverWith(Value token, int queue) {
  for (Pending& pending : pending_) {
    if (!pending.covered || pending.by) continue;
    pending.by = token;
    if (!llvm::is_contained(pending.queues, queue)) pending.queues.push_back(queue);
  }
}

bool KernelLowering::disturbs(const Pending& pending, Operation* op) {
  if (tile::takesTokens(op)) return false;
  const int queue = queueOf(op);
  if (queue != kNoQueue && llvm::is_contained(pending.queues, queue)) return false;
  return conflicts(pending, accessesOf(op, scope_.teams));
}

void KernelLowering::settleBeforeRegion(Operation* region) {
  SmallVector<Pending> kept;
  SmallVector<Value> waits;
  for (Pending& pending : pending_) {
    const bool disturbed =
        region
            ->walk([&](Operation* op) {
              return op != region && disturbs(pending, op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (disturbed)
      waits.push_back(pending.token);
    else
      kept.push_back(pending);
  }
  pending_ = std::move(kept);
  waitFor(waits);
}

void KernelLowering::leaveRegion(Block& block, SmallVectorImpl<Left>& left) {
  SmallVector<Value> waits, yielded;
  if (llvm::isa<scf::ForOp, scf::IfOp>(block.getParentOp()))
    yielded = scalars_.values(block.getTerminator()->getOperands());
  // The next iteration meets it again only where it became pending here.
  auto disturbedBefore = [&](const Pending& pending) {
    if (!llvm::isa<LoopLikeOpInterface>(block.getParentOp())) return false;
    for (Operation& op : block) {
      if (op.isAncestor(pending.from) && !pending.queues.empty()) return false;
      if (op.walk([&](Operation* inner) {
              return disturbs(pending, inner) ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted())
        return true;
    }
    return false;
  };
  for (const Pending& pending : pending_) {
    const Pending* last = &pending;
    while (last && last->covered && last->by && !llvm::is_contained(yielded, last->by)) {
      auto next = llvm::find_if(pending_, [&](const Pending& other) { return other.token == last->by; });
      last = next == pending_.end() ? nullptr : next;
    }
    if (last && !last->covered && last != &pending) continue;  // complete with what is waited for below
    if (last && last->covered && last->by && !disturbedBefore(pending))
      left.push_back({pending, static_cast<unsigned>(llvm::find(yielded, last->by) - yielded.begin())});
    else
      waits.push_back(pending.token);
  }
  pending_.clear();
  waitFor(waits);
}

LogicalResult KernelLowering::inherit(Operation* op, LogicalResult emitted, ArrayRef<Left> left) {
  if (failed(emitted)) return failure();
  for (const Left& one : left) {
    Pending pending = one.pending;
    pending.token = scalar(op->getResult(one.result));
    pending.covered = false;
    pending.by = Value();
    pending.from = op;
    pending_.push_back(std::move(pending));
  }
  return success();
}

int KernelLowering::queueOf(Operation* op) {
  switch (engineOf(op)) {
    case Engine::None:
      return kNoQueue;
    case Engine::Matrix:
      return kMatrixQueue;
    case Engine::Dma:
      return dmaQueueFor(op);
  }
  llvm_unreachable("unknown engine");
}

int KernelLowering::dmaQueueFor(Operation* op) {
  if (const auto queue = tile::optionOf(op, kQueueOption)) return static_cast<int>(*queue);
  Value src = op->getOperand(0), dst = src;
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    dst = gather.getOutput();
  else if (!llvm::isa<tile::FillOp>(op))
    dst = op->getOperand(1);
  Value root = rootOf(cast<tile::BufferType>(dst.getType()).isOnChip() ? dst : src);
  const int next = static_cast<int>(dmaQueueOf_.size());
  const int queues = std::max(static_cast<int>(dmaQueues_), 1);
  const int first = part_ ? static_cast<int>(part_->number) * queues / static_cast<int>(part_->roles) : 0;
  return dmaQueueOf_.try_emplace(root, (first + next) % queues).first->second;
}

void KernelLowering::addPending(Operation* from, Value token, ArrayRef<Access> accesses, int queue) {
  Pending pending;
  pending.token = token;
  if (queue != kNoQueue) pending.queues.push_back(queue);
  pending.from = from;
  for (const Access& access : accesses) (access.write ? pending.writes : pending.reads).push_back(access.root);
  pending_.push_back(std::move(pending));
}

void KernelLowering::leaveBehind() {
  // What the last work item left and this one never met has to end before its slot is used again, or the bytes that
  // the next but one takes in turn.
  SmallVector<Value> waits;
  auto anyRotates = [&](ArrayRef<Value> roots) {
    return llvm::any_of(roots, [&](Value root) { return rotates(root); });
  };
  for (const Pending& pending : pending_)
    if (pending.carried && (!pending.covered || anyRotates(pending.reads) || anyRotates(pending.writes)))
      waits.push_back(pending.token);
  waitFor(waits);
  waits.clear();
  llvm::SmallBitVector used(carried_.size());
  for (const Pending& pending : pending_) {
    if (pending.carried) continue;
    leftBehind_.push_back({pending.reads, pending.writes, pending.queues});
    bool kept = false;
    for (std::size_t slot = 0; slot < carried_.size() && !kept; ++slot) {
      if (used.test(static_cast<unsigned>(slot)) || !(carried_[slot] == leftBehind_.back())) continue;
      used.set(static_cast<unsigned>(slot));
      b_.storeWord(pending.token, carrySlots_[slot], b_.constant(0));
      kept = true;
    }
    if (!kept) waits.push_back(pending.token);
  }
  pending_.clear();
  waitFor(waits);
}

void KernelLowering::flushPending() {
  const SmallVector<Value> tokens = llvm::map_to_vector(pending_, [](const Pending& pending) { return pending.token; });
  pending_.clear();
  waitFor(tokens);
}

LogicalResult KernelLowering::emitWait(tile::WaitOp op) {
  for (Value token : op.getTokens()) {
    SmallVector<Access> accesses;
    std::optional<int> queue;
    for (Operation* source : asyncSources(token)) {
      llvm::append_range(accesses, accessesOf(source, scope_.teams));
      const int own = queueOf(source);
      queue = !queue || *queue == own ? own : kNoQueue;
    }
    addPending(op, scalar(token), accesses, queue.value_or(kNoQueue));
  }
  return success();
}

}  // namespace forerun::backends::accelerator
