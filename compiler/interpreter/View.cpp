//===- View.cpp - a window of a buffer --------------------------------------===//
// The arithmetic of windows; docs/language.md, "Valid extents".
#include "compiler/interpreter/View.h"

#include <algorithm>
#include <limits>

namespace forerun::interpreter {

View View::of(std::shared_ptr<Storage> storage) {
  View view;
  const std::size_t rank = storage->shape.size();
  view.origin.assign(rank, 0);
  view.extent = storage->shape;
  view.low.assign(rank, 0);
  view.high = storage->shape;
  view.storage = std::move(storage);
  return view;
}

namespace {

/// Far outside of every buffer, yet sums with extents do not overflow.
constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::int64_t originOf(std::int64_t outer, std::int64_t inner) {
  return std::clamp(outer + std::clamp(inner, -kFar, kFar), -kFar, kFar);
}

}  // namespace

View View::slice(llvm::ArrayRef<std::int64_t> origins, llvm::ArrayRef<std::int64_t> extents) const {
  View result = *this;
  const std::size_t missing = origins.size() - extents.size();
  for (std::size_t d = 0; d < origins.size(); ++d) {
    const std::size_t s = dropped + d;
    result.low[s] = std::max(low[s], origin[s]);
    result.high[s] = std::min(high[s], origin[s] + extent[s]);
    result.origin[s] = originOf(origin[s], origins[d]);
    result.extent[s] = d < missing ? 1 : extents[d - missing];
  }
  result.dropped = dropped + static_cast<unsigned>(missing);
  return result;
}

std::int64_t View::base() const {
  std::int64_t index = 0;
  for (std::size_t s = 0; s < origin.size(); ++s) index += origin[s] * storage->stride(static_cast<unsigned>(s));
  return index;
}

llvm::SmallVector<Range, 4> View::clamp(llvm::ArrayRef<std::int64_t> limits) const {
  llvm::SmallVector<Range, 4> ranges;
  bool outside = false;
  for (std::size_t s = 0; s < origin.size(); ++s) {
    const std::int64_t first = std::max<std::int64_t>(low[s] - origin[s], 0);
    const std::int64_t last = std::min(std::min(limits[s], high[s]) - origin[s], extent[s]);
    if (s < dropped)
      outside |= last <= first;
    else
      ranges.push_back({first, std::max(first, last)});
  }
  if (outside)
    for (Range& range : ranges) range = {0, 0};
  return ranges;
}

Index View::prefix() const {
  Index result;
  for (std::size_t s = 0; s < origin.size() && extent[s] == 1; ++s) result.push_back(origin[s]);
  return result;
}

llvm::SmallVector<Range, 4> View::validRanges() const { return clamp(storage->valid.get(prefix())); }

llvm::SmallVector<Range, 4> View::boundRanges() const { return clamp(storage->shape); }

bool View::isInside() const {
  for (std::size_t s = 0; s < origin.size(); ++s)
    if (origin[s] < 0 || origin[s] + extent[s] > storage->shape[s]) return false;
  return true;
}

void View::setValid(llvm::ArrayRef<std::int64_t> extents) const {
  if (isGlobal()) return;
  // Trailing dimensions must be whole; the rest single indices.
  std::size_t single = origin.size();
  while (single > 0 && origin[single - 1] == 0 && extent[single - 1] == storage->shape[single - 1]) --single;
  for (std::size_t s = 0; s < single; ++s)
    if (extent[s] != 1) return;
  Index full(dropped, 1);
  full.append(extents.begin(), extents.end());
  if (single == 0)
    storage->valid.setWhole(full);
  else
    storage->valid.setAt(llvm::ArrayRef(origin).take_front(single), full);
}

bool View::overlaps(const View& other) const {
  if (storage != other.storage) return false;
  for (std::size_t s = 0; s < origin.size(); ++s)
    if (origin[s] >= other.origin[s] + other.extent[s] || other.origin[s] >= origin[s] + extent[s]) return false;
  return true;
}

}  // namespace forerun::interpreter
