//===- Layout.cpp - invariants, sizes and application of layouts -----------===//
// What holds for every layout, and the function that it stands for.
#include "compiler/dialect/layout/Layout.h"

#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <cassert>
#include <string>

namespace forerun::layout {

namespace {

/// Past any sensible tile, small enough that products of a few fit.
llvm::Error checkIterators(llvm::ArrayRef<Iterator> iterators, llvm::StringRef part) {
  std::int64_t size = 1;
  for (const Iterator& iterator : iterators) {
    if (iterator.extent < 1)
      return llvm::createStringError("expected a positive extent in " + part + ", found " +
                                     llvm::Twine(iterator.extent) + "; a layout places at least one element");
    size = multiply(size, iterator.extent);
    if (!withinLimit(size) || !withinLimit(iterator.stride))
      return llvm::createStringError(part + " is too large: extents and strides reach past 2^60; use smaller ones");
  }
  return llvm::Error::success();
}

llvm::Error checkSwizzle(const Layout& layout, const Swizzle& swizzle) {
  if (swizzle.bits < 1 || swizzle.shift < swizzle.bits)
    return llvm::createStringError("swizzle(" + llvm::Twine(swizzle.base) + "," + llvm::Twine(swizzle.bits) + "," +
                                   llvm::Twine(swizzle.shift) +
                                   ") is none: expected bits of at least 1 and a shift of at least as many");
  if (swizzle.base > 59 || swizzle.bits > 59 || swizzle.shift > 59 || swizzle.base + swizzle.bits + swizzle.shift > 59)
    return llvm::createStringError("the swizzle reaches past address bit 59; use smaller numbers");
  for (Axis axis : layout.axes())
    if (axis != Axis())
      return llvm::createStringError("a swizzle permutes addresses, and this layout uses axis '" + axis.name() +
                                     "'; write it over a layout of axis m alone");
  const Range range = layout.linearRange(Axis());
  if (range.low < 0)
    return llvm::createStringError("a swizzle needs addresses from 0, and this layout reaches " +
                                   llvm::Twine(range.low) + "; add an offset");
  return llvm::Error::success();
}

}  // namespace

std::int64_t Point::get(Axis axis) const {
  for (const Coordinate& coordinate : coordinates_)
    if (coordinate.axis == axis) return coordinate.value;
  return 0;
}

void Point::set(Axis axis, std::int64_t value) {
  for (Coordinate& coordinate : coordinates_)
    if (coordinate.axis == axis) {
      coordinate.value = value;
      return;
    }
  coordinates_.push_back({axis, value});
}

bool operator==(const Point& a, const Point& b) {
  const auto covers = [](const Point& from, const Point& to) {
    return llvm::all_of(from.coordinates_, [&](const Coordinate& c) { return to.get(c.axis) == c.value; });
  };
  return covers(a, b) && covers(b, a);
}

llvm::Expected<Layout> Layout::make(Iterators shard, Iterators replicas, llvm::ArrayRef<Coordinate> offset,
                                    std::optional<Swizzle> swizzle) {
  if (llvm::Error error = checkIterators(shard, "S")) return error;
  if (llvm::Error error = checkIterators(replicas, "R")) return error;
  Layout layout;
  layout.shard_ = std::move(shard);
  layout.replicas_.append(replicas.begin(), replicas.end());
  for (const Coordinate& c : offset) {
    auto* place = llvm::lower_bound(layout.offset_, c.axis, [](const Coordinate& a, Axis b) { return a.axis < b; });
    if (place == layout.offset_.end() || place->axis != c.axis) place = layout.offset_.insert(place, {c.axis, 0});
    place->value = add(place->value, c.value);
  }
  llvm::erase_if(layout.offset_, [](const Coordinate& c) { return c.value == 0; });
  if (!withinLimit(multiply(layout.size(), layout.replicaCount())))
    return llvm::createStringError("the layout is too large: elements times replicas pass 2^60; use smaller extents");
  for (Axis axis : layout.axes()) {
    const Range range = layout.linearRange(axis);
    if (!withinLimit(range.low) || !withinLimit(range.high))
      return llvm::createStringError("the layout is too large: axis '" + axis.name() +
                                     "' reaches past 2^60; use smaller extents and strides");
  }
  switch (distinctPlaces(layout.replicas_)) {
    case Distinct::Yes:
      break;
    case Distinct::No:
      return llvm::createStringError(
          "replicas fall on one another, so that a write or reduction would count twice; expected distinct places, "
          "give them "
          "strides that step over each other");
    case Distinct::Unknown:
      return llvm::createStringError(
          "it cannot be shown that the replicas are distinct; use strides that step over each other");
  }
  if (swizzle)
    if (llvm::Error error = checkSwizzle(layout, *swizzle)) return error;
  layout.swizzle_ = swizzle;
  return layout;
}

Layout Layout::rewritten(Iterators shard) const {
  Layout layout = *this;
  layout.shard_ = std::move(shard);
  assert(layout.size() == size());
  return layout;
}

llvm::Expected<Layout> Layout::rowMajor(llvm::ArrayRef<std::int64_t> shape) {
  Iterators shard;
  std::int64_t stride = 1;
  for (std::int64_t extent : llvm::reverse(shape)) {
    shard.push_back({extent, stride, Axis()});
    stride = multiply(stride, extent);
  }
  std::reverse(shard.begin(), shard.end());
  return make(std::move(shard));
}

std::int64_t Layout::offset(Axis axis) const {
  for (const Coordinate& coordinate : offset_)
    if (coordinate.axis == axis) return coordinate.value;
  return 0;
}

std::int64_t Layout::size() const {
  std::int64_t size = 1;
  for (const Iterator& iterator : shard_) size = multiply(size, iterator.extent);
  return size;
}

std::int64_t Layout::replicaCount() const {
  std::int64_t count = 1;
  for (const Iterator& iterator : replicas_) count = multiply(count, iterator.extent);
  return count;
}

llvm::SmallVector<Axis, 4> Layout::axes() const {
  llvm::SmallVector<Axis, 4> axes;
  const auto note = [&](Axis axis) {
    if (!llvm::is_contained(axes, axis)) axes.push_back(axis);
  };
  for (const Iterator& iterator : shard_) note(iterator.axis);
  for (const Iterator& iterator : replicas_) note(iterator.axis);
  for (const Coordinate& coordinate : offset_) note(coordinate.axis);
  return axes;
}

Range Layout::linearRange(Axis axis) const {
  Range range{offset(axis), offset(axis)};
  for (llvm::ArrayRef<Iterator> part : {shard(), replicas()})
    for (const Iterator& iterator : part) {
      if (iterator.axis != axis) continue;
      std::int64_t& end = iterator.stride < 0 ? range.low : range.high;
      end = add(end, multiply(iterator.extent - 1, iterator.stride));
    }
  return range;
}

Range Layout::range(Axis axis) const {
  Range range = linearRange(axis);
  if (!swizzle_ || axis != Axis()) return range;
  const std::int64_t row = (std::int64_t{1} << (swizzle_->base + swizzle_->bits)) - 1;
  return {range.low & ~row, range.high | row};
}

bool Layout::memoryOnly() const {
  return llvm::all_of(axes(), [](Axis axis) { return axis == Axis(); });
}

Point Layout::apply(std::int64_t x) const {
  assert(x >= 0 && x < size());
  Point point;
  for (const Iterator& iterator : shard_) point.add(iterator.axis, 0);  // axes in writing order
  for (const Iterator& iterator : llvm::reverse(shard_)) {
    point.add(iterator.axis, x % iterator.extent * iterator.stride);
    x /= iterator.extent;
  }
  for (const Iterator& iterator : replicas_) point.add(iterator.axis, 0);
  for (const Coordinate& coordinate : offset_) point.add(coordinate.axis, coordinate.value);
  if (swizzle_) point.set(Axis(), swizzle_->apply(point.get(Axis())));
  return point;
}

llvm::SmallVector<Point, 2> Layout::applyAll(std::int64_t x) const {
  Point base = apply(x);
  if (swizzle_) base.set(Axis(), swizzle_->apply(base.get(Axis())));  // undone: replicas step before the xor
  llvm::SmallVector<Point, 2> points{std::move(base)};
  for (const Iterator& iterator : replicas_) {
    llvm::SmallVector<Point, 2> next;
    for (const Point& point : points)
      for (std::int64_t r = 0; r < iterator.extent; ++r) {
        next.push_back(point);
        next.back().add(iterator.axis, r * iterator.stride);
      }
    points = std::move(next);
  }
  if (swizzle_)
    for (Point& point : points) point.set(Axis(), swizzle_->apply(point.get(Axis())));
  return points;
}

llvm::hash_code hash_value(const Layout& layout) {
  const auto name = [](Axis axis) { return llvm::hash_value(axis.name()); };
  llvm::hash_code hash = llvm::hash_combine(layout.shard().size(), layout.replicas().size());
  for (llvm::ArrayRef<Iterator> part : {layout.shard(), layout.replicas()})
    for (const Iterator& i : part) hash = llvm::hash_combine(hash, i.extent, i.stride, name(i.axis));
  for (const Coordinate& c : layout.offset()) hash = llvm::hash_combine(hash, c.value, name(c.axis));
  if (layout.swizzle())
    hash = llvm::hash_combine(hash, layout.swizzle()->base, layout.swizzle()->bits, layout.swizzle()->shift);
  return hash;
}

std::string describeShape(llvm::ArrayRef<std::int64_t> shape) {
  return llvm::join(llvm::map_range(shape, [](std::int64_t extent) { return std::to_string(extent); }), "x");
}

llvm::Error checkShape(const Layout& layout, llvm::ArrayRef<std::int64_t> shape) {
  std::int64_t size = 1;
  for (std::int64_t extent : shape) {
    if (extent < 1)
      return llvm::createStringError("expected positive extents in shape " + describeShape(shape) + ", found " +
                                     llvm::Twine(extent));
    size = multiply(size, extent);
  }
  if (size == layout.size()) return llvm::Error::success();
  return llvm::createStringError("expected a shape of " + llvm::Twine(layout.size()) +
                                 " elements, as the layout has, found " + describeShape(shape) + " with " +
                                 llvm::Twine(size) + "; change the extents of S or the shape");
}

llvm::Expected<std::int64_t> flatten(llvm::ArrayRef<std::int64_t> indices, llvm::ArrayRef<std::int64_t> shape) {
  if (indices.size() != shape.size())
    return llvm::createStringError("expected " + llvm::Twine(shape.size()) + " indices, one a dimension of " +
                                   describeShape(shape) + ", found " + llvm::Twine(indices.size()));
  std::int64_t x = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (indices[d] < 0 || indices[d] >= shape[d])
      return llvm::createStringError("index " + llvm::Twine(indices[d]) + " of dimension " + llvm::Twine(d) +
                                     " lies outside shape " + describeShape(shape) + "; expected 0 to " +
                                     llvm::Twine(shape[d] - 1));
    x = x * shape[d] + indices[d];
  }
  return x;
}

llvm::Error verify(const Layout& layout, const AxisSet& axes) {
  for (Axis axis : layout.axes()) {
    const AxisInfo* info = axes.find(axis);
    if (!info) {
      std::string known =
          llvm::join(llvm::map_range(axes.all(), [](const AxisInfo& i) { return i.name.name(); }), ", ");
      return llvm::createStringError("unknown axis '" + axis.name() + "'; the target has " + known);
    }
    const Range range = layout.range(axis);
    if (range.low < 0)
      return llvm::createStringError("axis '" + axis.name() + "' reaches " + llvm::Twine(range.low) +
                                     "; expected coordinates from 0, add an offset");
    if (info->extent > 0 && range.high >= info->extent)
      return llvm::createStringError("axis '" + axis.name() + "' reaches " + llvm::Twine(range.high) +
                                     "; the target has 0 to " + llvm::Twine(info->extent - 1));
  }
  return llvm::Error::success();
}

}  // namespace forerun::layout
