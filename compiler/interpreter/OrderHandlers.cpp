//===- OrderHandlers.cpp - waits and barriers -------------------------------===//
// A wait lets the other teams run where there are any.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Parties.h"

namespace forerun::interpreter {

namespace {

llvm::LogicalResult runReady(Execution& execution, tile::ReadyOp op) {
  execution.set(op.getToken(), Token{});
  return llvm::success();
}

llvm::LogicalResult runWait(Execution& execution, tile::WaitOp op) {
  return completeTokens(execution, op, op.getTokens());
}

llvm::LogicalResult runBarrierInit(Execution& execution, tile::BarrierInitOp op) {
  auto barrier = std::make_shared<BarrierState>();
  barrier->count = execution.integer(op.getCount());
  if (barrier->count < 1) return op.emitError() << "a barrier needs at least one arrival, found " << barrier->count;
  execution.set(op.getBarrier(), std::move(barrier));
  return llvm::success();
}

BarrierState& barrierOf(Execution& execution, mlir::Value value) {
  return *std::get<std::shared_ptr<BarrierState>>(execution.get(value));
}

llvm::LogicalResult runBarrierArrive(Execution& execution, tile::BarrierArriveOp op) {
  execution.set(op.getPhase(), Scalar::ofInt(barrierOf(execution, op.getBarrier()).arrive()));
  return llvm::success();
}

llvm::LogicalResult runBarrierWait(Execution& execution, tile::BarrierWaitOp op) {
  const BarrierState& barrier = barrierOf(execution, op.getBarrier());
  const std::int64_t phase = execution.integer(op.getPhase());
  if (phase < barrier.phase) return llvm::success();
  auto arrivals = [&] {
    return std::to_string(barrier.arrived) + " of " + std::to_string(barrier.count) + " arrivals";
  };
  if (execution.team >= 0 && execution.parties)
    return execution.parties->await(
        op, [&] { return phase < barrier.phase; },
        [&] { return "phase " + std::to_string(phase) + " of the barrier: " + arrivals(); });
  return op.emitError() << "phase " << phase << " of the barrier never completes: " << arrivals();
}

}  // namespace

llvm::LogicalResult completeTokens(Execution& execution, mlir::Operation* op, mlir::ValueRange tokens) {
  for (mlir::Value value : tokens) {
    const Token token = std::get<Token>(execution.get(value));
    if (token.id != 0 && !execution.pending->complete(token.id))
      return op->emitError() << "waits again for a token that was waited for; each token is waited for exactly once";
  }
  return llvm::success();
}

void addOrderHandlers(HandlerTable& table) {
  addHandler(table, "tile.ready", handler<tile::ReadyOp, runReady>);
  addHandler(table, "tile.wait", handler<tile::WaitOp, runWait>);
  addHandler(table, "tile.barrier_init", handler<tile::BarrierInitOp, runBarrierInit>);
  addHandler(table, "tile.barrier_arrive", handler<tile::BarrierArriveOp, runBarrierArrive>);
  addHandler(table, "tile.barrier_wait", handler<tile::BarrierWaitOp, runBarrierWait>);
}

}  // namespace forerun::interpreter
