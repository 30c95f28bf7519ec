//===- Scan.cpp - running combinations on the harts -------------------------===//
// Across rows each lane keeps a column's state. Along a line a strip's lanes combine with those 1, 2, 4... before them,
// then with what came before the strip.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/backends/accelerator/lowering/ReduceKinds.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// Lane i of the result is lane i - by of `vector`; the first `by` lanes are those of `before`.
Value slideUp(Emit& b, Value before, Value vector, Value by, Value length) {
  constexpr std::int64_t kTailAgnostic = 1;
  return b.intrinsic(vector.getType(), "llvm.riscv.vslideup", {before, vector, by, length, b.constant(kTailAgnostic)});
}

}  // namespace

LogicalResult KernelLowering::emitScan(tile::ScanOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window in = window(op.getInput()), out = window(op.getOutput());
  const auto dim = static_cast<std::int64_t>(op.getDim());
  const SmallVector<Range> ranges = windows_.elementwiseRanges(in, out);
  const ReduceKind kind(op.getKind(), in.type.getElementType(), out.type.getElementType());
  Type inType = in.type.getElementType(), outType = out.type.getElementType();
  Shape shape;
  shape.note(inType);
  shape.note(outType);
  shape.widestBits = kind.widestBits();
  shape.liveValues = 4;
  shape.vectorizable = tile::variantOf(op) != kScalar;

  const LinePlan plan = planLines(op, in, dim, ranges);
  const Lanes lanes = planStrips(shape, teams_, in.extent(plan.lane), 1).lanes;
  Value zero = b_.constant(0), one = b_.constant(1), count = b_.sub(ranges[dim].high, ranges[dim].low);
  // The line from the end where it starts.
  Value first = op.getReverse() ? b_.add(ranges[dim].high, -1) : ranges[dim].low;
  auto stepOf = [&](const Window& window) {
    return op.getReverse() ? b_.sub(zero, window.strideBytes[dim]) : window.strideBytes[dim];
  };
  Value inStep = stepOf(in), outStep = stepOf(out);

  // A line (of one element or of lanes side by side) one after the other.
  auto inOrder = [&](const Lanes& width, Value inLine, Value outLine, Value inStride, Value outStride, Value length) {
    b_.loop(zero, count, one, kind.start(b_, width), [&](Value i, ValueRange state) {
      Value loaded = loadLanes(width, b_.add(inLine, b_.mul(i, inStep)), inStride, inType, length);
      Value joined = kind.join(b_, state[0], kind.widen(b_, width, loaded));
      Value result = kind.narrow(b_, width, op.getExclusive() ? state[0] : joined);
      storeLanes(width, result, b_.add(outLine, b_.mul(i, outStep)), outStride, outType, length);
      return SmallVector<Value>{joined};
    });
  };
  auto byStrips = [&](Value inLine, Value outLine) {
    Value identity = kind.start(b_, lanes);
    b_.loopWhile(zero, count, kind.start(b_, Lanes{}), [&](Value i, ValueRange state, Value& step) {
      Value length = b_.vectorLength(b_.sub(count, i), lanes);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      Value loaded = loadLanes(lanes, b_.add(inLine, b_.mul(i, inStep)), inStep, inType, length);
      Value strip = b_.loopWhile(one, step, kind.widen(b_, lanes, loaded), [&](Value by, ValueRange old, Value& next) {
        next = by;
        return SmallVector<Value>{kind.join(b_, slideUp(b_, identity, old[0], by, step), old[0])};
      })[0];
      Value before = lanes.splat(b_, state[0]);
      strip = kind.join(b_, before, strip);
      Value result = op.getExclusive() ? slideUp(b_, before, strip, one, step) : strip;
      storeLanes(lanes, kind.narrow(b_, lanes, result), b_.add(outLine, b_.mul(i, outStep)), outStep, outType, length);
      return SmallVector<Value>{LLVM::ExtractElementOp::create(b_, strip, b_.add(step, -1))};
    });
  };

  forEachPosition(in, plan.others, ranges, /*shared=*/plan.alongLine, [&](SmallVector<Value> position) {
    position[dim] = first;
    if (plan.alongLine) {
      Value inLine = lineAddress(in, position), outLine = lineAddress(out, position);
      return lanes.scalar() ? inOrder(lanes, inLine, outLine, inStep, outStep, Value()) : byStrips(inLine, outLine);
    }
    forEachColumnStrip(plan, lanes, [&](Value column, Value length) {
      position[plan.lane] = column;
      inOrder(lanes, lineAddress(in, position), lineAddress(out, position), in.strideBytes[plan.lane],
              out.strideBytes[plan.lane], length);
    });
  });
  return success();
}

}  // namespace forerun::backends::accelerator
