//===- VectorProduct.cpp - matmul on the vector units of the harts ----------===//
// For targets, types and shapes that the array does not suit: every lane keeps an element of the result and takes k
// after k, as the array does, so that the bits are the same.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// An operand: of its elements with one k, either a strip is in lanes or one is a scalar.
struct Side {
  Value address, stride, kStride;  ///< bytes
  Type type;
};

}  // namespace

LogicalResult KernelLowering::emitVectorProduct(Operation* op, Value a, Value b, Value acc, Value accumulateIf,
                                                bool accumulate, bool transposeA, bool transposeB) {
  settle(accessesOf(op, scope_.teams));
  const Window left = window(a), right = window(b), out = window(acc);
  const SmallVector<Range> leftRanges = windows_.validRanges(left), rightRanges = windows_.validRanges(right);
  const unsigned row = transposeA ? 1 : 0, column = transposeB ? 0 : 1;
  Value m = leftRanges[row].high, n = rightRanges[column].high;
  Value k = b_.min(leftRanges[1 - row].high, rightRanges[1 - column].high);
  windows_.setValid(out, {m, n});

  // Lanes hold neighbours in a row of the result, or in its one column.
  const Split split = splitFor(out.type.getShape(), scope_.teams);
  const auto lane = static_cast<unsigned>(split.lane());
  Side rowSide{left.address, left.strideBytes[row], left.strideBytes[1 - row], left.type.getElementType()},
      laneSide{right.address, right.strideBytes[column], right.strideBytes[1 - column], right.type.getElementType()};
  Value rowHigh = m, laneHigh = n, rowLow = b_.constant(0), laneLow = b_.constant(0);
  if (lane == 0) {
    std::swap(rowSide, laneSide);
    std::swap(rowHigh, laneHigh);
  }
  const auto [low, high] = share(out.extent(split.sharesLanes() ? lane : 0), split.granule());
  Value& sharedHigh = split.sharesLanes() ? laneHigh : rowHigh;
  (split.sharesLanes() ? laneLow : rowLow) = low;
  sharedHigh = b_.min(sharedHigh, high);

  Type sumType = out.type.getElementType();
  Lanes lanes;
  if (tile::variantOf(op) != kScalar) {
    const std::int64_t registers = llvm::divideCeil(out.extent(lane) * 32, std::int64_t{teams_.vlenBits});
    lanes = Lanes{
        static_cast<unsigned>(llvm::PowerOf2Ceil(static_cast<std::uint64_t>(std::min<std::int64_t>(registers, 4)))) *
        2};
  }
  auto widen = [&](const Lanes& width, Value value, Type from) -> Value {
    return from == sumType ? value : convert(b_, width, value, from, sumType);
  };
  auto fused = [&](Value x, Value y, Value sum) -> Value {
    if (llvm::isa<FloatType>(sumType)) return math::FmaOp::create(b_, x, y, sum);
    return arith::AddIOp::create(b_, sum, arith::MulIOp::create(b_, x, y));
  };
  Value condition = accumulateIf ? scalar(accumulateIf) : Value(), one = b_.constant(1);
  Value zero = lanes.constant(b_, cast<TypedAttr>(b_.getZeroAttr(sumType)));

  auto block = [&](Value first, Value start, Value length) {
    SmallVector<Value> rows{first};
    // Past the last row comes the last row again: the same results, written to the same place.
    for (std::int64_t number = 1; number < std::min<std::int64_t>(kProductRows, out.extent(1 - lane)); ++number)
      rows.push_back(b_.min(b_.add(first, number), b_.add(rowHigh, -1)));
    SmallVector<Value> places, sums, none(rows.size(), zero);
    for (Value index : rows)
      places.push_back(
          b_.add(out.address, b_.add(b_.mul(index, out.strideBytes[1 - lane]), b_.mul(start, out.strideBytes[lane]))));
    auto load = [&] {
      return llvm::map_to_vector(
          places, [&](Value place) { return loadLanes(lanes, place, out.strideBytes[lane], sumType, length); });
    };
    sums = accumulate ? load() : condition ? b_.when(condition, none, load) : none;
    Value strip = b_.add(laneSide.address, b_.mul(start, laneSide.stride));
    sums = b_.loop(b_.constant(0), k, one, sums, [&](Value i, ValueRange old) {
      Value y = widen(
          lanes, loadLanes(lanes, b_.add(strip, b_.mul(i, laneSide.kStride)), laneSide.stride, laneSide.type, length),
          laneSide.type);
      SmallVector<Value> next;
      for (auto [index, sum] : llvm::zip_equal(rows, old)) {
        Value place = b_.add(rowSide.address, b_.add(b_.mul(index, rowSide.stride), b_.mul(i, rowSide.kStride)));
        Value x = widen(Lanes{}, loadElement(place, rowSide.type), rowSide.type);
        next.push_back(fused(lanes.spread(b_, x), y, sum));
      }
      return next;
    });
    for (auto [place, sum] : llvm::zip_equal(places, sums))
      storeLanes(lanes, sum, place, out.strideBytes[lane], sumType, length);
  };
  b_.loop(rowLow, rowHigh, b_.constant(kProductRows), [&](Value first) {
    if (lanes.scalar()) return b_.loop(laneLow, laneHigh, one, [&](Value start) { block(first, start, Value()); });
    b_.loopWhile(laneLow, laneHigh, {}, [&](Value start, ValueRange, Value& step) {
      Value length = b_.vectorLength(b_.sub(laneHigh, start), lanes);
      block(first, start, length);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      return SmallVector<Value>{};
    });
  });
  if (llvm::isa<tile::MatmulAsyncOp>(op)) map_.map(op->getResult(0), b_.constant(0));  // complete already
  return success();
}

}  // namespace forerun::backends::accelerator
