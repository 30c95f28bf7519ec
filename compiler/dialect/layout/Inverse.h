//===- Inverse.h - from places back to elements ----------------------------===//
// Which element lies at a place; total or not, swizzled or not.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// The inverse of an injective layout: a partial function from places to flat coordinates. A place of any replica leads
/// to its element.
class Inverse {
 public:
  /// Fails when two elements or replicas share a place, or when it cannot be shown that none do.
  static llvm::Expected<Inverse> of(const Layout& layout);

  /// The element at a place; nothing when the layout leaves it empty.
  std::optional<std::int64_t> element(const Point& place) const;

  /// One axis of the places that the layout takes, before the swizzle.
  struct Side {
    Axis axis;
    Range range;
  };
  /// Axes of the layout, in the order of their first mention.
  llvm::ArrayRef<Side> sides() const { return sides_; }

  /// As a layout: over the shape of the sides' extents, coordinate i of a side being place range.low + i, to flat
  /// coordinates on `m`. Fails when some place within the sides is empty, or when the layout is swizzled.
  llvm::Expected<Layout> layout() const;

 private:
  struct Digit {
    std::int64_t step;  ///< places, positive
    std::int64_t extent;
    std::int64_t weight;  ///< flat coordinates; negative for falling strides, 0 for replicas
  };
  using Digits = llvm::SmallVector<Digit, 6>;

  static std::optional<std::int64_t> solve(llvm::ArrayRef<Digit> digits, std::int64_t place);

  llvm::SmallVector<Side, 4> sides_;
  llvm::SmallVector<Digits, 4> digits_;  ///< of each side, largest step first
  std::int64_t origin_ = 0;              ///< element at the low corner of the sides
  std::optional<Swizzle> swizzle_;
};

}  // namespace forerun::layout
