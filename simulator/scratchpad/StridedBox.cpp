//===- StridedBox.cpp - the bytes that a descriptor touches -----------------===//
// Normal form and exact overlap of nested strides.
#include "simulator/scratchpad/StridedBox.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace forerun::sim {

namespace {

// A command longer than this cannot be meant: 2^36 elements take minutes of host time at memory speed.
constexpr std::int64_t kMaximumExtent = std::int64_t{1} << 32;
constexpr std::int64_t kMaximumElements = std::int64_t{1} << 36;

[[noreturn]] void illegal(const char* role, const std::string& what) {
  throw Error(ErrorKind::IllegalProgram, std::string(role) + " descriptor: " + what);
}

/// Some run of dimensions [0, dims) of `box`, shifted to `base`, meets [begin, end).
bool meets(const StridedBox& box, unsigned dims, std::uint64_t base, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t span = box.runBytes;
  for (unsigned d = 0; d < dims; ++d) span += box.stride[d] * (box.count[d] - 1);
  if (end <= base || base + span <= begin) return false;
  if (dims == 0 || (begin <= base && base + span <= end)) return true;
  const unsigned d = dims - 1;
  const std::uint64_t stride = box.stride[d], inner = span - stride * (box.count[d] - 1);
  // Index i covers [base + i*stride, + inner); keep those that can meet the range.
  std::uint64_t from = begin >= base + inner ? (begin - base - inner) / stride + 1 : 0;
  std::uint64_t to = std::min<std::uint64_t>(box.count[d] - 1, (end - 1 - base) / stride);
  for (std::uint64_t i = from; i <= to; ++i)
    if (meets(box, d, base + i * stride, begin, end)) return true;
  return false;
}

std::uint64_t runsOf(const StridedBox& box) {
  std::uint64_t runs = 1;
  for (unsigned d = 0; d < box.dimensions; ++d) runs *= box.count[d];
  return runs;
}

/// Walks the runs of `walked` from dimension `dims` down and asks the other box about each, skipping parts out of its
/// reach.
bool anyRunMeets(const StridedBox& walked, unsigned dims, std::uint64_t base, const StridedBox& other) {
  std::uint64_t span = walked.runBytes;
  for (unsigned d = 0; d < dims; ++d) span += walked.stride[d] * (walked.count[d] - 1);
  if (!meets(other, other.dimensions, other.first, base, base + span)) return false;
  if (dims == 0) return true;
  for (std::uint64_t i = 0; i < walked.count[dims - 1]; ++i)
    if (anyRunMeets(walked, dims - 1, base + i * walked.stride[dims - 1], other)) return true;
  return false;
}

}  // namespace

std::uint64_t StridedBox::end() const {
  std::uint64_t last = first + runBytes;
  for (unsigned d = 0; d < dimensions; ++d) last += stride[d] * (count[d] - 1);
  return last;
}

std::uint64_t StridedBox::bytes() const { return runBytes * runsOf(*this); }

StridedBox StridedBox::movedTo(std::uint64_t newFirst) const {
  StridedBox moved = *this;
  moved.first = newFirst;
  return moved;
}

void checkShape(const Descriptor& descriptor, const char* role) {
  std::int64_t elements = 1;
  for (unsigned d = 0; d < 4; ++d) {
    std::int64_t extent = descriptor.extent[d];
    if (extent < 0) illegal(role, "extent" + std::to_string(d) + " is negative (" + std::to_string(extent) + ")");
    if (extent > kMaximumExtent)
      illegal(role, "extent" + std::to_string(d) + " is above 2^32 (" + std::to_string(extent) + ")");
    elements = elements > kMaximumElements ? elements : elements * std::max<std::int64_t>(extent, 1);
    if (elements > kMaximumElements) illegal(role, "more than 2^36 elements");
  }
}

std::array<IndexRange, 4> validRange(const Descriptor& descriptor) {
  std::array<IndexRange, 4> range;
  for (unsigned d = 0; d < 4; ++d) {
    range[d].begin = std::max<std::int64_t>(0, descriptor.low[d]);
    range[d].end = std::min(descriptor.extent[d], descriptor.high[d]);
  }
  return range;
}

StridedBox boxOf(const Descriptor& descriptor, const std::array<IndexRange, 4>& range, const char* role) {
  StridedBox box;
  for (const IndexRange& r : range)
    if (r.size() == 0) return box;
  using Wide = __int128;
  Wide lowest = descriptor.base;
  struct Dimension {
    std::uint64_t count, stride;
  };
  std::array<Dimension, 4> dims{};
  unsigned used = 0;
  Wide span = 0;
  const bool packed = isa::isPacked(descriptor.type);
  for (unsigned d = packed ? 1 : 0; d < 4; ++d) {
    Wide stride = descriptor.stride[d];
    lowest += stride * (stride < 0 ? range[d].end - 1 : range[d].begin);
    if (range[d].size() == 1 || stride == 0) continue;
    Wide magnitude = stride < 0 ? -stride : stride;
    span += magnitude * (range[d].size() - 1);
    dims[used++] = {static_cast<std::uint64_t>(range[d].size()), static_cast<std::uint64_t>(magnitude)};
  }
  std::uint64_t elementBytes = isa::storageBytes(descriptor.type);
  if (packed) {  // the bytes of a row as one element
    lowest += range[0].begin / 2;
    elementBytes = static_cast<std::uint64_t>((range[0].end + 1) / 2 - range[0].begin / 2);
  }
  if (lowest < 0 || lowest + span + elementBytes > (Wide{1} << 63))
    illegal(role, "an element's address is outside the address map");
  box.first = static_cast<std::uint64_t>(lowest);
  box.runBytes = elementBytes;
  std::sort(dims.begin(), dims.begin() + used,
            [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  for (unsigned d = 0; d < used; ++d) {
    if (box.dimensions == 0 && dims[d].stride <= box.runBytes) {
      box.runBytes += dims[d].stride * (dims[d].count - 1);  // touching or overlapping: one longer run
    } else if (box.dimensions > 0 && dims[d].stride == box.stride[box.dimensions - 1] * box.count[box.dimensions - 1]) {
      box.count[box.dimensions - 1] *= dims[d].count;
    } else {
      box.count[box.dimensions] = dims[d].count;
      box.stride[box.dimensions++] = dims[d].stride;
    }
  }
  return box;
}

bool overlaps(const StridedBox& box, std::uint64_t begin, std::uint64_t end) {
  return !box.empty() && begin < end && meets(box, box.dimensions, box.first, begin, end);
}

namespace {

/// Modulo the greatest common divisor of all strides, the runs of a box are one interval: neighbouring column slices of
/// a matrix never meet.
bool apartModuloStrides(const StridedBox& a, const StridedBox& b) {
  std::uint64_t divisor = 0;
  for (const StridedBox* box : {&a, &b})
    for (unsigned d = 0; d < box->dimensions; ++d) divisor = std::gcd(divisor, box->stride[d]);
  if (divisor == 0 || a.runBytes + b.runBytes > divisor) return false;
  const std::uint64_t distance =
      b.first >= a.first ? (b.first - a.first) % divisor : (divisor - (a.first - b.first) % divisor) % divisor;
  return distance >= a.runBytes && distance + b.runBytes <= divisor;
}

}  // namespace

bool overlaps(const StridedBox& a, const StridedBox& b) {
  if (a.empty() || b.empty() || a.end() <= b.first || b.end() <= a.first || apartModuloStrides(a, b)) return false;
  return runsOf(a) <= runsOf(b) ? anyRunMeets(a, a.dimensions, a.first, b) : anyRunMeets(b, b.dimensions, b.first, a);
}

}  // namespace forerun::sim
