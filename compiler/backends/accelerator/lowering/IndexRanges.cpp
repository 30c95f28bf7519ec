//===- IndexRanges.cpp - what values a kernel's scalars can take ------------===//
// MLIR's integer range analysis, which gives up on what a loop carries from iteration to iteration; that is proved by
// induction here, as the stage of a double buffer needs it.
#include "compiler/backends/accelerator/lowering/IndexRanges.h"

#include "compiler/dialect/TileOps.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cstdlib>

using namespace mlir;

namespace forerun::backends::accelerator {

IndexRanges::IndexRanges(Operation* kernel) : solver_(std::make_unique<DataFlowSolver>()) {
  dataflow::loadBaselineAnalyses(*solver_);
  solver_->load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver_->initializeAndRun(kernel))) solver_.reset();
}

IndexRanges::~IndexRanges() = default;

bool IndexRanges::isWithin(OpFoldResult value, std::int64_t low, std::int64_t high) const {
  SmallVector<Claim> claims;
  return prove(value, low, high, claims);
}

bool IndexRanges::prove(OpFoldResult origin, std::int64_t low, std::int64_t high,
                        SmallVectorImpl<Claim>& claims) const {
  constexpr std::size_t kMostClaims = 8;                // of one proof
  constexpr std::int64_t kFar = std::int64_t{1} << 48;  // bounds beyond are not followed, so that none overflows
  if (const auto constant = getConstantIntValue(origin)) return *constant >= low && *constant <= high;
  if (low > high || low < -kFar || high > kFar) return false;
  const Value value = cast<Value>(origin);
  if (solver_)
    if (const auto* lattice = solver_->lookupState<dataflow::IntegerValueRangeLattice>(value);
        lattice && !lattice->getValue().isUninitialized()) {
      const ConstantIntRanges& range = lattice->getValue().getValue();
      if (range.smin().getSExtValue() >= low && range.smax().getSExtValue() <= high) return true;
    }
  if (!value.getType().isIndex() && !value.getType().isInteger(64)) return false;  // narrower sums may wrap
  tile::PipelineOp pipeline;                                                       // stages count from 0
  if (auto acquire = value.getDefiningOp<tile::ProducerAcquireOp>())
    pipeline = acquire.getPipeline().getDefiningOp<tile::PipelineOp>();
  if (auto wait = value.getDefiningOp<tile::ConsumerWaitOp>())
    pipeline = wait.getPipeline().getDefiningOp<tile::PipelineOp>();
  if (pipeline) {
    const auto stages = getConstantIntValue(pipeline.getStages());
    return stages && low <= 0 && *stages - 1 <= high;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar()) return false;
    const Claim claim{value, low, high};
    if (llvm::is_contained(claims, claim)) return true;  // of the iteration before
    if (claims.size() == kMostClaims || !prove(loop.getTiedLoopInit(argument)->get(), low, high, claims)) return false;
    claims.push_back(claim);
    return prove(loop.getTiedLoopYieldedValue(argument)->get(), low, high, claims);
  }
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    if (const auto right = getConstantIntValue(sum.getRhs()); right && std::abs(*right) < kFar)
      return prove(sum.getLhs(), low - *right, high - *right, claims);
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    if (const auto left = getConstantIntValue(difference.getLhs()); left && std::abs(*left) < kFar)
      return prove(difference.getRhs(), *left - high, *left - low, claims);
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return prove(select.getTrueValue(), low, high, claims) && prove(select.getFalseValue(), low, high, claims);
  return false;
}

}  // namespace forerun::backends::accelerator
