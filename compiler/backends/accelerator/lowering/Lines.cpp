//===- Lines.cpp - walks over the lines of a window -------------------------===//
// Reductions, scans and orderings treat a window as lines along one dimension; teams share the lines.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

Value KernelLowering::lineAddress(const Window& window, ArrayRef<Value> position) {
  Value address = window.address;
  for (auto [dim, index] : llvm::enumerate(position))
    if (index && window.extent(static_cast<std::int64_t>(dim)) != 1)
      address = b_.add(address, b_.mul(index, window.strideBytes[dim]));
  return address;
}

void KernelLowering::forEachPosition(const Window& window, ArrayRef<std::int64_t> dims, ArrayRef<Range> ranges,
                                     bool shared, function_ref<void(SmallVector<Value>)> body) {
  std::int64_t count = 1;
  for (std::int64_t dim : dims) count *= window.extent(dim);
  auto [low, high] = shared ? share(count, 1) : std::pair<Value, Value>{b_.constant(0), b_.constant(count)};
  Value one = b_.constant(1);
  SmallVector<Value> position(static_cast<std::size_t>(window.rank()));
  if (dims.size() <= 1) {
    if (dims.size() == 1) {
      low = b_.max(low, ranges[dims[0]].low);
      high = b_.min(high, ranges[dims[0]].high);
    }
    b_.loop(low, high, one, [&](Value index) {
      if (dims.size() == 1) position[dims[0]] = index;
      body(position);
    });
    return;
  }
  // Numbered in row-major order, so that teams share them evenly.
  b_.loop(low, high, one, [&](Value flat) {
    Value rest = flat, valid;
    for (std::size_t number = dims.size(); number-- > 0;) {
      const std::int64_t dim = dims[number];
      position[dim] = number == 0 ? rest : b_.remUnsigned(rest, window.extent(dim));
      rest = b_.divUnsigned(rest, window.extent(dim));
      valid = b_.conjunction(valid, b_.less(position[dim], ranges[dim].high));
      if (constantOf(ranges[dim].low) != 0)
        valid = b_.conjunction(
            valid, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, position[dim], ranges[dim].low));
    }
    b_.when(valid, [&] { body(position); });
  });
}

LinePlan KernelLowering::planLines(Operation* op, const Window& window, std::int64_t dim, ArrayRef<Range> ranges) {
  const LineWalk walk = lineWalkOf(op, window.type.getShape(), dim);
  LinePlan plan;
  plan.alongLine = walk.along;
  plan.lane = walk.lane;
  for (std::int64_t other = 0; other < window.rank(); ++other)
    if (other != dim && other != walk.lane) plan.others.push_back(other);
  if (walk.along) return plan;
  const auto [low, high] = share(window.extent(walk.lane), walk.granule);
  plan.columnLow = b_.max(ranges[walk.lane].low, low);
  plan.columnHigh = b_.min(ranges[walk.lane].high, high);
  return plan;
}

void KernelLowering::forEachColumnStrip(const LinePlan& plan, const Lanes& lanes,
                                        function_ref<void(Value, Value)> body) {
  if (lanes.scalar())
    return b_.loop(plan.columnLow, plan.columnHigh, b_.constant(1), [&](Value column) { body(column, Value()); });
  b_.loopWhile(plan.columnLow, plan.columnHigh, {}, [&](Value column, ValueRange, Value& step) {
    Value length = b_.vectorLength(b_.sub(plan.columnHigh, column), lanes);
    body(column, length);
    step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
    return SmallVector<Value>{};
  });
}

}  // namespace forerun::backends::accelerator
