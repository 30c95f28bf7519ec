//===- ControlHandlers.cpp - structured control flow ------------------------===//
// scf loops and branches. Values that cross regions are copied.
#include "compiler/interpreter/Handlers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forerun::interpreter {

namespace {

/// Copies, then assigns: a loop may permute its values.
void assign(Execution& execution, mlir::ValueRange targets, mlir::ValueRange sources) {
  llvm::SmallVector<RuntimeValue, 4> values;
  for (mlir::Value source : sources) values.push_back(execution.get(source));
  for (auto [target, value] : llvm::zip_equal(targets, values)) execution.set(target, std::move(value));
}

llvm::LogicalResult runFor(Execution& execution, mlir::scf::ForOp op) {
  const std::int64_t low = execution.integer(op.getLowerBound()), high = execution.integer(op.getUpperBound()),
                     step = execution.integer(op.getStep());
  if (step <= 0) return op.emitError() << "loop step must be positive, found " << step;
  const ElementType type = *elementTypeOf(op.getInductionVar().getType());
  assign(execution, op.getRegionIterArgs(), op.getInitArgs());
  for (std::int64_t i = low; i < high; i += step) {
    execution.set(op.getInductionVar(), Scalar::ofInt(i, type));
    if (llvm::failed(execution.runBlock(*op.getBody()))) return llvm::failure();
    assign(execution, op.getRegionIterArgs(), op.getBody()->getTerminator()->getOperands());
    if (high - i <= step) break;  // i + step may overflow
  }
  assign(execution, op.getResults(), op.getRegionIterArgs());
  return llvm::success();
}

llvm::LogicalResult runIf(Execution& execution, mlir::scf::IfOp op) {
  mlir::Region& region = execution.integer(op.getCondition()) != 0 ? op.getThenRegion() : op.getElseRegion();
  if (region.empty()) return llvm::success();
  if (llvm::failed(execution.runBlock(region.front()))) return llvm::failure();
  assign(execution, op.getResults(), region.front().getTerminator()->getOperands());
  return llvm::success();
}

llvm::LogicalResult runWhile(Execution& execution, mlir::scf::WhileOp op) {
  mlir::Block &before = op.getBefore().front(), &after = op.getAfter().front();
  assign(execution, before.getArguments(), op.getInits());
  while (true) {
    if (llvm::failed(execution.runBlock(before))) return llvm::failure();
    auto condition = llvm::cast<mlir::scf::ConditionOp>(before.getTerminator());
    if (execution.integer(condition.getCondition()) == 0) {
      assign(execution, op.getResults(), condition.getArgs());
      return llvm::success();
    }
    assign(execution, after.getArguments(), condition.getArgs());
    if (llvm::failed(execution.runBlock(after))) return llvm::failure();
    assign(execution, before.getArguments(), after.getTerminator()->getOperands());
  }
}

}  // namespace

void addControlHandlers(HandlerTable& table) {
  addHandler(table, "scf.for", handler<mlir::scf::ForOp, runFor>);
  addHandler(table, "scf.if", handler<mlir::scf::IfOp, runIf>);
  addHandler(table, "scf.while", handler<mlir::scf::WhileOp, runWhile>);
}

}  // namespace forerun::interpreter
