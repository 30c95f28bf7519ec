//===- Ordering.cpp - tokens, barriers, who issues --------------------------===//
// Commands run behind the hart that issued them. A hart waits for one only where an operation needs it; between
// commands the wait is handed to the engine as an `after` token.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace forerun::backends::accelerator {

void KernelLowering::leader(function_ref<void()> body) {
  if (!scope_.isLeader) return body();
  b_.when(scope_.isLeader, body);
}

Value KernelLowering::leaderToken(function_ref<Value()> body) {
  if (!scope_.isLeader) return body();
  return b_.when(scope_.isLeader, ValueRange{b_.constant(0)}, [&] { return SmallVector<Value>{body()}; }).front();
}

void KernelLowering::barrier() {
  flushPending(/*covered=*/true);
  Value id = b_.constant(0);
  Value phase = xfr::BarArriveOp::create(b_, b_.getI64Type(), id, b_.constant(0));
  xfr::BarWaitOp::create(b_, id, phase);
}

void KernelLowering::waitFor(ArrayRef<Value> tokens) {
  SmallVector<Value> real;
  for (Value token : tokens)
    if (constantOf(token) != 0) real.push_back(token);
  if (real.empty()) return;
  leader([&] {
    for (Value token : real) xfr::TokWaitOp::create(b_, token);
  });
}

bool KernelLowering::conflicts(const Pending& pending, ArrayRef<Access> accesses) const {
  return llvm::any_of(accesses, [&](const Access& access) {
    auto hits = [&](ArrayRef<Value> roots) {
      return llvm::any_of(roots, [&](Value root) { return windows_.overlap(root, access.root); });
    };
    return hits(pending.writes) || (access.write && hits(pending.reads));
  });
}

SmallVector<Value> KernelLowering::settle(ArrayRef<Access> accesses, int queue, unsigned tokens) {
  SmallVector<Value> after, waits;
  SmallVector<Pending> kept;
  for (Pending& pending : pending_) {
    if (!conflicts(pending, accesses)) {
      kept.push_back(pending);
    } else if (queue != kNoQueue && pending.queue == queue) {
      pending.covered = true;  // one queue keeps its own order
      kept.push_back(pending);
    } else if (after.size() < tokens) {
      after.push_back(pending.token);
      pending.covered = true;
      kept.push_back(pending);
    } else {
      waits.push_back(pending.token);
    }
  }
  pending_ = std::move(kept);
  waitFor(waits);
  return after;
}

void KernelLowering::settleBeforeRegion(Operation* region) {
  SmallVector<Pending> kept;
  SmallVector<Value> waits;
  for (Pending& pending : pending_) {
    const bool disturbed =
        region
            ->walk([&](Operation* op) {
              if (op == region || llvm::isa<tile::WaitOp>(op)) return WalkResult::advance();
              const int queue = queueOf(op);
              if (queue != kNoQueue && queue == pending.queue) return WalkResult::advance();
              return conflicts(pending, accessesOf(op, scope_.teams)) ? WalkResult::interrupt() : WalkResult::advance();
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

int KernelLowering::queueOf(Operation* op) {
  if (llvm::isa<tile::MatmulOp, tile::MatmulAsyncOp>(op)) return kMatrixQueue;
  if (llvm::isa<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp, tile::TransposeOp>(op)) {
    const auto from = cast<tile::BufferType>(op->getOperand(0).getType()),
               to = cast<tile::BufferType>(op->getOperand(1).getType());
    if (llvm::isa<tile::CopyAsyncOp>(op) || usesDma(from, to)) return dmaQueueFor(op->getOperand(0), op->getOperand(1));
    if (!llvm::isa<tile::TransposeOp>(op) && usesMatrixStore(from, to)) return kMatrixQueue;
  }
  if (auto fill = dyn_cast<tile::FillOp>(op); fill && fill.getDst().getType().isGlobal())
    return dmaQueueFor(fill.getDst(), fill.getDst());
  return kNoQueue;
}

int KernelLowering::dmaQueueFor(Value src, Value dst) {
  Value root = rootOf(cast<tile::BufferType>(dst.getType()).isOnChip() ? dst : src);
  const int next = static_cast<int>(dmaQueueOf_.size());
  return dmaQueueOf_.try_emplace(root, dmaQueues_ == 0 ? 0 : next % static_cast<int>(dmaQueues_)).first->second;
}

void KernelLowering::addPending(Value token, ArrayRef<Access> accesses, int queue) {
  Pending pending;
  pending.token = token;
  pending.queue = queue;
  for (const Access& access : accesses) (access.write ? pending.writes : pending.reads).push_back(access.root);
  pending_.push_back(std::move(pending));
}

void KernelLowering::leaveBehind() {
  // What the last work item left and this one never met has to end before its slot is used again.
  SmallVector<Value> waits;
  for (const Pending& pending : pending_)
    if (pending.carried && !pending.covered) waits.push_back(pending.token);
  waitFor(waits);
  waits.clear();
  llvm::SmallBitVector used(carried_.size());
  for (const Pending& pending : pending_) {
    if (pending.carried) continue;
    leftBehind_.push_back({pending.reads, pending.writes, pending.queue});
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

void KernelLowering::flushPending(bool covered) {
  SmallVector<Value> tokens;
  for (const Pending& pending : pending_)
    if (covered || !pending.covered) tokens.push_back(pending.token);
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
    addPending(scalar(token), accesses, queue.value_or(kNoQueue));
  }
  return success();
}

}  // namespace forerun::backends::accelerator
