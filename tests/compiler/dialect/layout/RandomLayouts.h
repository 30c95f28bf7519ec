//===- RandomLayouts.h - layouts drawn at random ---------------------------===//
// Small enough to check by brute force, often enough structured that operations succeed.
#pragma once

#include "compiler/dialect/layout/Layout.h"
#include "tests/compiler/dialect/layout/LayoutOracle.h"

#include <random>

namespace forerun::layout {

class RandomLayouts {
 public:
  explicit RandomLayouts(std::uint64_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool chance(int percent) { return between(0, 99) < percent; }

  /// At most `mostElements` elements; replicas may collide. A part is swizzled.
  oracle::PlainLayout any(std::int64_t mostElements = 48);
  /// On memory alone, or on any axes; without replicas and swizzle.
  oracle::PlainLayout plain(std::int64_t mostElements, bool memoryOnly);
  /// Another writing of the same places, mostly: iterators split, fused and turned round.
  oracle::PlainLayout rewritten(oracle::PlainLayout layout);
  /// A shape of the layout's elements: its own extents fused at random, or any factors.
  std::vector<std::int64_t> shapeOf(const oracle::PlainLayout& layout);
  /// Extents with this product.
  std::vector<std::int64_t> factors(std::int64_t product);

 private:
  std::mt19937_64 engine_;
};

/// The oracle's axis of that number.
Axis axisOf(unsigned number);
/// The library's layout of the same numbers.
llvm::Expected<Layout> made(const oracle::PlainLayout& layout);
/// What the library's layout says, for the oracle.
oracle::PlainLayout plainOf(const Layout& layout);
oracle::Place placeOf(const Point& point);
oracle::Places placesOf(const Layout& layout, std::int64_t x);

}  // namespace forerun::layout
