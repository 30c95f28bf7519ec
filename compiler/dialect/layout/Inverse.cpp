//===- Inverse.cpp - inverses of injective layouts -------------------------===//
// Divides a place by the steps of its axis, largest first.
#include "compiler/dialect/layout/Inverse.h"

#include "compiler/dialect/layout/Canonical.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <string>

namespace forerun::layout {

llvm::Expected<Inverse> Inverse::of(const Layout& layout) {
  switch (isInjective(layout)) {
    case Distinct::Yes:
      break;
    case Distinct::No:
      return llvm::createStringError(
          "two elements share a place, so that the layout has no inverse; expected distinct places");
    case Distinct::Unknown:
      return llvm::createStringError(
          "it cannot be shown that all elements have places of their own; use strides that step over each other");
  }
  const Layout canonical = canonicalize(layout);
  Inverse inverse;
  inverse.swizzle_ = layout.swizzle();
  for (Axis axis : layout.axes()) {
    Digits digits;
    std::int64_t weight = 1;
    for (const Iterator& i : llvm::reverse(canonical.shard())) {
      if (i.axis == axis) {
        digits.push_back({std::abs(i.stride), i.extent, i.stride < 0 ? -weight : weight});
        if (i.stride < 0) inverse.origin_ += (i.extent - 1) * weight;
      }
      weight *= i.extent;
    }
    for (const Iterator& i : canonical.replicas())
      if (i.axis == axis) digits.push_back({i.stride, i.extent, 0});
    llvm::sort(digits, [](const Digit& a, const Digit& b) { return a.step > b.step; });
    inverse.sides_.push_back({axis, layout.linearRange(axis)});
    inverse.digits_.push_back(std::move(digits));
  }
  return inverse;
}

/// The flat coordinates of `place` as a sum of digits; at most one sum exists, as the layout is injective.
std::optional<std::int64_t> Inverse::solve(llvm::ArrayRef<Digit> digits, std::int64_t place) {
  if (digits.empty()) return place == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  const Digit& digit = digits.front();
  std::int64_t rest = 0;  // most that the smaller steps reach
  for (const Digit& smaller : digits.drop_front()) rest += (smaller.extent - 1) * smaller.step;
  const std::int64_t most = std::min(place / digit.step, digit.extent - 1);
  for (std::int64_t count = most; count >= 0 && place - count * digit.step <= rest; --count)
    if (std::optional<std::int64_t> below = solve(digits.drop_front(), place - count * digit.step))
      return count * digit.weight + *below;
  return std::nullopt;
}

std::optional<std::int64_t> Inverse::element(const Point& place) const {
  for (const Coordinate& c : place.coordinates())
    if (c.value != 0 && llvm::none_of(sides_, [&](const Side& side) { return side.axis == c.axis; }))
      return std::nullopt;
  std::int64_t element = origin_;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    std::int64_t value = place.get(sides_[i].axis);
    if (swizzle_) {
      if (value < 0) return std::nullopt;
      value = swizzle_->apply(value);
    }
    const Range& range = sides_[i].range;
    if (value < range.low || value > range.high) return std::nullopt;
    const std::optional<std::int64_t> part = solve(digits_[i], value - range.low);
    if (!part) return std::nullopt;
    element += *part;
  }
  return element;
}

llvm::Expected<Layout> Inverse::layout() const {
  if (swizzle_)
    return llvm::createStringError(
        "the inverse of a swizzled layout undoes the swizzle first and is no layout; ask for single places");
  Iterators shard;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    std::int64_t step = sides_[i].range.extent();
    for (const Digit& digit : digits_[i]) {
      step /= digit.extent;
      if (digit.step != step)
        return llvm::createStringError("the layout leaves places of axis '" + sides_[i].axis.name() +
                                       "' empty, so that its inverse is no layout; ask for single places");
      shard.push_back({digit.extent, digit.weight, Axis()});
    }
    if (step != 1)
      return llvm::createStringError("the layout leaves places of axis '" + sides_[i].axis.name() +
                                     "' empty, so that its inverse is no layout; ask for single places");
  }
  return Layout::make(canonicalShard(shard), {}, {{Axis(), origin_}});
}

}  // namespace forerun::layout
