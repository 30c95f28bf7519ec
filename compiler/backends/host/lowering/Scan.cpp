//===- Scan.cpp - running combinations --------------------------------------===//
// In order: along rows with a state that is carried, across rows with a state a column.
#include "compiler/backends/host/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::host {

void KernelLowering::emitScan(tile::ScanOp op) {
  const Window &in = window(op.getInput()), &out = window(op.getOutput());
  const ReduceKind kind(op.getKind(), in.type.getElementType(), out.type.getElementType());
  const std::int64_t dim = op.getDim(), last = in.rank() - 1;
  Ranges ranges = windows_.writableRanges(out);
  for (auto [range, own] : llvm::zip_equal(ranges, windows_.validRanges(in))) {
    range.low = b_.max(range.low, own.low);
    range.high = b_.min(range.high, own.high);
  }
  setValid(out, ranges);
  const Range line = ranges[dim];
  Value start = kind.start(b_, Lanes{}), one = b_.constant(1);
  // One step at `index`: the state after it.
  auto step = [&](ValueRange index, Value state) {
    Value joined = kind.join(b_, state, kind.widen(b_, Lanes{}, load(in, index)));
    store(out, index, kind.narrow(b_, Lanes{}, op.getExclusive() ? state : joined));
    return joined;
  };
  auto positionOf = [&](Value i) { return op.getReverse() ? b_.sub(b_.add(line.high, -1), b_.sub(i, line.low)) : i; };

  Ranges starts = ranges;
  if (dim == last) {
    starts[dim] = {b_.constant(0), one};
    forEach(starts, /*independent=*/false, [&](ValueRange first) {
      Values index(first);
      b_.loop(line.low, line.high, one, start, [&](Value i, ValueRange state) {
        index[dim] = positionOf(i);
        return Values{step(index, state[0])};
      });
    });
    return;
  }
  const States states{{start.getType()}, in.extent(last)};
  needTemporary(states.bytes());
  const Range columns = ranges[last];
  starts[dim] = starts[last] = {b_.constant(0), one};
  forEach(starts, /*independent=*/false, [&](ValueRange first) {
    Values index(first);
    independentLoop(columns.low, columns.high, [&](Value column) { storeState(states, start, column); });
    b_.loop(line.low, line.high, one, [&](Value i) {
      index[dim] = positionOf(i);
      independentLoop(columns.low, columns.high, [&](Value column) {
        index[last] = column;
        storeState(states, step(index, loadState(states, column)[0]), column);
      });
    });
  });
}

}  // namespace forerun::backends::host
