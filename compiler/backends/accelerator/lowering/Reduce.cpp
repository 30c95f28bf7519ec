//===- Reduce.cpp - reductions on the harts ---------------------------------===//
// Along lines a team folds strips of its own lines into vectors of partial results and combines its lanes at the end;
// across lines each lane keeps one.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/backends/lowering/ReduceKinds.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {
constexpr std::int64_t kTreeChains = 256;  // of `order <tree>`: docs/language.md
}

LogicalResult KernelLowering::emitReduce(tile::ReduceOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window in = window(op.getInput()), out = window(op.getOutput());
  const std::int64_t rank = in.rank();
  const SmallVector<Range> ranges = windows_.validRanges(in);
  SmallVector<bool> reduced(rank, false);
  for (std::int64_t dim : op.getDims()) reduced[dim] = true;
  Value zero = b_.constant(0), one = b_.constant(1);

  const ReduceKind kind(op);
  const bool tree = kind.inOrder();
  const LineWalk walk = lineWalkOf(op, in.type.getShape(), op.getDims());
  Shape shape;
  shape.note(in.type.getElementType());
  shape.note(out.type.getElementType());
  shape.widestBits = kind.widestBits();
  shape.liveValues = kind.isIndex() ? 8 : 1 + kind.stateSize();
  shape.vectorizable = !tree && tile::variantOf(op) != kScalar;
  if (!tree && walk.along && op.getDims() == ArrayRef<std::int64_t>{rank - 1}) {
    shape.folds = true;
    Split split = splitFor(in.type.getShape(), scope_.teams);
    split.kind = Split::Rows;
    elementwise(
        in, {}, split, shape,
        [](const Lanes&, ArrayRef<Piece> pieces) {
          return llvm::map_to_vector(pieces, [](const Piece& piece) { return piece.values; });
        },
        Fold{kind, 0, out, op.getAccumulate()});
    return success();
  }
  SmallVector<Value> outExtents;
  for (std::int64_t dim = 0; dim < rank; ++dim) outExtents.push_back(reduced[dim] ? one : ranges[dim].high);
  windows_.setValid(out, outExtents);

  const std::int64_t lane = walk.lane;
  const Lanes lanes = planStrips(shape, teams_, in.extent(lane), 1).lanes;
  auto strip = [&](Value remaining) { return b_.vectorLength(remaining, lanes); };
  Type inType = in.type.getElementType(), outType = out.type.getElementType();

  // Ends one result: the old value joins last, one rounding to the output's type.
  auto finish = [&](const Lanes& width, ValueRange state, Value address, Value length) {
    Value stride = out.strideBytes[lane];
    SmallVector<Value> joined(state);
    if (op.getAccumulate())
      joined = kind.combineStored(b_, width, joined, loadLanes(width, address, stride, outType, length));
    storeLanes(width, kind.result(b_, width, joined), address, stride, outType, length);
  };

  // One result (or one strip of results) for the kept position; reduced outer dimensions are loops that carry the
  // state.
  SmallVector<std::int64_t> outerReduced, outerKept;
  for (std::int64_t dim = 0; dim < rank; ++dim)
    if (dim != lane) (reduced[dim] ? outerReduced : outerKept).push_back(dim);

  auto overReduced = [&](SmallVector<Value>& position, const SmallVector<Value>& state,
                         function_ref<SmallVector<Value>(ValueRange)> body) {
    std::function<SmallVector<Value>(std::size_t, ValueRange)> nest = [&](std::size_t level, ValueRange carried) {
      if (level == outerReduced.size()) return body(carried);
      const std::int64_t dim = outerReduced[level];
      return b_.loop(ranges[dim].low, ranges[dim].high, one, carried, [&](Value index, ValueRange inside) {
        position[dim] = index;
        return nest(level + 1, inside);
      });
    };
    return nest(0, state);
  };

  // 256 chains in private memory, then halves; of a row, or of the elements above each other in `column`.
  auto reduceTree = [&](SmallVector<Value> position, Value column) {
    Value chains = treeChains();
    Type accType = kind.accumulatorType();
    const std::int64_t bytes = storageBytes(accType);
    Value base = LLVM::PtrToIntOp::create(b_, b_.getI64Type(), chains);
    auto chainAddress = [&](Value chain) { return b_.add(base, b_.mul(chain, bytes)); };
    b_.loop(zero, b_.constant(kTreeChains), one,
            [&](Value chain) { storeElement(kind.initial(b_, Lanes{})[0], chainAddress(chain)); });
    overReduced(position, {zero}, [&](ValueRange count) {
      Value row = lineAddress(in, position);
      auto fold = [&](Value i, ValueRange counted) {
        Value value = loadElement(b_.add(row, b_.mul(i, in.strideBytes[lane])), inType);
        Value address = chainAddress(b_.remUnsigned(counted[0], kTreeChains));
        SmallVector<Value> folded =
            kind.combine(b_, Lanes{}, {loadElement(address, accType)}, kind.widen(b_, Lanes{}, value), Value());
        storeElement(folded[0], address);
        return SmallVector<Value>{b_.add(counted[0], 1)};
      };
      return column ? fold(column, count) : b_.loop(ranges[lane].low, ranges[lane].high, one, count, fold);
    });
    for (std::int64_t half = kTreeChains / 2; half >= 1; half /= 2)
      b_.loop(zero, b_.constant(half), one, [&](Value chain) {
        Value address = chainAddress(chain);
        SmallVector<Value> folded = kind.combine(b_, Lanes{}, {loadElement(address, accType)},
                                                 loadElement(chainAddress(b_.add(chain, half)), accType), Value());
        storeElement(folded[0], address);
      });
    Value address = lineAddress(out, position);
    if (column) address = b_.add(address, b_.mul(column, out.strideBytes[lane]));
    finish(Lanes{}, {loadElement(base, accType)}, address, Value());
  };

  // Lines; those along the innermost dimension alone are folded by the element-wise walk.
  auto reduceRow = [&](SmallVector<Value> position) {
    Value low = ranges[lane].low, high = ranges[lane].high;
    SmallVector<Value> state = overReduced(position, kind.initial(b_, lanes), [&](ValueRange carried) {
      Value row = lineAddress(in, position);
      Value stride = in.strideBytes[lane];
      if (lanes.scalar())
        return b_.loop(low, high, one, carried, [&](Value i, ValueRange inside) {
          Value value = kind.widen(b_, lanes, loadElement(b_.add(row, b_.mul(i, stride)), inType));
          return kind.combine(b_, lanes, inside, value, kind.isIndex() ? i : Value());
        });
      return b_.loopWhile(low, high, carried, [&](Value i, ValueRange inside, Value& step) {
        Value length = strip(b_.sub(high, i));
        step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
        Value value = kind.widen(b_, lanes, loadLanes(lanes, b_.add(row, b_.mul(i, stride)), stride, inType, length));
        Value index = kind.isIndex() ? kind.laneIndices(b_, lanes, i, /*ascending=*/true) : Value();
        SmallVector<Value> next = kind.combine(b_, lanes, inside, value, index);
        // Lanes past the end keep what they have.
        for (auto [old, value] : llvm::zip_equal(inside, next))
          value = b_.intrinsic(old.getType(), "llvm.vp.merge", {lanes.allTrue(b_), value, old, length});
        return next;
      });
    });
    if (!lanes.scalar()) state = kind.acrossLanes(b_, lanes, state);
    finish(Lanes{}, state, lineAddress(out, position), Value());
  };

  auto reduceColumns = [&](SmallVector<Value> position, Value low, Value high) {
    auto column = [&](Value i, Value length) {
      SmallVector<Value> state = overReduced(position, kind.initial(b_, lanes), [&](ValueRange carried) {
        Value address = b_.add(lineAddress(in, position), b_.mul(i, in.strideBytes[lane]));
        Value value = kind.widen(b_, lanes, loadLanes(lanes, address, in.strideBytes[lane], inType, length));
        Value index = kind.isIndex() ? position[op.getDims().front()] : Value();
        if (index && !lanes.scalar()) index = kind.laneIndices(b_, lanes, index, false);
        return kind.combine(b_, lanes, carried, value, index);
      });
      SmallVector<Value> outPosition = position;
      for (std::int64_t dim : outerReduced) outPosition[dim] = Value();
      finish(lanes, state, b_.add(lineAddress(out, outPosition), b_.mul(i, out.strideBytes[lane])), length);
    };
    if (tree) return b_.loop(low, high, one, [&](Value i) { reduceTree(position, i); });
    if (lanes.scalar()) return b_.loop(low, high, one, [&](Value i) { column(i, Value()); });
    b_.loopWhile(low, high, {}, [&](Value i, ValueRange, Value& step) {
      Value length = strip(b_.sub(high, i));
      column(i, length);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      return SmallVector<Value>{};
    });
  };
  // Lines are shared by number where lanes run along them, else by lanes.
  Value columnLow = ranges[lane].low, columnHigh = ranges[lane].high;
  if (!walk.along) {
    const auto [low, high] = share(in.extent(lane), walk.granule);
    columnLow = b_.max(columnLow, low);
    columnHigh = b_.min(columnHigh, high);
  }
  auto each = [&](SmallVector<Value> position) {
    if (walk.along && tree)
      reduceTree(std::move(position), Value());
    else if (walk.along)
      reduceRow(std::move(position));
    else
      reduceColumns(std::move(position), columnLow, columnHigh);
  };
  forEachPosition(in, outerKept, ranges, /*shared=*/walk.along, each);
  return success();
}

}  // namespace forerun::backends::accelerator
