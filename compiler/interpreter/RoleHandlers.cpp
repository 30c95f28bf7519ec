//===- RoleHandlers.cpp - roles and pipelines -------------------------------===//
// Pipelines count; roles wait for counts (docs/language.md, "Roles").
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Parties.h"

namespace forerun::interpreter {

namespace {

PipelineState& pipelineOf(Execution& execution, mlir::Value value) {
  return *std::get<std::shared_ptr<PipelineState>>(execution.get(value));
}

llvm::LogicalResult runPipeline(Execution& execution, tile::PipelineOp op) {
  auto pipeline = std::make_shared<PipelineState>();
  pipeline->stages = execution.integer(op.getStages());
  if (pipeline->stages < 1) return op.emitError() << "a pipeline needs at least one stage, found " << pipeline->stages;
  execution.set(op.getPipeline(), std::move(pipeline));
  return llvm::success();
}

llvm::LogicalResult runAcquire(Execution& execution, tile::ProducerAcquireOp op) {
  PipelineState& p = pipelineOf(execution, op.getPipeline());
  if (llvm::failed(execution.parties->await(
          op, [&] { return p.acquired - p.released < p.stages; },
          [&] { return "a free stage: all " + std::to_string(p.stages) + " are filled and none is released"; })))
    return llvm::failure();
  execution.set(op.getStage(), Scalar::ofInt(p.acquired++ % p.stages));
  return llvm::success();
}

llvm::LogicalResult runCommit(Execution& execution, tile::ProducerCommitOp op) {
  PipelineState& p = pipelineOf(execution, op.getPipeline());
  if (p.committed == p.acquired)
    return op.emitError() << "commits a stage, but none is acquired; tile.producer_acquire comes first";
  if (llvm::failed(completeTokens(execution, op, op.getTokens()))) return llvm::failure();
  ++p.committed;
  return llvm::success();
}

llvm::LogicalResult runConsumerWait(Execution& execution, tile::ConsumerWaitOp op) {
  PipelineState& p = pipelineOf(execution, op.getPipeline());
  if (llvm::failed(execution.parties->await(
          op, [&] { return p.waited < p.committed; },
          [&] { return "a filled stage: " + std::to_string(p.waited) + " were committed and used"; })))
    return llvm::failure();
  execution.set(op.getStage(), Scalar::ofInt(p.waited++ % p.stages));
  return llvm::success();
}

llvm::LogicalResult runRelease(Execution& execution, tile::ConsumerReleaseOp op) {
  PipelineState& p = pipelineOf(execution, op.getPipeline());
  if (p.released == p.waited)
    return op.emitError() << "releases a stage, but none is in use; tile.consumer_wait comes first";
  if (llvm::failed(completeTokens(execution, op, op.getTokens()))) return llvm::failure();
  ++p.released;
  return llvm::success();
}

llvm::LogicalResult runRoles(Execution& execution, tile::RolesOp op) {
  Parties roles("role");
  for (unsigned role = 0; role < op.getBodies().size(); ++role) {
    const auto [low, high] = op.getTeams(role);
    if (high > execution.options.machine.teams)
      return op.emitError() << "role '" << op.getRoleName(role) << "' [" << low << " : " << high
                            << "] reaches past the core's " << execution.options.machine.teams
                            << " teams; use fewer teams, or a target with more";
    auto own = std::make_shared<Execution>(execution);
    own->teams = high - low;
    own->inRole = true;
    own->parties = &roles;
    roles.add("'" + op.getRoleName(role) + "'",
              [own, block = &op.getBodies()[role].front()] { return own->runBlock(*block); });
  }
  if (llvm::failed(roles.run(op))) return llvm::failure();
  for (mlir::Operation& other : *op->getBlock()) {
    auto made = llvm::dyn_cast<tile::PipelineOp>(other);
    if (!made || !made->isBeforeInBlock(op)) continue;
    const PipelineState& p = pipelineOf(execution, made.getPipeline());
    if (p.acquired == p.committed && p.committed == p.waited && p.waited == p.released) continue;
    return made.emitError() << "when the roles end, " << p.acquired << " stages were acquired, " << p.committed
                            << " committed, " << p.waited << " waited for and " << p.released
                            << " released; the four are equal in a pipeline that is empty again";
  }
  return llvm::success();
}

}  // namespace

void addRoleHandlers(HandlerTable& table) {
  addHandler(table, "tile.roles", handler<tile::RolesOp, runRoles>);
  addHandler(table, "tile.pipeline", handler<tile::PipelineOp, runPipeline>);
  addHandler(table, "tile.producer_acquire", handler<tile::ProducerAcquireOp, runAcquire>);
  addHandler(table, "tile.producer_commit", handler<tile::ProducerCommitOp, runCommit>);
  addHandler(table, "tile.consumer_wait", handler<tile::ConsumerWaitOp, runConsumerWait>);
  addHandler(table, "tile.consumer_release", handler<tile::ConsumerReleaseOp, runRelease>);
}

}  // namespace forerun::interpreter
