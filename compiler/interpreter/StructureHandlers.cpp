//===- StructureHandlers.cpp - ids, launches, marks, asserts ----------------===//
// Who executes, and what is handed to kernels.
#include "compiler/interpreter/Handlers.h"

namespace forerun::interpreter {

namespace {

template <std::int64_t (*value)(const Execution&)>
llvm::LogicalResult runId(Execution& execution, mlir::Operation* op) {
  execution.set(op->getResult(0), Scalar::ofInt(value(execution)));
  return llvm::success();
}
std::int64_t laneOf(const Execution& execution) { return execution.lane; }
std::int64_t lanesOf(const Execution& execution) { return execution.options.machine.lanes; }
std::int64_t teamOf(const Execution& execution) { return execution.team; }
std::int64_t teamsOf(const Execution& execution) { return execution.teams; }
std::int64_t groupOf(const Execution& execution) { return execution.group; }
std::int64_t groupsOf(const Execution& execution) {
  return execution.options.machine.computing / execution.options.machine.perGroup;
}
std::int64_t coreOf(const Execution& execution) { return execution.core; }
std::int64_t coresOf(const Execution& execution) { return execution.options.machine.cores; }

llvm::LogicalResult runMark(Execution& execution, tile::MarkOp op) { return execution.runBlock(op.getBody().front()); }

llvm::LogicalResult runAssert(Execution& execution, tile::AssertOp op) {
  if (execution.integer(op.getCondition()) != 0) return llvm::success();
  return op.emitError() << "assertion failed: " << op.getMessage();
}

llvm::LogicalResult runParamValue(Execution&, tile::ParamValueOp op) {
  return op.emitError() << "parameter " << op.getParamAttr() << " is not bound; run --tile-bind-params first";
}

llvm::LogicalResult runLaunch(Execution& execution, tile::LaunchOp op) {
  if (!execution.launch) return op.emitError() << "kernels are launched from host functions only";
  auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, op.getKernelAttr());
  Launch launch{kernel, op.getLoc(), {1, 1, 1}, {}};
  for (auto [d, value] : llvm::enumerate(op.getGrid())) {
    launch.grid[d] = execution.integer(value);
    if (launch.grid[d] < 0) return op.emitError() << "grid extent " << d << " is negative: " << launch.grid[d];
  }
  for (mlir::Value value : op.getArgs()) launch.arguments.push_back(execution.get(value));
  return execution.launch(launch);
}

}  // namespace

void addStructureHandlers(HandlerTable& table) {
  addHandler(table, "tile.mark", handler<tile::MarkOp, runMark>);
  addHandler(table, "tile.assert", handler<tile::AssertOp, runAssert>);
  addHandler(table, "tile.param_value", handler<tile::ParamValueOp, runParamValue>);
  addHandler(table, "tile.launch", handler<tile::LaunchOp, runLaunch>);
  addHandler(table, "tile.lane_id", runId<laneOf>);
  addHandler(table, "tile.num_lanes", runId<lanesOf>);
  addHandler(table, "tile.team_id", runId<teamOf>);
  addHandler(table, "tile.num_teams", runId<teamsOf>);
  addHandler(table, "tile.group_id", runId<groupOf>);
  addHandler(table, "tile.num_groups", runId<groupsOf>);
  addHandler(table, "tile.core_id", runId<coreOf>);
  addHandler(table, "tile.num_cores", runId<coresOf>);
}

}  // namespace forerun::interpreter
