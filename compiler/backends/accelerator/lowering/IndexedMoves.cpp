//===- IndexedMoves.cpp - gathers, scatters and histograms on the harts ----===//
// An index for a whole row moves the row's strips; indices in lanes become indexed loads and stores. What might meet at
// one element stays with one team, in order.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/backends/lowering/ReduceKinds.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// Elements are moved as integers: any vector unit moves those.
Type bitsOf(Type element) { return IntegerType::get(element.getContext(), storageBytes(element) * 8); }

}  // namespace

Value KernelLowering::lanePointers(const Lanes& lanes, Value base, ArrayRef<std::pair<Value, Value>> terms) {
  Value addresses = lanes.spread(b_, base);
  for (auto [index, strideBytes] : terms)
    addresses = arith::AddIOp::create(
        b_, addresses, arith::MulIOp::create(b_, lanes.spread(b_, index), lanes.spread(b_, strideBytes)));
  return LLVM::IntToPtrOp::create(b_, lanes.of(LLVM::LLVMPointerType::get(b_.getContext())), addresses);
}

Value KernelLowering::gatherLanes(const Lanes& lanes, Value pointers, Type bits, Value mask, Value length) {
  return b_.intrinsic(lanes.of(bits), "llvm.vp.gather", {pointers, mask, length ? length : lanes.count(b_)});
}

void KernelLowering::scatterLanes(const Lanes& lanes, Value value, Value pointers, Value mask, Value length) {
  LLVM::CallIntrinsicOp::create(b_, b_.getStringAttr("llvm.vp.scatter"),
                                ValueRange{value, pointers, mask, length ? length : lanes.count(b_)});
}

Value KernelLowering::indexWithin(const Lanes& width, Value index, const Range& range) {
  Value high = width.spread(b_, range.high);
  Value inside = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, index, high);  // also of what is negative
  if (constantOf(range.low) == 0) return inside;
  Value low = width.spread(b_, range.low);
  return arith::AndIOp::create(b_, inside, arith::CmpIOp::create(b_, arith::CmpIPredicate::sge, index, low));
}

LogicalResult KernelLowering::emitGather(tile::GatherOp op) {
  if (byEngine(op)) return emitDmaGather(op);
  settle(accessesOf(op, scope_.teams));
  const Window src = window(op.getSrc()), indices = window(op.getIndices()), out = window(op.getOutput());
  const auto dim = static_cast<std::int64_t>(op.getDim());
  SmallVector<Range> source = windows_.validRanges(src), limits = source;
  limits[dim] = {};
  for (std::int64_t d = 0; d < src.rank(); ++d)
    if (d != dim && constantOf(source[d].low) != 0)
      return unsupported(op, "a source that may overhang a low edge other than along the indices; slice it from 0 on");
  Type element = out.type.getElementType(), bits = bitsOf(element);
  const Split split = splitOf(op, out.type.getShape(), scope_.teams);
  const std::int64_t inner = split.lane();
  const bool perLane = tile::variantOf(op) == kIndexed;
  Shape shape;
  shape.note(bits);
  shape.note(indices.type.getElementType());
  if (perLane) shape.note(b_.getI64Type());  // addresses
  shape.liveValues = 3;
  shape.vectorizable = tile::variantOf(op) != kScalar;

  auto moved = [&](const Lanes& lanes, const Piece& piece) -> Value {
    const Lanes width = perLane ? lanes : Lanes{};
    Value index = width.spread(b_, piece.values[0]);
    if (getElementTypeOrSelf(index.getType()) != b_.getI64Type())
      index = arith::ExtSIOp::create(b_, width.of(b_.getI64Type()), index);
    Value inside = indexWithin(width, index, source[dim]);
    SmallVector<Value> position = piece.position;
    position[dim] = Value();
    Value zero = lanes.constant(b_, b_.getIntegerAttr(bits, 0));
    if (perLane && !lanes.scalar()) {
      SmallVector<std::pair<Value, Value>> terms{{index, src.strideBytes[dim]}};
      if (inner != dim) {
        position[inner] = Value();
        terms.push_back({laneIndices(lanes, piece, b_.getI64Type()), src.strideBytes[inner]});
      }
      Value pointers = lanePointers(lanes, lineAddress(src, position), terms);
      return arith::SelectOp::create(b_, inside, gatherLanes(lanes, pointers, bits, inside, piece.length), zero);
    }
    Value address = b_.add(lineAddress(src, position), b_.mul(index, src.strideBytes[dim]));
    if (lanes.scalar() || inner == dim) {
      Value none = arith::ConstantOp::create(b_, b_.getIntegerAttr(bits, 0));
      return b_.when(inside, none, [&] { return SmallVector<Value>{loadElement(address, bits)}; })[0];
    }
    Value length = arith::SelectOp::create(b_, inside, piece.length ? piece.length : lanes.count(b_), b_.constant32(0));
    Value loaded = loadLanes(lanes, address, src.strideBytes[inner], bits, length);
    return arith::SelectOp::create(b_, lanes.splat(b_, inside), loaded, zero);
  };
  elementwise(
      indices, out, split, shape,
      [&](const Lanes& lanes, ArrayRef<Piece> pieces) {
        return llvm::map_to_vector(pieces, [&](const Piece& piece) {
          Value value = moved(lanes, piece);
          if (element.isInteger(1)) {
            const Lanes width = llvm::isa<VectorType>(value.getType()) ? lanes : Lanes{};
            value = arith::TruncIOp::create(b_, width.of(element), value);
          }
          return SmallVector<Value>{value};
        });
      },
      {}, limits);
  return success();
}

LogicalResult KernelLowering::emitScatter(tile::ScatterOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window src = window(op.getSrc()), indices = window(op.getIndices()), dst = window(op.getDst());
  const auto dim = static_cast<std::int64_t>(op.getDim());
  const SmallVector<Range> target = windows_.validRanges(dst);
  SmallVector<Range> ranges = windows_.validRanges(src);
  auto intersect = [&](std::int64_t d, const Range& limit) {
    ranges[d].low = b_.max(ranges[d].low, limit.low);
    ranges[d].high = b_.min(ranges[d].high, limit.high);
  };
  const SmallVector<Range> known = windows_.validRanges(indices);
  for (std::int64_t d = 0; d < src.rank(); ++d) {
    if (indices.broadcasts(src.type.getShape(), d))
      ranges[d].high = windows_.whereAny(known[d].high, ranges[d].high);
    else
      intersect(d, known[d]);
    if (d != dim) intersect(d, target[d]);
  }

  Type element = dst.type.getElementType(), moved = op.getKind() ? element : bitsOf(element);
  Type indexType = indices.type.getElementType(), i64 = b_.getI64Type();
  const LinePlan plan = planLines(op, src, dim, ranges);
  const std::int64_t inner = plan.lane;
  const bool perLane = !plan.alongLine && indices.extent(inner) != 1;
  std::optional<ReduceKind> kind;
  if (op.getKind()) kind.emplace(*op.getKind(), element, element);
  Shape shape;
  shape.note(moved);
  if (kind) shape.widestBits = std::max(shape.widestBits, kind->widestBits());
  if (perLane) shape.note(i64);
  shape.liveValues = 4;
  const Lanes lanes = plan.alongLine ? Lanes{} : planStrips(shape, teams_, src.extent(inner), 1).lanes;
  auto combined = [&](const Lanes& width, Value old, Value value) {
    return kind->narrow(b_, width, kind->join(b_, kind->widen(b_, width, old), kind->widen(b_, width, value)));
  };
  auto wide = [&](const Lanes& width, Value index) -> Value {
    return indexType == i64 ? index : arith::ExtSIOp::create(b_, width.of(i64), index);
  };

  // One element after the other along `dim`; where rows are wide, strips of them.
  auto moveStrip = [&](SmallVector<Value> position, Value length) {
    b_.loop(ranges[dim].low, ranges[dim].high, b_.constant(1), [&](Value i) {
      position[dim] = i;
      const Value from = lineAddress(src, position), where = lineAddress(indices, position);
      SmallVector<Value> base = position;
      base[dim] = Value();
      Value to = lineAddress(dst, base), stride = dst.strideBytes[dim];
      if (perLane && !lanes.scalar()) {
        Value index = wide(lanes, loadLanes(lanes, where, indices.strideBytes[inner], indexType, length));
        Value inside = indexWithin(lanes, index, target[dim]);
        Value step = LLVM::StepVectorOp::create(b_, lanes.of(i64));
        Value pointers = lanePointers(lanes, to, {{index, stride}, {step, dst.strideBytes[inner]}});
        Value value = loadLanes(lanes, from, src.strideBytes[inner], moved, length);
        if (kind) value = combined(lanes, gatherLanes(lanes, pointers, moved, inside, length), value);
        return scatterLanes(lanes, value, pointers, inside, length);
      }
      Value index = wide(Lanes{}, loadElement(where, indexType));
      b_.when(indexWithin(Lanes{}, index, target[dim]), [&] {
        Value place = b_.add(to, b_.mul(index, stride));
        Value value = loadLanes(lanes, from, src.strideBytes[inner], moved, length);
        if (kind) value = combined(lanes, loadLanes(lanes, place, dst.strideBytes[inner], moved, length), value);
        storeLanes(lanes, value, place, dst.strideBytes[inner], moved, length);
      });
    });
  };
  forEachPosition(src, plan.others, ranges, /*shared=*/plan.alongLine, [&](SmallVector<Value> position) {
    if (plan.alongLine) return moveStrip(std::move(position), Value());
    forEachColumnStrip(plan, lanes, [&](Value column, Value length) {
      position[inner] = column;
      moveStrip(position, length);
    });
  });
  return success();
}

LogicalResult KernelLowering::emitHistogram(tile::HistogramOp op) {
  settle(accessesOf(op, scope_.teams));
  const Window in = window(op.getInput()), out = window(op.getOutput());
  const Range bins = windows_.validRanges(out)[0];
  Type element = in.type.getElementType();
  Shape shape;
  shape.note(element);
  shape.vectorizable = false;  // equal values in neighbouring lanes would be counted once
  shape.scalarsAtOnce = 8;     // as many as hide the latency of their loads
  elementwise(in, {}, splitFor(in.type.getShape(), scope_.teams), shape, [&](const Lanes&, ArrayRef<Piece> pieces) {
    for (const Piece& piece : pieces) {
      Value value = piece.values[0];
      if (element != b_.getI64Type()) value = arith::ExtUIOp::create(b_, b_.getI64Type(), value);
      b_.when(indexWithin(Lanes{}, value, bins), [&] {
        // Other teams count, too.
        Value address = b_.add(out.address, b_.mul(value, out.strideBytes[0]));
        LLVM::AtomicRMWOp::create(b_, LLVM::AtomicBinOp::add, b_.pointer(address), b_.constant32(1),
                                  LLVM::AtomicOrdering::monotonic);
      });
    }
    return SmallVector<SmallVector<Value>>(pieces.size());
  });
  return success();
}

}  // namespace forerun::backends::accelerator
