//===- StridedBox.h - the bytes that a descriptor touches -------------------===//
// Up to four nested strides over elements, as engines walk them; used to check bounds, find races and order commands of
// a queue.
#pragma once

#include "simulator/core/Command.h"

#include <array>
#include <cstdint>

namespace forerun::sim {

/// Half-open range of element indices in one dimension.
struct IndexRange {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end > begin ? end - begin : 0; }
};

/// A set of bytes: runs of `runBytes` at `first` + sum of i_d * stride_d. Normalised: strides positive and ascending,
/// counts above 1, dimensions that continue each other merged. `dimensions` == 0 and runBytes > 0 is one run.
struct StridedBox {
  std::uint64_t first = 0;     ///< lowest byte address
  std::uint64_t runBytes = 0;  ///< 0 = empty
  unsigned dimensions = 0;
  std::array<std::uint64_t, 4> count{}, stride{};

  bool empty() const { return runBytes == 0; }
  /// One past the highest byte.
  std::uint64_t end() const;
  /// Bytes in the set when runs don't overlap each other.
  std::uint64_t bytes() const;
  /// The same set elsewhere in memory.
  StridedBox movedTo(std::uint64_t newFirst) const;
};

/// Throws IllegalProgram when extents are negative or so large that no memory could hold them.
void checkShape(const Descriptor& descriptor, const char* role);

/// Indices inside the descriptor's extents and low/high bounds, one range a dimension.
std::array<IndexRange, 4> validRange(const Descriptor& descriptor);

/// Bytes of the elements of `descriptor` at `range` (all inside its extents). Throws IllegalProgram when an address
/// leaves 63 bits.
StridedBox boxOf(const Descriptor& descriptor, const std::array<IndexRange, 4>& range, const char* role);
inline StridedBox boxOf(const Descriptor& descriptor, const char* role) {
  return boxOf(descriptor, validRange(descriptor), role);
}

/// Exact: some byte is in both.
bool overlaps(const StridedBox& a, const StridedBox& b);
bool overlaps(const StridedBox& box, std::uint64_t begin, std::uint64_t end);

}  // namespace forerun::sim
