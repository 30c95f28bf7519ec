//===- Canonical.cpp - normal forms of layouts -----------------------------===//
// Fusing iterators, and telling whether they collide.
#include "compiler/dialect/layout/Canonical.h"

#include "compiler/dialect/layout/Arithmetic.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/ErrorHandling.h>

#include <cassert>
#include <tuple>
#include <vector>

namespace forerun::layout {

namespace {

/// Extents at least 2 and strides not 0, all on one axis.
Distinct distinctOnAxis(llvm::ArrayRef<Iterator> iterators) {
  constexpr std::int64_t kMostPlaces = 65536;
  llvm::SmallVector<std::pair<std::int64_t, std::int64_t>, 8> steps;  // (stride, extent), ascending
  for (const Iterator& iterator : iterators) steps.push_back({magnitude(iterator.stride), iterator.extent});
  llvm::sort(steps);
  std::int64_t reach = 0, places = 1;
  bool stepsOver = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0 && steps[i].first == steps[i - 1].first) return Distinct::No;
    stepsOver &= steps[i].first > reach;
    reach = add(reach, multiply(steps[i].first, steps[i].second - 1));
    places = multiply(places, steps[i].second);
  }
  if (stepsOver) return Distinct::Yes;
  if (places > reach + 1) return Distinct::No;
  if (places > kMostPlaces) return Distinct::Unknown;
  std::vector<std::int64_t> all{0};
  for (auto [stride, extent] : steps) {
    const std::size_t before = all.size();
    for (std::int64_t digit = 1; digit < extent; ++digit)
      for (std::size_t i = 0; i < before; ++i) all.push_back(all[i] + digit * stride);
  }
  llvm::sort(all);
  return std::adjacent_find(all.begin(), all.end()) == all.end() ? Distinct::Yes : Distinct::No;
}

}  // namespace

Iterators canonicalShard(llvm::ArrayRef<Iterator> shard) {
  Iterators result;
  for (Iterator next : shard) {
    if (next.extent == 1) continue;
    if (next.stride == 0) next.axis = Axis();
    if (!result.empty() && result.back().axis == next.axis &&
        result.back().stride == multiply(next.extent, next.stride)) {
      result.back().extent *= next.extent;
      result.back().stride = next.stride;
    } else {
      result.push_back(next);
    }
  }
  return result;
}

Iterators canonicalReplicas(llvm::ArrayRef<Iterator> replicas, Point& offset) {
  Iterators result;
  for (Iterator next : replicas) {
    if (next.extent == 1) continue;
    if (next.stride < 0) {
      offset.add(next.axis, (next.extent - 1) * next.stride);
      next.stride = -next.stride;
    }
    result.push_back(next);
  }
  llvm::sort(result, [](const Iterator& a, const Iterator& b) {
    return std::tie(a.axis, a.stride) < std::tie(b.axis, b.stride);
  });
  for (std::size_t i = 0; i < result.size(); ++i) {
    Iterator& first = result[i];
    for (std::size_t j = i + 1; j < result.size();) {
      if (result[j].axis == first.axis && result[j].stride == multiply(first.extent, first.stride)) {
        first.extent *= result[j].extent;
        result.erase(result.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
  }
  return result;
}

Layout canonicalize(const Layout& layout) {
  Point offset(layout.offset());
  Iterators replicas = canonicalReplicas(layout.replicas(), offset);
  llvm::Expected<Layout> result =
      Layout::make(canonicalShard(layout.shard()), std::move(replicas), offset.coordinates(), layout.swizzle());
  return llvm::cantFail(std::move(result));  // the same function: every invariant carries over
}

Distinct distinctPlaces(llvm::ArrayRef<Iterator> iterators) {
  Iterators rest(iterators);
  llvm::erase_if(rest, [](const Iterator& iterator) { return iterator.extent == 1; });
  if (llvm::any_of(rest, [](const Iterator& iterator) { return iterator.stride == 0; })) return Distinct::No;
  llvm::sort(rest, [](const Iterator& a, const Iterator& b) { return a.axis < b.axis; });
  Distinct result = Distinct::Yes;
  for (std::size_t begin = 0; begin < rest.size();) {
    std::size_t end = begin;
    while (end < rest.size() && rest[end].axis == rest[begin].axis) ++end;
    const Distinct here = distinctOnAxis(llvm::ArrayRef(rest).slice(begin, end - begin));
    if (here == Distinct::No) return here;
    if (here == Distinct::Unknown) result = here;
    begin = end;
  }
  return result;
}

Distinct isInjective(const Layout& layout) {
  Iterators all(layout.shard());
  all.append(layout.replicas().begin(), layout.replicas().end());
  return distinctPlaces(all);  // a swizzle is a bijection
}

}  // namespace forerun::layout
