//===- Equality.cpp - comparing layouts as functions -----------------------===//
// D by its canonical list; replica sets by their generating polynomials; swizzles by normal form, then place by place.
#include "compiler/dialect/layout/Equality.h"

#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"

#include <llvm/ADT/STLExtras.h>

#include <tuple>

namespace forerun::layout {

namespace {

/// D, R and O with axes replaced by the finest unit of their hierarchy.
struct Flat {
  Iterators shard, replicas;
  Point offset;
  bool fits = true;  ///< positions stay within kLimit
};

Flat flattenAxes(const Layout& layout, const AxisSet& axes) {
  const auto flat = [&](Axis& axis, std::int64_t& value) {
    const AxisInfo* info = axes.find(axis);
    if (!info || info->weight == 0) return;
    axis = info->root;
    value = multiply(value, info->weight);
  };
  Flat result{Iterators(layout.shard()), Iterators(layout.replicas()), {}};
  for (llvm::MutableArrayRef<Iterator> part :
       {llvm::MutableArrayRef(result.shard), llvm::MutableArrayRef(result.replicas)})
    for (Iterator& iterator : part) {
      flat(iterator.axis, iterator.stride);
      result.fits &= withinLimit(multiply(iterator.extent, iterator.stride));
    }
  for (Coordinate coordinate : layout.offset()) {
    flat(coordinate.axis, coordinate.value);
    result.fits &= withinLimit(coordinate.value);
    if (result.fits) result.offset.add(coordinate.axis, coordinate.value);
  }
  if (!result.fits) return result;
  result.shard = canonicalShard(result.shard);
  result.replicas = canonicalReplicas(result.replicas, result.offset);
  return result;
}

using Factor = std::pair<Axis, std::int64_t>;
using Factors = llvm::SmallVector<Factor, 8>;

/// The set of places of replicas e:s on an axis is the polynomial (1 - x^(e*s)) / (1 - x^s), that of several the
/// product. Injective replicas have coefficients 0 and 1, so sets are equal exactly if polynomials are; and as the
/// factors 1 - x^n are multiplicatively independent, that is so exactly if a's numerators with b's denominators are b's
/// with a's.
bool sameReplicaSets(llvm::ArrayRef<Iterator> a, llvm::ArrayRef<Iterator> b) {
  if (a == b) return true;
  Factors left, right;
  for (const auto& [part, over, under] : {std::tie(a, left, right), std::tie(b, right, left)})
    for (const Iterator& iterator : part) {
      over.push_back({iterator.axis, iterator.extent * iterator.stride});
      under.push_back({iterator.axis, iterator.stride});
    }
  llvm::sort(left);
  llvm::sort(right);
  return left == right;
}

/// True when a hierarchy of which both layouts use axes holds a unit of unknown size, so that flattening has not
/// decided.
bool unitsUnknown(const Layout& a, const Layout& b, const AxisSet& axes) {
  llvm::SmallVector<Axis, 8> used = a.axes();
  for (Axis axis : b.axes())
    if (!llvm::is_contained(used, axis)) used.push_back(axis);
  for (Axis axis : used) {
    const AxisInfo* info = axes.find(axis);
    if (!info || info->weight != 0) continue;
    for (Axis other : used) {
      const AxisInfo* relative = axes.find(other);
      if (other != axis && relative && relative->root == info->root) return true;
    }
  }
  return false;
}

Equality compareLinear(const Layout& a, const Layout& b, const AxisSet& axes) {
  const Flat left = flattenAxes(a, axes), right = flattenAxes(b, axes);
  if (!left.fits || !right.fits) return Equality::Unknown;
  const bool same =
      left.shard == right.shard && left.offset == right.offset && sameReplicaSets(left.replicas, right.replicas);
  if (same) return Equality::Equal;
  return unitsUnknown(a, b, axes) ? Equality::Unknown : Equality::Different;
}

/// The swizzle without the bits that no address of the layout sets; nothing when none is left.
std::optional<Swizzle> effectiveSwizzle(const Layout& layout) {
  std::optional<Swizzle> swizzle = layout.swizzle();
  if (!swizzle) return swizzle;
  const std::int64_t high = layout.linearRange(Axis()).high;
  while (swizzle->bits > 0 && (high >> (swizzle->base + swizzle->shift + swizzle->bits - 1)) == 0) --swizzle->bits;
  return swizzle->bits == 0 ? std::nullopt : swizzle;
}

bool samePlaces(const Layout& a, const Layout& b, std::int64_t x) {
  const llvm::SmallVector<Point, 2> left = a.applyAll(x), right = b.applyAll(x);
  return left.size() == right.size() &&
         llvm::all_of(left, [&](const Point& p) { return llvm::is_contained(right, p); });
}

}  // namespace

Equality compare(const Layout& a, const Layout& b, const AxisSet& axes) {
  if (a.size() != b.size()) return Equality::Different;
  if (effectiveSwizzle(a) == effectiveSwizzle(b)) return compareLinear(a, b, axes);
  // A swizzle only moves addresses: a layout of other axes, or with other numbers of places, differs.
  if (!canonicalize(a).memoryOnly() || !canonicalize(b).memoryOnly() || a.replicaCount() != b.replicaCount())
    return Equality::Different;
  constexpr std::int64_t kMostPlaces = 65536;
  const std::int64_t tried = std::min(a.size(), std::max<std::int64_t>(1, kMostPlaces / a.replicaCount()));
  for (std::int64_t x = 0; x < tried; ++x)
    if (!samePlaces(a, b, x)) return Equality::Different;
  return tried == a.size() ? Equality::Equal : Equality::Unknown;
}

}  // namespace forerun::layout
