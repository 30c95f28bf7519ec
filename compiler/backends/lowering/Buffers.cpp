//===- Buffers.cpp - what stands behind a buffer value ----------------------===//
// See Buffers.h.
#include "compiler/backends/lowering/Buffers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forerun::backends {

unsigned storageBytes(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

std::int64_t storageBytes(Type element, std::int64_t elements) {
  return tile::isPacked(element) ? (elements + 1) / 2 : elements * storageBytes(element);
}

Value rootOf(Value buffer) {
  while (auto slice = buffer.getDefiningOp<tile::SliceOp>()) buffer = slice.getSource();
  return buffer;
}

namespace {

/// True when `slice` is one whole leading index of its source.
bool isLeadingIndex(tile::SliceOp slice) {
  const tile::BufferType source = slice.getSource().getType(), result = slice.getResult().getType();
  if (source.getRank() != result.getRank() + 1 || !source.isOnChip()) return false;
  const auto origins = slice.getMixedOrigins();
  for (std::int64_t dim = 1; dim < source.getRank(); ++dim)
    if (getConstantIntValue(origins[dim]) != 0 || source.getShape()[dim] != result.getShape()[dim - 1]) return false;
  return true;
}

bool isWhole(tile::SliceOp slice) {
  return slice.getSource().getType().isOnChip() &&
         slice.getSource().getType().getShape() == slice.getResult().getType().getShape();
}

}  // namespace

bool isWholeOrLeadingIndex(Value buffer) {
  auto slice = buffer.getDefiningOp<tile::SliceOp>();
  if (!slice) return true;
  if (isWhole(slice)) return isWholeOrLeadingIndex(slice.getSource());
  return isLeadingIndex(slice) && !slice.getSource().getDefiningOp<tile::SliceOp>();
}

}  // namespace forerun::backends
