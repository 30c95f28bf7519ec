//===- Scan.cpp - running combinations on the harts -------------------------===//
// Across rows each lane keeps a column's state. Along a line a strip's lanes combine with those 1, 2, 4... before them,
// then with what came before the strip. With segments a lane has several neighbours of a line in as many registers,
// which it combines one after the other; only its total combines with other lanes'.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/backends/lowering/ReduceKinds.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// Lane i of the result is lane i - by of `vector`; the first `by` lanes are those of `before`.
Value slideUp(Emit& b, Value before, Value vector, Value by, Value length) {
  constexpr std::int64_t kTailAgnostic = 1;
  return b.intrinsic(vector.getType(), "llvm.riscv.vslideup", {before, vector, by, length, b.constant(kTailAgnostic)});
}

/// Lane i of the k-th result is element kSegmentFields * i + k of `vector`.
SmallVector<Value> deinterleave(Emit& b, const Lanes& field, Type element, Value vector) {
  const SmallVector<Type> fields(kSegmentFields, field.of(element));
  Type all = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  Value both = b.intrinsic(all, "llvm.vector.deinterleave8", vector);
  SmallVector<Value> results;
  for (unsigned k = 0; k < kSegmentFields; ++k) results.push_back(LLVM::ExtractValueOp::create(b, both, k));
  return results;
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
  // Lane i of the result joins lanes 0 to i.
  auto acrossLanes = [&](const Lanes& width, Value vector, Value length) {
    Value identity = kind.start(b_, width);
    return b_.loopWhile(one, length, vector, [&](Value by, ValueRange old, Value& next) {
      next = by;
      return SmallVector<Value>{kind.join(b_, slideUp(b_, identity, old[0], by, length), old[0])};
    })[0];
  };
  auto lastOf = [&](Value vector, Value length) {
    return LLVM::ExtractElementOp::create(b_, vector, b_.add(length, -1)).getResult();
  };
  // Whole strips of segments from the line's start on; returns what they join to and how many elements they had.
  const Lanes field{64 / shape.widestBits}, segments{field.perGranule * kSegmentFields};
  auto bySegments = [&](Value inLine, Value outLine) {
    Value width = arith::ExtUIOp::create(b_, b_.getI64Type(), field.count(b_)), step = b_.mul(width, kSegmentFields);
    SmallVector<Value> initial{kind.start(b_, Lanes{}), zero};
    return b_.loopWhile(zero, b_.add(b_.sub(count, step), 1), initial, [&](Value i, ValueRange state, Value& advance) {
      advance = step;
      Value loaded = loadLanes(segments, b_.add(inLine, b_.mul(i, inStep)), inStep, inType, Value());
      SmallVector<Value> joined;
      for (Value element : deinterleave(b_, field, inType, loaded)) {
        Value wide = kind.widen(b_, field, element);
        joined.push_back(joined.empty() ? wide : kind.join(b_, joined.back(), wide));
      }
      Value before = field.splat(b_, state[0]);
      Value upTo = kind.join(b_, before, acrossLanes(field, joined.back(), width));
      before = slideUp(b_, before, upTo, one, width);
      SmallVector<Value> results;
      for (unsigned k = 0; k < kSegmentFields; ++k) {
        Value result = before;
        if (!op.getExclusive())
          result = kind.join(b_, before, joined[k]);
        else if (k > 0)
          result = kind.join(b_, before, joined[k - 1]);
        results.push_back(kind.narrow(b_, field, result));
      }
      Value all = b_.intrinsic(segments.of(outType), "llvm.vector.interleave8", results);
      storeLanes(segments, all, b_.add(outLine, b_.mul(i, outStep)), outStep, outType, Value());
      return SmallVector<Value>{lastOf(upTo, width), b_.add(i, step)};
    });
  };
  auto byStrips = [&](Value inLine, Value outLine, Value from, Value start) {
    b_.loopWhile(from, count, start, [&](Value i, ValueRange state, Value& step) {
      Value length = b_.vectorLength(b_.sub(count, i), lanes);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      Value loaded = loadLanes(lanes, b_.add(inLine, b_.mul(i, inStep)), inStep, inType, length);
      Value before = lanes.splat(b_, state[0]);
      Value strip = kind.join(b_, before, acrossLanes(lanes, kind.widen(b_, lanes, loaded), step));
      Value result = op.getExclusive() ? slideUp(b_, before, strip, one, step) : strip;
      storeLanes(lanes, kind.narrow(b_, lanes, result), b_.add(outLine, b_.mul(i, outStep)), outStep, outType, length);
      return SmallVector<Value>{lastOf(strip, step)};
    });
  };
  auto alongLine = [&](Value inLine, Value outLine) {
    if (lanes.scalar()) return inOrder(lanes, inLine, outLine, inStep, outStep, Value());
    SmallVector<Value> done{kind.start(b_, Lanes{}), zero};
    if (tile::variantOf(op) == kSegments) done = bySegments(inLine, outLine);
    byStrips(inLine, outLine, done[1], done[0]);
  };

  forEachPosition(in, plan.others, ranges, /*shared=*/plan.alongLine, [&](SmallVector<Value> position) {
    position[dim] = first;
    if (plan.alongLine) return alongLine(lineAddress(in, position), lineAddress(out, position));
    forEachColumnStrip(plan, lanes, [&](Value column, Value length) {
      position[plan.lane] = column;
      inOrder(lanes, lineAddress(in, position), lineAddress(out, position), in.strideBytes[plan.lane],
              out.strideBytes[plan.lane], length);
    });
  });
  return success();
}

}  // namespace forerun::backends::accelerator
