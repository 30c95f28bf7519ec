//===- Composition.cpp - a layout after a layout ---------------------------===//
// Spreads each iterator of the second layout over the digits of the first.
#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Tiling.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::layout {

namespace {

/// The digits of the first layout, and how far the iterators placed so far reach in each.
class Digits {
 public:
  Digits(Iterators digits, std::int64_t origin) : digits_(std::move(digits)), reach_(digits_.size()) {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      reach_[i] = origin % digits_[i].extent;
      origin /= digits_[i].extent;
    }
  }

  /// Appends what `iterator` walks in the first layout to `out`, outermost first; false when it does not go digit by
  /// digit.
  bool place(Iterator iterator, Iterators& out) {
    Iterators pieces;  // innermost first
    std::int64_t weight = 1;
    for (std::size_t i = digits_.size(); i-- > 0 && iterator.extent > 1 && iterator.stride != 0;) {
      const Iterator& digit = digits_[i];
      const std::int64_t next = multiply(weight, digit.extent);
      if (iterator.stride % weight != 0) return false;
      const std::int64_t step = iterator.stride / weight;
      if (step % digit.extent != 0) {
        if (step > digit.extent) return false;
        std::int64_t piece = iterator.extent;
        if (multiply(piece - 1, step) >= digit.extent) {
          if (digit.extent % step != 0 || iterator.extent % (digit.extent / step) != 0) return false;
          piece = digit.extent / step;
        }
        reach_[i] = add(reach_[i], (piece - 1) * step);
        pieces.push_back({piece, multiply(digit.stride, step), digit.axis});
        iterator.extent /= piece;
        iterator.stride = next;
      }
      weight = next;
    }
    if (iterator.extent > 1 && iterator.stride != 0) return false;
    if (iterator.extent > 1) pieces.push_back({iterator.extent, 0, Axis()});
    out.append(pieces.rbegin(), pieces.rend());
    return true;
  }

  /// True when no sum of placed iterators leaves its digit.
  bool carryFree() const {
    for (std::size_t i = 0; i < digits_.size(); ++i)
      if (reach_[i] >= digits_[i].extent) return false;
    return true;
  }

 private:
  Iterators digits_;
  llvm::SmallVector<std::int64_t, 6> reach_;
};

}  // namespace

llvm::Expected<Layout> compose(const Layout& first, const Layout& second) {
  if (second.swizzle())
    return llvm::createStringError("the second layout is swizzled; expected flat coordinates without a swizzle");
  if (!second.memoryOnly())
    return llvm::createStringError(
        "the second layout gives places on other axes than m; expected flat coordinates of the first");
  Point shift(second.offset());
  const Iterators replicas = canonicalReplicas(second.replicas(), shift);
  const Range range = second.range(Axis());
  if (range.low < 0 || range.high >= first.size())
    return llvm::createStringError("the second layout reaches from " + llvm::Twine(range.low) + " to " +
                                   llvm::Twine(range.high) + "; the first has elements 0 to " +
                                   llvm::Twine(first.size() - 1));
  const std::int64_t origin = shift.get(Axis());
  Digits digits(canonicalShard(first.shard()), origin);
  Iterators shard, copies(first.replicas());
  const auto place = [&](llvm::ArrayRef<Iterator> from, Iterators& to) {
    return llvm::all_of(from,
                        [&](const Iterator& iterator) { return iterator.stride >= 0 && digits.place(iterator, to); });
  };
  if (!place(second.shard(), shard) || !place(replicas, copies) || !digits.carryFree())
    return llvm::createStringError(
        "the second layout does not walk the first digit by digit; expected strides that are products of "
        "whole extents of the first, or parts of one of them");
  Layout plain = llvm::cantFail(Layout::make(Iterators(first.shard()), {}, first.offset()));
  return Layout::make(canonicalShard(shard), std::move(copies), plain.apply(origin).coordinates(), first.swizzle());
}

}  // namespace forerun::layout
