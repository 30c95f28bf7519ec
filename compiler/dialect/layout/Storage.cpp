//===- Storage.cpp - packing and banks -------------------------------------===//
// Multiplies and divides the coordinates of one axis.
#include "compiler/dialect/layout/Storage.h"

#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace forerun::layout {

namespace {

llvm::Error checkCount(const Layout& layout, std::int64_t count) {
  if (count < 1) return llvm::createStringError("expected a positive count, found " + llvm::Twine(count));
  if (layout.swizzle() && !llvm::isPowerOf2_64(static_cast<std::uint64_t>(count)))
    return llvm::createStringError("a swizzled layout is packed by powers of two, found " + llvm::Twine(count));
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<Layout> unpack(const Layout& layout, std::int64_t count) {
  if (llvm::Error error = checkCount(layout, count)) return error;
  Iterators shard(layout.shard()), replicas(layout.replicas());
  llvm::SmallVector<Coordinate, 4> offset(layout.offset());
  const auto grow = [&](Axis axis, std::int64_t& value) {
    if (axis == Axis()) value = multiply(value, count);
  };
  for (Iterator& iterator : shard) grow(iterator.axis, iterator.stride);
  for (Iterator& iterator : replicas) grow(iterator.axis, iterator.stride);
  for (Coordinate& coordinate : offset) grow(coordinate.axis, coordinate.value);
  shard.push_back({count, 1, Axis()});
  std::optional<Swizzle> swizzle = layout.swizzle();
  if (swizzle) swizzle->base += llvm::Log2_64(static_cast<std::uint64_t>(count));
  return Layout::make(canonicalShard(shard), std::move(replicas), offset, swizzle);
}

llvm::Expected<Layout> pack(const Layout& layout, std::int64_t count) {
  if (llvm::Error error = checkCount(layout, count)) return error;
  if (count == 1) return layout;
  Iterators shard = canonicalShard(layout.shard());
  if (shard.empty() || shard.back().axis != Axis() || shard.back().stride != 1 || shard.back().extent % count != 0)
    return llvm::createStringError(
        "expected " + llvm::Twine(count) +
        " neighbouring elements of m innermost, to become one; the innermost run is another");
  shard.back().extent /= count;
  shard.back().stride = count;
  bool divides = true;
  const auto shrink = [&](Axis axis, std::int64_t& value) {
    if (axis != Axis()) return;
    divides &= value % count == 0;
    value /= count;
  };
  Iterators replicas(layout.replicas());
  llvm::SmallVector<Coordinate, 4> offset(layout.offset());
  for (Iterator& iterator : shard) shrink(iterator.axis, iterator.stride);
  for (Iterator& iterator : replicas) shrink(iterator.axis, iterator.stride);
  for (Coordinate& coordinate : offset) shrink(coordinate.axis, coordinate.value);
  if (!divides)
    return llvm::createStringError("expected strides and offset on m in multiples of " + llvm::Twine(count) +
                                   "; some element of the packed layout would begin within a unit");
  std::optional<Swizzle> swizzle = layout.swizzle();
  if (swizzle) {
    const unsigned bits = llvm::Log2_64(static_cast<std::uint64_t>(count));
    if (swizzle->base < bits)
      return llvm::createStringError("the swizzle moves single elements of a unit of " + llvm::Twine(count) +
                                     "; expected a base of at least " + llvm::Twine(bits));
    swizzle->base -= bits;
  }
  return Layout::make(canonicalShard(shard), std::move(replicas), offset, swizzle);
}

llvm::Expected<Layout> splitAxis(const Layout& layout, Axis axis, std::int64_t size, Axis coarse) {
  if (size < 1) return llvm::createStringError("expected pieces of a positive size, found " + llvm::Twine(size));
  if (layout.swizzle()) return llvm::createStringError("expected a layout without a swizzle; split before swizzling");
  if (llvm::is_contained(layout.axes(), coarse))
    return llvm::createStringError("axis '" + coarse.name() + "' is in use already; name another for the pieces");
  const auto straddles = [&](const llvm::Twine& what) {
    return llvm::createStringError(what + " on axis '" + axis.name() + "' straddles pieces of " + llvm::Twine(size) +
                                   "; expected runs that lie in one piece or fill whole ones");
  };
  std::int64_t fineReach = 0;
  const auto split = [&](llvm::ArrayRef<Iterator> from, Iterators& to) -> llvm::Error {
    for (const Iterator& i : from) {
      if (i.axis != axis || i.extent == 1 || i.stride == 0) {
        to.push_back(i);
      } else if (i.stride % size == 0) {
        to.push_back({i.extent, i.stride / size, coarse});
      } else if (i.stride > 0 && size % i.stride == 0 && i.extent > size / i.stride) {
        const std::int64_t whole = size / i.stride;
        if (i.extent % whole != 0) return straddles("iterator " + llvm::Twine(i.extent) + ":" + llvm::Twine(i.stride));
        to.push_back({i.extent / whole, 1, coarse});
        to.push_back({whole, i.stride, axis});
        fineReach = add(fineReach, size - i.stride);
      } else if (i.stride > 0) {
        to.push_back(i);
        fineReach = add(fineReach, (i.extent - 1) * i.stride);
      } else {
        return straddles("falling iterator " + llvm::Twine(i.extent) + ":" + llvm::Twine(i.stride));
      }
    }
    return llvm::Error::success();
  };
  Iterators shard, replicas;
  if (llvm::Error error = split(canonicalShard(layout.shard()), shard)) return error;
  if (llvm::Error error = split(layout.replicas(), replicas)) return error;
  Point offset(layout.offset());
  const std::int64_t from = layout.offset(axis), coarseOffset = llvm::divideFloorSigned(from, size);
  offset.set(axis, from - coarseOffset * size);
  offset.set(coarse, coarseOffset);
  if (add(offset.get(axis), fineReach) >= size) return straddles("the sum of the runs");
  return Layout::make(std::move(shard), std::move(replicas), offset.coordinates());
}

}  // namespace forerun::layout
