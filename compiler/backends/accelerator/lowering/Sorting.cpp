//===- Sorting.cpp - sorts and top-k on the harts ---------------------------===//
// Elements become signed integers of their width that compare alike. A sort is Batcher's network, which asks for the
// same comparisons whatever the data; top-k looks for the next element as often as it is told.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// Between elements and keys, whose signed order is the order asked for: NaNs, all the same, come last in ascending
/// order.
class Keys {
 public:
  Keys(Type element, bool descending) : element_(element), descending_(descending) {
    type_ = IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  }
  Type type() const { return type_; }

  Value fromElement(Emit& b, const Lanes& lanes, Value bits) const {
    Value key = bits;
    if (auto floating = llvm::dyn_cast<FloatType>(element_)) {
      const llvm::fltSemantics& semantics = floating.getFloatSemantics();
      const APInt last =
          (APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics) : APFloat::getLargest(semantics))
              .bitcastToAPInt();
      Value magnitude = arith::AndIOp::create(b, bits, constant(b, lanes, greatest()));
      Value isNan = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, constant(b, lanes, last));
      key = arith::SelectOp::create(b, isNan, constant(b, lanes, greatest()), flipNegative(b, lanes, bits));
    }
    return descending_ ? flip(b, lanes, key) : key;
  }
  Value toElement(Emit& b, const Lanes& lanes, Value key) const {
    if (descending_) key = flip(b, lanes, key);
    return llvm::isa<FloatType>(element_) ? flipNegative(b, lanes, key) : key;
  }
  Value constant(Emit& b, const Lanes& lanes, const APInt& value) const {
    return lanes.constant(b, IntegerAttr::get(type_, value));
  }
  APInt greatest() const { return APInt::getSignedMaxValue(type_.getWidth()); }
  APInt least() const { return APInt::getSignedMinValue(type_.getWidth()); }

 private:
  Value flip(Emit& b, const Lanes& lanes, Value key) const {
    return arith::XOrIOp::create(b, key, constant(b, lanes, APInt::getAllOnes(type_.getWidth())));
  }
  /// Negative numbers ascend where their bits, as signed integers, descend.
  Value flipNegative(Emit& b, const Lanes& lanes, Value bits) const {
    Value sign = arith::ShRSIOp::create(b, bits, constant(b, lanes, APInt(type_.getWidth(), type_.getWidth() - 1)));
    Value mask = arith::AndIOp::create(b, sign, constant(b, lanes, greatest()));
    return arith::XOrIOp::create(b, bits, mask);
  }

  Type element_;
  IntegerType type_;
  bool descending_;
};

/// Whether key a with position i comes before key b with position j; null positions: by keys alone.
Value comesBefore(Emit& b, Value keyA, Value positionA, Value keyB, Value positionB) {
  Value before = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, keyA, keyB);
  if (!positionA) return before;
  Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, keyA, keyB);
  Value earlier = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, positionA, positionB);
  return arith::OrIOp::create(b, before, arith::AndIOp::create(b, same, earlier));
}

}  // namespace

LogicalResult KernelLowering::emitSort(tile::SortOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window in = window(op.getInput());
  std::vector<Window> outs;
  for (Value output : op.getOutputs()) outs.push_back(window(output));
  const SmallVector<Range> ranges = windows_.elementwiseRanges(in, outs);
  const auto dim = static_cast<std::int64_t>(op.getDim());
  const Keys keys(in.type.getElementType(), op.getDescending());
  // What is exchanged: keys, and positions where they are asked for.
  struct Column {
    const Window* window;
    Type type;
  };
  SmallVector<Column> columns{{&outs[0], keys.type()}};
  if (outs.size() > 1) columns.push_back({&outs[1], outs[1].type.getElementType()});
  Shape shape;
  for (const Column& column : columns) shape.note(column.type);
  shape.liveValues = 2 * static_cast<unsigned>(columns.size()) + 1;
  const LinePlan plan = planLines(op, in, dim, ranges);
  const Lanes lanes = planStrips(shape, teams_, in.extent(plan.lane), 1).lanes;
  Value zero = b_.constant(0), one = b_.constant(1), count = b_.sub(ranges[dim].high, ranges[dim].low);
  const std::int64_t laneDim = plan.lane;

  auto load = [&](const Column& column, Value address, Value length) {
    return loadLanes(lanes, address, column.window->strideBytes[laneDim], column.type, length);
  };
  /// Puts the pairs (low, high) of elements in order where `mask` has a lane (null: everywhere).
  auto exchange = [&](ArrayRef<Value> lowAddress, ArrayRef<Value> highAddress, Value mask, Value length) {
    SmallVector<Value> low, high;
    for (auto [number, column] : llvm::enumerate(columns)) {
      low.push_back(load(column, lowAddress[number], length));
      high.push_back(load(column, highAddress[number], length));
    }
    const bool positions = columns.size() > 1;
    Value swap = comesBefore(b_, high[0], positions ? high[1] : Value(), low[0], positions ? low[1] : Value());
    for (auto [number, column] : llvm::enumerate(columns)) {
      Value stride = column.window->strideBytes[laneDim];
      Value least = arith::SelectOp::create(b_, swap, high[number], low[number]);
      Value most = arith::SelectOp::create(b_, swap, low[number], high[number]);
      storeLanes(lanes, least, lowAddress[number], stride, column.type, length, mask);
      storeLanes(lanes, most, highAddress[number], stride, column.type, length, mask);
    }
  };
  // Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2 M): for p = 2^(t-1) ... 1 compare i with
  // i + d where bit p of i is that of r; d = p and r = 0 at first, then r = p and d = q - p for q = 2^(t-1) ... 2p.
  const std::int64_t stages = llvm::Log2_64_Ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(in.extent(dim), 1)));
  auto network = [&](function_ref<void(Value p, Value r, Value d)> compare) {
    b_.loop(zero, b_.constant(stages), one, [&](Value stage) {
      Value p = arith::ShLIOp::create(b_, one, b_.sub(b_.constant(stages - 1), stage));
      b_.loop(zero, b_.add(stage, 1), one, [&](Value step) {
        Value isFirst = b_.equal(step, zero);
        Value q = arith::ShLIOp::create(b_, one, b_.sub(b_.constant(stages), step));
        Value d = arith::SelectOp::create(b_, isFirst, p, b_.sub(q, p));
        compare(p, arith::SelectOp::create(b_, isFirst, zero, p), d);
      });
    });
  };
  auto matches = [&](Value index, Value p, Value r) {
    return arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, arith::AndIOp::create(b_, index, p), r);
  };

  // One line, or lanes of lines side by side: `addresses` of its first elements in the columns.
  auto sortLine = [&](Value source, ArrayRef<Value> addresses, Value length) {
    auto at = [&](Value index) {
      SmallVector<Value> result;
      for (auto [column, address] : llvm::zip_equal(columns, addresses))
        result.push_back(b_.add(address, b_.mul(index, column.window->strideBytes[dim])));
      return result;
    };
    // Strips along a line, or its elements one by one; `length` of the strip.
    auto overLine = [&](Value end, function_ref<void(Value, Value)> body) {
      if (!plan.alongLine || lanes.scalar()) return b_.loop(zero, end, one, [&](Value i) { body(i, length); });
      b_.loopWhile(zero, end, {}, [&](Value i, ValueRange, Value& step) {
        Value own = b_.vectorLength(b_.sub(end, i), lanes);
        body(i, own);
        step = arith::ExtUIOp::create(b_, b_.getI64Type(), own);
        return SmallVector<Value>{};
      });
    };
    const bool strips = plan.alongLine && !lanes.scalar();
    overLine(count, [&](Value i, Value own) {
      const SmallVector<Value> to = at(i);
      Value bits =
          loadLanes(lanes, b_.add(source, b_.mul(i, in.strideBytes[dim])), in.strideBytes[laneDim], keys.type(), own);
      storeLanes(lanes, keys.fromElement(b_, lanes, bits), to[0], outs[0].strideBytes[laneDim], keys.type(), own);
      if (columns.size() == 1) return;
      Type type = columns[1].type;
      Value position = b_.add(i, ranges[dim].low);
      if (!type.isInteger(64)) position = b_.createOrFold<arith::TruncIOp>(type, position);
      position = lanes.spread(b_, position);
      if (strips) position = arith::AddIOp::create(b_, position, LLVM::StepVectorOp::create(b_, lanes.of(type)));
      storeLanes(lanes, position, to[1], outs[1].strideBytes[laneDim], type, own);
    });
    network([&](Value p, Value r, Value d) {
      Value end = b_.sub(count, d);
      overLine(end, [&](Value i, Value own) {
        if (!strips) return b_.when(matches(i, p, r), [&] { exchange(at(i), at(b_.add(i, d)), Value(), own); });
        // A strip compares where the bit is right: no element is in two of its pairs.
        Type narrow = b_.getI32Type();
        auto low = [&](Value value) { return lanes.splat(b_, arith::TruncIOp::create(b_, narrow, value)); };
        Value index = arith::AddIOp::create(b_, low(i), LLVM::StepVectorOp::create(b_, lanes.of(narrow)));
        exchange(at(i), at(b_.add(i, d)), matches(index, low(p), low(r)), own);
      });
    });
    overLine(count, [&](Value i, Value own) {
      Value address = at(i)[0];
      storeLanes(lanes, keys.toElement(b_, lanes, load(columns[0], address, own)), address,
                 outs[0].strideBytes[laneDim], keys.type(), own);
    });
  };
  forEachPosition(in, plan.others, ranges, /*shared=*/plan.alongLine, [&](SmallVector<Value> position) {
    position[dim] = ranges[dim].low;
    auto line = [&](Value length) {
      const SmallVector<Value> addresses =
          llvm::map_to_vector(columns, [&](const Column& column) { return lineAddress(*column.window, position); });
      sortLine(lineAddress(in, position), addresses, length);
    };
    if (plan.alongLine) return line(Value());
    forEachColumnStrip(plan, lanes, [&](Value column, Value length) {
      position[plan.lane] = column;
      line(length);
    });
  });
  return success();
}

LogicalResult KernelLowering::emitTopk(tile::TopkOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window in = window(op.getInput());
  std::vector<Window> outs;
  for (Value output : op.getOutputs()) outs.push_back(window(output));
  const auto dim = static_cast<std::int64_t>(op.getDim());
  SmallVector<Range> ranges = windows_.validRanges(in);
  SmallVector<Value> written;
  for (const Window& out : outs) {
    const SmallVector<Range> writable = windows_.writableRanges(out);
    for (std::int64_t d = 0; d < in.rank(); ++d)
      if (d != dim) ranges[d] = {b_.max(ranges[d].low, writable[d].low), b_.min(ranges[d].high, writable[d].high)};
  }
  Value length = b_.sub(ranges[dim].high, ranges[dim].low);
  Value kept = b_.max(b_.constant(0), b_.min(b_.constant(outs[0].extent(dim)), length));
  for (std::int64_t d = 0; d < in.rank(); ++d) written.push_back(d == dim ? kept : ranges[d].high);
  for (const Window& out : outs) windows_.setValid(out, written);

  const Keys keys(in.type.getElementType(), op.getDescending());
  Type positionType = b_.getI32Type();
  Shape shape;
  shape.note(keys.type());
  shape.note(positionType);
  shape.liveValues = 5;
  const LinePlan plan = planLines(op, in, dim, ranges);
  const std::int64_t laneDim = plan.lane;
  const Lanes lanes = planStrips(shape, teams_, in.extent(laneDim), 1).lanes;
  Value zero = b_.constant(0), one = b_.constant(1);
  // A state is the best key so far and its position; a position past all others stands for none.
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  auto none = [&](const Lanes& width) { return width.constant(b_, b_.getI32IntegerAttr(kNone)); };
  auto initial = [&](const Lanes& width) {
    return SmallVector<Value>{keys.constant(b_, width, keys.greatest()), none(width)};
  };
  // The better of the best and a candidate that comes after `last`, the element found before.
  auto better = [&](ValueRange best, Value key, Value position, ValueRange last) {
    Value after = comesBefore(b_, last[0], last[1], key, position);
    Value take = arith::AndIOp::create(b_, after, comesBefore(b_, key, position, best[0], best[1]));
    return SmallVector<Value>{arith::SelectOp::create(b_, take, key, best[0]),
                              arith::SelectOp::create(b_, take, position, best[1])};
  };
  auto indexOf = [&](Value i) { return b_.createOrFold<arith::TruncIOp>(positionType, b_.add(i, ranges[dim].low)); };
  auto store = [&](const Lanes& width, ValueRange found, ArrayRef<Value> addresses, Value length) {
    storeLanes(width, keys.toElement(b_, width, found[0]), addresses[0], outs[0].strideBytes[laneDim], keys.type(),
               length);
    if (outs.size() == 1) return;
    Type type = outs[1].type.getElementType();
    Value position = found[1];
    if (type != positionType) position = arith::ExtSIOp::create(b_, width.of(type), position);
    storeLanes(width, position, addresses[1], outs[1].strideBytes[laneDim], type, length);
  };
  auto keysAt = [&](const Lanes& width, Value address, Value length) {
    return keys.fromElement(b_, width, loadLanes(width, address, in.strideBytes[laneDim], keys.type(), length));
  };

  auto next = [&](Value source, ValueRange last, Value stripLength) {
    auto inOrder = [&](Value i, ValueRange best) {
      Value key = keysAt(lanes, b_.add(source, b_.mul(i, in.strideBytes[dim])), stripLength);
      return better(best, key, lanes.spread(b_, indexOf(i)), last);
    };
    if (!plan.alongLine || lanes.scalar()) return b_.loop(zero, length, one, initial(lanes), inOrder);
    const SmallVector<Value> lastLanes = llvm::map_to_vector(last, [&](Value value) { return lanes.splat(b_, value); });
    const SmallVector<Value> best =
        b_.loopWhile(zero, length, initial(lanes), [&](Value i, ValueRange best, Value& step) {
          Value own = b_.vectorLength(b_.sub(length, i), lanes);
          step = arith::ExtUIOp::create(b_, b_.getI64Type(), own);
          Value key = keysAt(lanes, b_.add(source, b_.mul(i, in.strideBytes[dim])), own);
          Value position = arith::AddIOp::create(b_, lanes.splat(b_, indexOf(i)),
                                                 LLVM::StepVectorOp::create(b_, lanes.of(positionType)));
          SmallVector<Value> found = better(best, key, position, lastLanes);
          // Lanes past the end keep what they have.
          for (auto [old, value] : llvm::zip_equal(best, found))
            value = b_.intrinsic(old.getType(), "llvm.vp.merge", {lanes.allTrue(b_), value, old, own});
          return found;
        });
    Value key = b_.intrinsic(keys.type(), "llvm.vector.reduce.smin", best[0]);
    Value same = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, best[0], lanes.splat(b_, key));
    Value position = b_.intrinsic(positionType, "llvm.vector.reduce.smin",
                                  arith::SelectOp::create(b_, same, best[1], none(lanes)).getResult());
    return SmallVector<Value>{key, position};
  };
  forEachPosition(in, plan.others, ranges, /*shared=*/plan.alongLine, [&](SmallVector<Value> position) {
    auto line = [&](const Lanes& width, Value stripLength) {
      position[dim] = ranges[dim].low;
      Value source = lineAddress(in, position);
      position[dim] = Value();
      const SmallVector<Value> targets =
          llvm::map_to_vector(outs, [&](const Window& out) { return lineAddress(out, position); });
      // Before the first: what comes before everything.
      SmallVector<Value> last{keys.constant(b_, width, keys.least()), width.constant(b_, b_.getI32IntegerAttr(-1))};
      b_.loop(zero, kept, one, last, [&](Value rank, ValueRange last) {
        const SmallVector<Value> found = next(source, last, stripLength);
        SmallVector<Value> addresses;
        for (auto [out, target] : llvm::zip_equal(outs, targets))
          addresses.push_back(b_.add(target, b_.mul(rank, out.strideBytes[dim])));
        store(width, found, addresses, stripLength);
        return found;
      });
    };
    if (plan.alongLine) return line(Lanes{}, Value());
    forEachColumnStrip(plan, lanes, [&](Value column, Value stripLength) {
      position[plan.lane] = column;
      line(lanes, stripLength);
    });
  });
  return success();
}

}  // namespace forerun::backends::accelerator
