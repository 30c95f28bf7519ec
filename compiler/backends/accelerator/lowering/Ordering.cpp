//===- Ordering.cpp - tokens, barriers, who issues --------------------------===//
// Commands run behind the hart that issued them. A hart waits for one only where an operation needs it; between commands the wait is handed to the engine as an `after` token.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

bool KernelLowering::overlap(Value a, Value b) const {
  if (a == b) return true;
  const Buffer *first = bufferOf_.lookup(a), *second = bufferOf_.lookup(b);
  if (!first || !second || !first->onChip() || first->type.getSpace() != second->type.getSpace()) return false;
  return first->offset < second->offset + second->bytes * second->copies && second->offset < first->offset + first->bytes * first->copies;
}

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

SmallVector<Value> KernelLowering::settle(ArrayRef<Access> accesses, Engine engine, unsigned tokens) {
  auto conflicts = [&](const Pending& pending) {
    return llvm::any_of(accesses, [&](const Access& access) {
      auto hits = [&](ArrayRef<Value> roots) { return llvm::any_of(roots, [&](Value root) { return overlap(root, access.root); }); };
      return hits(pending.writes) || (access.write && hits(pending.reads));
    });
  };
  SmallVector<Value> after, waits;
  SmallVector<Pending> kept;
  for (Pending& pending : pending_) {
    if (!conflicts(pending)) {
      kept.push_back(pending);
      continue;
    }
    // One queue keeps its own order: a matrix command never waits for an earlier one.
    if (engine == Engine::Matrix && pending.matrix) {
      pending.covered = true;
      kept.push_back(pending);
    } else if (engine != Engine::None && after.size() < tokens) {
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

void KernelLowering::addPending(Value token, ArrayRef<Access> accesses, bool matrix) {
  Pending pending;
  pending.token = token;
  pending.matrix = matrix;
  for (const Access& access : accesses) (access.write ? pending.writes : pending.reads).push_back(access.root);
  pending_.push_back(std::move(pending));
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
    bool matrix = true;
    for (Operation* source : asyncSources(token)) {
      llvm::append_range(accesses, accessesOf(source, scope_.teams));
      matrix &= llvm::isa<tile::MatmulAsyncOp>(source);
    }
    addPending(scalar(token), accesses, matrix);
  }
  return success();
}

}  // namespace forerun::backends::accelerator
