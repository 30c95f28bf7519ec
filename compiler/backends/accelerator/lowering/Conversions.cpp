//===- Conversions.cpp - casts, fills and transposes on the harts -----------===//
// What moves or converts elements between on-chip buffers; see Elementwise.cpp for the walk.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

LogicalResult KernelLowering::emitConversion(Operation* op, Value src, Value dst) {
  settle(accessesOf(op, scope_.teams));
  const Window from = window(src), to = window(dst);
  Type fromType = from.type.getElementType(), toType = to.type.getElementType();
  if (failed(checkConversion(op, fromType, toType))) return failure();
  Shape shape;
  shape.vectorizable = tile::variantOf(op) != kScalar;
  shape.note(fromType);
  shape.note(toType);
  elementwise(from, to, splitOf(op, to.type.getShape(), scope_.teams), shape,
              [&](const Lanes& lanes, ArrayRef<Piece> pieces) {
                return llvm::map_to_vector(pieces, [&](const Piece& piece) {
                  return SmallVector<Value>{convert(b_, lanes, lanes.spread(b_, piece.values[0]), fromType, toType)};
                });
              });
  return success();
}

LogicalResult KernelLowering::emitFill(tile::FillOp op) {
  if (byEngine(op)) return emitDmaFill(op);
  settle(accessesOf(op, scope_.teams));
  Window to = window(op.getDst());
  windows_.setValid(to, to.extents);
  to.whole = true;  // a partial window is written whole as well; its buffer's extents stay
  to.filled = true;
  Shape shape;
  shape.vectorizable = tile::variantOf(op) != kScalar;
  shape.note(to.type.getElementType());
  elementwise({}, to, splitOf(op, to.type.getShape(), scope_.teams), shape, [&](const Lanes&, ArrayRef<Piece> pieces) {
    return SmallVector<SmallVector<Value>>(pieces.size(), {scalar(op.getValue())});
  });
  return success();
}

LogicalResult KernelLowering::emitTranspose(tile::TransposeOp op) {
  if (byEngine(op)) return emitDmaCopy(op, op.getSrc(), op.getDst(), op.getPermutation());
  settle(accessesOf(op, scope_.teams));
  // The source as the destination walks it: the same bytes with permuted strides.
  const Window original = window(op.getSrc()), to = window(op.getDst());
  const SmallVector<Range> ranges = windows_.validRanges(original);
  Window from = original;
  Buffer view = *original.buffer;
  from.globalHigh.clear();
  from.globalLow.clear();
  for (auto [dim, source] : llvm::enumerate(op.getPermutation())) {
    from.strideBytes[dim] = original.strideBytes[source];
    from.extents[dim] = original.extents[source];
    from.globalHigh.push_back(ranges[source].high);
    from.globalLow.push_back(Value());
  }
  from.type = tile::BufferType::get(to.type.getShape(), original.type.getElementType(), tile::Space::Global);
  view.type = from.type;  // valid ranges as listed above, not from the buffer's record
  from.buffer = &view;
  if (tile::variantOf(op) == kWords) {
    transposeByWords(from, to);
    return success();
  }
  Shape shape;
  shape.vectorizable = tile::variantOf(op) != kScalar;
  shape.note(to.type.getElementType());
  elementwise(from, to, splitOf(op, to.type.getShape(), scope_.teams), shape, [](const Lanes&, ArrayRef<Piece> pieces) {
    return llvm::map_to_vector(pieces, [](const Piece& piece) { return piece.values; });
  });
  return success();
}

LogicalResult KernelLowering::checkConversion(Operation* op, Type from, Type to) {
  if (from != to && (tile::isSmallFloat(from) || tile::isSmallFloat(to)))
    return unsupported(op, "a conversion of 8-bit floats from this memory; copy to scratch as f32 and convert there");
  auto wide = [](Type type) { return type.isInteger(32) || type.isInteger(64); };
  const bool twice = (to.isBF16() && (wide(from) || from.isF64())) || (to.isF16() && from.isInteger(64));
  if (!twice) return success();
  std::string text;
  llvm::raw_string_ostream(text) << "LLVM rounds " << from << " to " << to
                                 << " twice on RISC-V; convert to f32 first if that rounding is what you want";
  return unsupported(op, text);
}

}  // namespace forerun::backends::accelerator
