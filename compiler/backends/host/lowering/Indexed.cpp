//===- Indexed.cpp - gathers, scatters, histograms, orderings ---------------===//
// Element by element, in row-major order; a line is sorted by a function of the runtime.
#include "compiler/backends/host/Abi.h"
#include "compiler/backends/host/execution/Sorting.h"
#include "compiler/backends/host/lowering/KernelLowering.h"

#include "isa/ElementType.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

Value wide(Emit& b, Value index) {
  return index.getType() == b.getI64Type() ? index : arith::ExtSIOp::create(b, b.getI64Type(), index).getResult();
}

/// Whether low <= index < high.
Value within(Emit& b, Value index, const Range& range) {
  Value inside = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, index, range.high);  // also of negative ones
  if (constantOf(range.low) == 0) return inside;
  return b.conjunction(inside, b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, index, range.low));
}

}  // namespace

void KernelLowering::emitGather(tile::GatherOp op) {
  const Window &src = window(op.getSrc()), &indices = window(op.getIndices()), &out = window(op.getOutput());
  const std::int64_t dim = op.getDim();
  const ArrayRef<std::int64_t> extents = out.type.getShape();
  const Ranges valid = windows_.validRanges(src);
  Ranges ranges = windows_.writableRanges(out);
  limitByInput(ranges, indices, extents);
  for (std::int64_t d = 0; d < out.rank(); ++d)
    if (d != dim) ranges[d].high = b_.min(ranges[d].high, valid[d].high);
  setValid(out, ranges);
  const Ranges known = windows_.validRanges(indices);
  Value zero = arith::ConstantOp::create(b_, b_.getZeroAttr(scalarType(out.type.getElementType())));
  forEach(ranges, /*independent=*/true, [&](ValueRange index) {
    Values where(index), from(index);
    for (std::int64_t d = 0; d < out.rank(); ++d)
      if (indices.broadcasts(extents, d)) where[d] = b_.constant(0);
    from[dim] = wide(b_, loadAboveLow(indices, known, where));
    Value inside = within(b_, from[dim], valid[dim]);
    for (std::int64_t d = 0; d < out.rank(); ++d)
      if (d != dim && constantOf(valid[d].low) != 0) inside = b_.conjunction(inside, within(b_, from[d], valid[d]));
    store(out, index, b_.when(inside, zero, [&] { return Values{load(src, from)}; })[0]);
  });
}

void KernelLowering::emitScatter(tile::ScatterOp op) {
  const Window &src = window(op.getSrc()), &indices = window(op.getIndices()), &dst = window(op.getDst());
  const std::int64_t dim = op.getDim();
  const ArrayRef<std::int64_t> extents = src.type.getShape();
  const Ranges target = windows_.validRanges(dst), known = windows_.validRanges(indices);
  Ranges ranges = windows_.validRanges(src);
  limitByInput(ranges, indices, extents);
  for (std::int64_t d = 0; d < src.rank(); ++d) {
    if (!indices.broadcasts(extents, d)) ranges[d].low = b_.max(ranges[d].low, known[d].low);
    if (d == dim) continue;
    ranges[d].low = b_.max(ranges[d].low, target[d].low);
    ranges[d].high = b_.min(ranges[d].high, target[d].high);
  }
  std::optional<ReduceKind> kind;
  if (op.getKind()) kind.emplace(*op.getKind(), dst.type.getElementType(), dst.type.getElementType());
  forEach(ranges, /*independent=*/false, [&](ValueRange index) {
    Values where(index), to(index);
    for (std::int64_t d = 0; d < src.rank(); ++d)
      if (indices.broadcasts(extents, d)) where[d] = b_.constant(0);
    to[dim] = wide(b_, load(indices, where));
    b_.when(within(b_, to[dim], target[dim]), [&] {
      Value value = load(src, index);
      if (kind)
        value = kind->narrow(b_, Lanes{},
                             kind->join(b_, kind->widen(b_, Lanes{}, load(dst, to)), kind->widen(b_, Lanes{}, value)));
      store(dst, to, value);
    });
  });
}

void KernelLowering::emitHistogram(tile::HistogramOp op) {
  const Window &in = window(op.getInput()), &out = window(op.getOutput());
  const Range bins = windows_.writableRanges(out)[0];
  setValid(out, bins);
  forEach(windows_.validRanges(in), /*independent=*/false, [&](ValueRange index) {
    Value value = load(in, index);
    if (value.getType() != b_.getI64Type()) value = arith::ExtUIOp::create(b_, b_.getI64Type(), value);
    b_.when(within(b_, value, bins), [&] {
      Value one = arith::ConstantOp::create(b_, b_.getIntegerAttr(out.type.getElementType(), 1));
      store(out, value, arith::AddIOp::create(b_, load(out, value), one));
    });
  });
}

void KernelLowering::emitOrdering(Operation* op, Value input, ValueRange outputs, std::int64_t dim, bool descending) {
  const Window& in = window(input);
  std::vector<Window> outs;
  for (Value output : outputs) outs.push_back(window(output));
  Ranges ranges = windows_.validRanges(in);
  for (const Window& out : outs)
    for (auto [d, own] : llvm::enumerate(windows_.writableRanges(out)))
      if (static_cast<std::int64_t>(d) != dim) {
        ranges[d].low = b_.max(ranges[d].low, own.low);
        ranges[d].high = b_.min(ranges[d].high, own.high);
      }
  const Range line = ranges[dim];
  Value count = b_.max(b_.constant(0), b_.sub(line.high, line.low));
  Value kept = b_.min(count, b_.constant(outs[0].extent(dim)));
  Ranges written = ranges;
  written[dim] = {b_.constant(0), kept};
  setValid(outs, written);

  Value ordering = stackWords(kOrderingWords);
  std::string name;
  llvm::raw_string_ostream(name) << in.type.getElementType();
  const auto type = isa::parseElementType(name);
  assert(type && "the verifier admits element types only");
  Ranges starts = ranges;
  starts[dim] = {b_.constant(0), b_.constant(1)};
  auto address = [&](const Window& window, ValueRange index) -> Value {
    Value place = pointer(window, windows_.elementAddress(window, index));
    return LLVM::PtrToIntOp::create(b_, b_.getI64Type(), place);
  };
  forEach(starts, /*independent=*/false, [&](ValueRange first) {
    Values from(first);
    from[dim] = line.low;
    auto set = [&](OrderingWord word, Value value) { b_.storeWord(value, ordering, b_.constant(word)); };
    set(kInput, address(in, from));
    set(kInputStride, in.strideBytes[dim]);
    set(kCount, count);
    set(kType, b_.constant(static_cast<std::int64_t>(*type)));
    set(kDescending, b_.constant(descending));
    set(kKept, kept);
    set(kFirst, line.low);
    set(kValues, address(outs[0], first));
    set(kValueStride, outs[0].strideBytes[dim]);
    const bool positions = outs.size() > 1;
    set(kPositions, positions ? address(outs[1], first) : b_.constant(0));
    set(kPositionStride, positions ? outs[1].strideBytes[dim] : b_.constant(0));
    set(kPositionBytes, b_.constant(positions ? storageBytes(outs[1].type.getElementType()) : 0));
    callRuntime(kSortFunction, ordering);
  });
}

}  // namespace forerun::backends::host
