//===- Tiling.cpp - direct sums and tiles ----------------------------------===//
// Interleaves the dimensions of two layouts, and takes one of them out again.
#include "compiler/dialect/layout/Tiling.h"

#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::layout {

namespace {

using Shape = llvm::SmallVector<std::int64_t, 6>;

llvm::Error sameRank(llvm::ArrayRef<std::int64_t> a, llvm::ArrayRef<std::int64_t> b) {
  if (a.size() == b.size()) return llvm::Error::success();
  return llvm::createStringError("expected shapes of one rank, found " + describeShape(a) + " and " + describeShape(b) +
                                 "; add extents of 1");
}

/// Without its swizzle; the iterators are the same.
Layout withoutSwizzle(const Layout& layout) {
  return llvm::cantFail(Layout::make(Iterators(layout.shard()), Iterators(layout.replicas()), layout.offset()));
}

/// Strides, replicas and offset of `layout` times the factor of their axis.
template <typename FactorOf>
llvm::Expected<Layout> scale(const Layout& layout, FactorOf factor) {
  Iterators shard(layout.shard()), replicas(layout.replicas());
  llvm::SmallVector<Coordinate, 4> offset(layout.offset());
  for (Iterator& iterator : shard) iterator.stride = multiply(iterator.stride, factor(iterator.axis));
  for (Iterator& iterator : replicas) iterator.stride = multiply(iterator.stride, factor(iterator.axis));
  for (Coordinate& coordinate : offset) coordinate.value = multiply(coordinate.value, factor(coordinate.axis));
  return Layout::make(std::move(shard), std::move(replicas), offset);
}

llvm::Expected<Layout> sum(Shaped left, Shaped right, std::optional<Swizzle> swizzle) {
  if (llvm::Error error = sameRank(left.shape, right.shape)) return error;
  llvm::Expected<Grouped> a = group(left.layout, left.shape);
  if (!a) return a.takeError();
  llvm::Expected<Grouped> b = group(right.layout, right.shape);
  if (!b) return b.takeError();
  Iterators shard;
  for (unsigned d = 0; d < left.shape.size(); ++d) {
    llvm::append_range(shard, a->dimension(d));
    llvm::append_range(shard, b->dimension(d));
  }
  Iterators replicas(left.layout.replicas());
  llvm::append_range(replicas, right.layout.replicas());
  Point offset(left.layout.offset());
  for (const Coordinate& c : right.layout.offset()) offset.add(c.axis, c.value);
  return Layout::make(canonicalShard(shard), std::move(replicas), offset.coordinates(), swizzle);
}

llvm::Error refuseSwizzle(const Layout& layout, llvm::StringRef what) {
  if (!layout.swizzle()) return llvm::Error::success();
  return llvm::createStringError(what + " is swizzled; expected none there, swizzle the result instead");
}

/// D of the even or odd parts of `whole` seen as (outer_0, inner_0, outer_1, inner_1, ...).
struct Parts {
  Iterators outer, inner;
  Shape outerShape, innerShape;
};

enum class Known { Outer, Inner };

llvm::Expected<Parts> takeApart(Shaped whole, llvm::ArrayRef<std::int64_t> known, Known which) {
  if (llvm::Error error = sameRank(whole.shape, known)) return error;
  Parts parts;
  Shape interleaved;
  for (std::size_t d = 0; d < known.size(); ++d) {
    if (known[d] < 1 || whole.shape[d] % known[d] != 0)
      return llvm::createStringError("shape " + describeShape(known) + " does not divide " +
                                     describeShape(whole.shape) + " in dimension " + llvm::Twine(d));
    const std::int64_t other = whole.shape[d] / known[d];
    parts.outerShape.push_back(which == Known::Outer ? known[d] : other);
    parts.innerShape.push_back(which == Known::Outer ? other : known[d]);
    interleaved.append({parts.outerShape.back(), parts.innerShape.back()});
  }
  llvm::Expected<Grouped> grouped = group(whole.layout, interleaved);
  if (!grouped) return grouped.takeError();
  for (unsigned d = 0; d < known.size(); ++d) {
    llvm::append_range(parts.outer, grouped->dimension(2 * d));
    llvm::append_range(parts.inner, grouped->dimension(2 * d + 1));
  }
  return parts;
}

/// Replicas that make up `whole` together with `part`, both canonical: each iterator of `part` is cut out of one of
/// `whole`.
std::optional<Iterators> replicasWithout(Iterators whole, llvm::ArrayRef<Iterator> part) {
  for (const Iterator& taken : part) {
    auto* from = llvm::find_if(whole, [&](const Iterator& w) {
      if (w.axis != taken.axis || taken.stride % w.stride != 0) return false;
      const std::int64_t below = taken.stride / w.stride;
      return w.extent % multiply(below, taken.extent) == 0;
    });
    if (from == whole.end()) return std::nullopt;
    const std::int64_t below = taken.stride / from->stride, above = from->extent / (below * taken.extent);
    const Iterator rest{above, taken.stride * taken.extent, taken.axis};
    from->extent = below;
    whole.push_back(rest);
    llvm::erase_if(whole, [](const Iterator& iterator) { return iterator.extent == 1; });
  }
  return whole;
}

llvm::Error noPart(llvm::StringRef part) {
  return llvm::createStringError("the layout is not made of the given one: " + part +
                                 " differ; compare both with forerun layout");
}

/// What is left of `whole` when `known`, of which `digits` is the place in `whole`, is taken out; `rest` are the other
/// digits.
llvm::Expected<Layout> remove(const Layout& whole, const Layout& known, llvm::ArrayRef<Iterator> digits,
                              llvm::ArrayRef<Iterator> rest) {
  if (canonicalShard(digits) != canonicalShard(known.shard())) return noPart("the iterators of S");
  Point offset(whole.offset()), taken(known.offset());
  const Iterators of = canonicalReplicas(whole.replicas(), offset), part = canonicalReplicas(known.replicas(), taken);
  std::optional<Iterators> replicas = replicasWithout(of, part);
  if (!replicas) return noPart("the replicas");
  for (const Coordinate& c : taken.coordinates()) offset.add(c.axis, -c.value);
  return Layout::make(canonicalShard(rest), std::move(*replicas), offset.coordinates());
}

}  // namespace

llvm::Expected<Layout> directSum(Shaped left, Shaped right) {
  for (const Layout* layout : {&left.layout, &right.layout})
    if (llvm::Error error = refuseSwizzle(*layout, "an operand of the direct sum")) return error;
  return sum(left, right, std::nullopt);
}

llvm::Expected<Layout> leftOf(Shaped whole, Shaped right) {
  for (const Layout* layout : {&whole.layout, &right.layout})
    if (llvm::Error error = refuseSwizzle(*layout, "a direct sum or its part")) return error;
  llvm::Expected<Parts> parts = takeApart(whole, right.shape, Known::Inner);
  if (!parts) return parts.takeError();
  return remove(whole.layout, right.layout, parts->inner, parts->outer);
}

llvm::Expected<Layout> rightOf(Shaped whole, Shaped left) {
  for (const Layout* layout : {&whole.layout, &left.layout})
    if (llvm::Error error = refuseSwizzle(*layout, "a direct sum or its part")) return error;
  llvm::Expected<Parts> parts = takeApart(whole, left.shape, Known::Outer);
  if (!parts) return parts.takeError();
  return remove(whole.layout, left.layout, parts->outer, parts->inner);
}

llvm::Expected<Layout> tile(Shaped inner, Shaped outer) {
  if (llvm::Error error = refuseSwizzle(outer.layout, "the outer layout")) return error;
  llvm::Expected<Layout> scaled = scale(outer.layout, [&](Axis axis) { return inner.layout.span(axis); });
  if (!scaled) return scaled.takeError();
  const std::optional<Swizzle>& swizzle = inner.layout.swizzle();
  if (swizzle) {
    const auto aligned = [&](std::int64_t step) { return step % swizzle->period() == 0; };
    const auto steps = [&](const Iterator& iterator) { return iterator.extent == 1 || aligned(iterator.stride); };
    if (!llvm::all_of(scaled->shard(), steps) || !llvm::all_of(scaled->replicas(), steps) ||
        !aligned(scaled->offset(Axis())))
      return llvm::createStringError("tiles of " + llvm::Twine(inner.layout.span(Axis())) +
                                     " elements would begin within a period of the swizzle, " +
                                     llvm::Twine(swizzle->period()) +
                                     " elements; expected multiples, pad the inner layout or swizzle the result");
  }
  return sum({*scaled, outer.shape}, inner, swizzle);
}

llvm::Expected<Layout> outerOf(Shaped tiled, Shaped inner) {
  if (tiled.layout.swizzle() != inner.layout.swizzle()) return noPart("the swizzles");
  llvm::Expected<Parts> parts = takeApart(tiled, inner.shape, Known::Inner);
  if (!parts) return parts.takeError();
  llvm::Expected<Layout> scaled = remove(tiled.layout, inner.layout, parts->inner, parts->outer);
  if (!scaled) return scaled.takeError();
  bool divides = true;
  const auto shrink = [&](Axis axis, std::int64_t& value) {
    const std::int64_t span = inner.layout.span(axis);
    divides &= value % span == 0;
    value /= span;
  };
  Iterators shard(scaled->shard()), replicas(scaled->replicas());
  llvm::SmallVector<Coordinate, 4> offset(scaled->offset());
  for (Iterator& iterator : shard) shrink(iterator.axis, iterator.stride);
  for (Iterator& iterator : replicas) shrink(iterator.axis, iterator.stride);
  for (Coordinate& coordinate : offset) shrink(coordinate.axis, coordinate.value);
  if (!divides) return noPart("the spans of the inner layout and the strides of its tiles");
  llvm::Expected<Layout> outer = Layout::make(std::move(shard), std::move(replicas), offset);
  if (!outer || !inner.layout.swizzle()) return outer;
  llvm::Expected<Layout> again = tile(inner, {*outer, parts->outerShape});  // tiles may begin within a period
  if (!again) return again.takeError();
  return outer;
}

llvm::Expected<Layout> innerOf(Shaped tiled, Shaped outer) {
  if (llvm::Error error = refuseSwizzle(outer.layout, "the outer layout")) return error;
  llvm::Expected<Parts> parts = takeApart(tiled, outer.shape, Known::Outer);
  if (!parts) return parts.takeError();
  // The span of the inner layout is what outer strides were multiplied by: read off D, else that of the inner digits.
  const Iterators found = canonicalShard(parts->outer), given = canonicalShard(outer.layout.shard());
  if (found.size() != given.size()) return noPart("the iterators of S");
  llvm::Expected<Layout> digits = Layout::make(parts->inner, {}, {}, tiled.layout.swizzle());
  if (!digits) return digits.takeError();
  llvm::Expected<Layout> scaled = scale(outer.layout, [&](Axis axis) {
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].axis == axis && given[i].stride != 0) return found[i].stride / given[i].stride;
    return digits->span(axis);
  });
  if (!scaled) return scaled.takeError();
  llvm::Expected<Layout> rest = remove(withoutSwizzle(tiled.layout), *scaled, parts->outer, parts->inner);
  if (!rest) return rest.takeError();
  llvm::Expected<Layout> inner =
      Layout::make(Iterators(rest->shard()), Iterators(rest->replicas()), rest->offset(), tiled.layout.swizzle());
  if (!inner) return inner.takeError();
  llvm::Expected<Layout> again = tile({*inner, parts->innerShape}, outer);
  if (!again) return again.takeError();
  if (compare(*again, tiled.layout) != Equality::Equal)
    return noPart("the spans of the inner layout and the strides of its tiles");
  return inner;
}

}  // namespace forerun::layout
