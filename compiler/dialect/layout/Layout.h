//===- Layout.h - where the elements of a tile lie -------------------------===//
// The value type of the layout algebra. L(x) = { sum_k c_k*s_k@a_k + sum_t r_t*s_t@a_t + O }: x is the row-major flat
// coordinate, c_k its digits over the extents of D, r_t runs over every replica, O is the offset. docs/layouts.md has
// the maths.
#pragma once

#include "compiler/dialect/layout/Axis.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>

namespace forerun::layout {

struct Iterator {
  std::int64_t extent = 1;
  std::int64_t stride = 0;  ///< on `m` in elements; may be 0 or negative
  Axis axis;
  friend bool operator==(const Iterator&, const Iterator&) = default;
};
using Iterators = llvm::SmallVector<Iterator, 6>;

struct Coordinate {
  Axis axis;
  std::int64_t value = 0;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

/// A place: one coordinate an axis; axes that are not named are at 0.
class Point {
 public:
  Point() = default;
  explicit Point(llvm::ArrayRef<Coordinate> coordinates) {
    for (const Coordinate& c : coordinates) add(c.axis, c.value);
  }

  std::int64_t get(Axis axis) const;
  void set(Axis axis, std::int64_t value);
  void add(Axis axis, std::int64_t value) { set(axis, get(axis) + value); }
  /// Every axis that was named, in the order of first mention.
  llvm::ArrayRef<Coordinate> coordinates() const { return coordinates_; }
  friend bool operator==(const Point& a, const Point& b);

 private:
  llvm::SmallVector<Coordinate, 4> coordinates_;
};

/// With x = address >> base: x ^= (x & ((2^bits - 1) << shift)) >> shift; the low `base` bits stay. Its own inverse.
struct Swizzle {
  unsigned base = 0;   ///< M: 2^base neighbouring elements stay together
  unsigned bits = 1;   ///< B: address bits that change
  unsigned shift = 1;  ///< S: how far above them the bits lie that they are xored with; at least `bits`

  std::int64_t apply(std::int64_t address) const {
    const std::int64_t mask = ((std::int64_t{1} << bits) - 1) << (base + shift);
    return address ^ ((address & mask) >> shift);
  }
  /// Adding a multiple of this to an address adds the same to the swizzled address. A power of two.
  std::int64_t period() const { return std::int64_t{1} << (base + shift + bits); }
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

/// Closed interval of coordinates.
struct Range {
  std::int64_t low = 0, high = 0;
  std::int64_t extent() const { return high - low + 1; }
};

/// A layout that keeps its invariants: extents at least 1, sizes within kLimit, replicas injective (else writes and
/// reductions would count twice), a swizzle only over `m` at addresses that are never negative.
class Layout {
 public:
  /// The layout of a single element, at 0.
  Layout() = default;
  /// Checks the invariants; the error says what was expected and found. `shard` is D, outermost first.
  static llvm::Expected<Layout> make(Iterators shard, Iterators replicas = {}, llvm::ArrayRef<Coordinate> offset = {},
                                     std::optional<Swizzle> swizzle = std::nullopt);
  /// With another D of the same size and ranges: another writing, or another order of elements. The caller vouches for
  /// it.
  Layout rewritten(Iterators shard) const;
  /// Row-major memory; extents at least 1.
  static llvm::Expected<Layout> rowMajor(llvm::ArrayRef<std::int64_t> shape);

  llvm::ArrayRef<Iterator> shard() const { return shard_; }
  llvm::ArrayRef<Iterator> replicas() const { return replicas_; }
  /// Non-zero coordinates, ordered by axis.
  llvm::ArrayRef<Coordinate> offset() const { return offset_; }
  std::int64_t offset(Axis axis) const;
  const std::optional<Swizzle>& swizzle() const { return swizzle_; }

  /// Number of elements: product of the extents of D.
  std::int64_t size() const;
  /// Number of places of each element.
  std::int64_t replicaCount() const;
  /// Every axis of D, replicas and offset, once, in that order.
  llvm::SmallVector<Axis, 4> axes() const;
  /// Least and greatest coordinate on an axis, replicas and offset included, before the swizzle.
  Range linearRange(Axis axis) const;
  /// The same with the swizzle: its bounds, in whole rows of 2^(base + bits).
  Range range(Axis axis) const;
  /// Extent of the range: what the next tile has to step over.
  std::int64_t span(Axis axis) const { return range(axis).extent(); }
  /// False for layouts that put some element's places on an axis other than `m`.
  bool memoryOnly() const;

  /// Place of element x, 0 <= x < size(), replica 0.
  Point apply(std::int64_t x) const;
  /// All places of element x: replica 0 first, the last replica iterator fastest.
  llvm::SmallVector<Point, 2> applyAll(std::int64_t x) const;

  /// The same writing: iterators, order and swizzle. See compare() for equality as functions.
  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  Iterators shard_;
  llvm::SmallVector<Iterator, 2> replicas_;
  llvm::SmallVector<Coordinate, 2> offset_;
  std::optional<Swizzle> swizzle_;
};

/// For use in hash tables.
llvm::hash_code hash_value(const Layout& layout);

/// A layout seen through a shape: row-major over its flat coordinate.
struct Shaped {
  const Layout& layout;
  llvm::ArrayRef<std::int64_t> shape;
};
/// Fails unless the extents are at least 1 and their product is the layout's size.
llvm::Error checkShape(const Layout& layout, llvm::ArrayRef<std::int64_t> shape);
/// Row-major flat coordinate; fails when ranks differ or an index lies outside.
llvm::Expected<std::int64_t> flatten(llvm::ArrayRef<std::int64_t> indices, llvm::ArrayRef<std::int64_t> shape);
/// "8x16", for messages.
std::string describeShape(llvm::ArrayRef<std::int64_t> shape);

/// Checks the layout against a machine: its axes are known, its coordinates within their extents. Says which axes there
/// are.
llvm::Error verify(const Layout& layout, const class AxisSet& axes);

}  // namespace forerun::layout
