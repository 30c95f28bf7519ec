//===- DmaRows.h - helpers of the DMA function over rows --------------------===//
// Copy and indexed copy share how a row of dimension 0 moves.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/kernel/Error.h"
#include "simulator/scratchpad/StridedBox.h"

#include <cstdint>
#include <cstring>
#include <string>

namespace forerun::sim::dma {

using Ranges = std::array<IndexRange, 4>;

inline std::int64_t offsetOf(const Descriptor& d, std::int64_t i3, std::int64_t i2, std::int64_t i1, std::int64_t i0) {
  return i3 * d.stride[3] + i2 * d.stride[2] + i1 * d.stride[1] + i0 * d.stride[0];
}

template <typename T>
void moveStrided(const std::uint8_t* source, std::int64_t sourceStride, std::uint8_t* target, std::int64_t targetStride,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, source + i * sourceStride, sizeof value);
    std::memcpy(target + i * targetStride, &value, sizeof value);
  }
}

inline void moveRow(isa::ElementType from, const std::uint8_t* source, std::int64_t sourceStride, isa::ElementType to,
                    std::uint8_t* target, std::int64_t targetStride, std::int64_t count) {
  if (count <= 0) return;
  const std::int64_t bytes = isa::storageBytes(to);
  if (from == to && sourceStride == bytes && targetStride == bytes) {
    std::memcpy(target, source, static_cast<std::size_t>(count * bytes));
    return;
  }
  if (from == to && from != isa::ElementType::I1) {
    if (bytes == 1) return moveStrided<std::uint8_t>(source, sourceStride, target, targetStride, count);
    if (bytes == 2) return moveStrided<std::uint16_t>(source, sourceStride, target, targetStride, count);
    if (bytes == 4) return moveStrided<std::uint32_t>(source, sourceStride, target, targetStride, count);
    return moveStrided<std::uint64_t>(source, sourceStride, target, targetStride, count);
  }
  isa::convertElements(from, source, sourceStride, to, target, targetStride, static_cast<std::size_t>(count));
}

/// Element bits that invalid source elements yield, in the destination's type.
inline std::array<std::uint8_t, 8> fillElement(const Descriptor& source, isa::ElementType to) {
  std::array<std::uint8_t, 8> element{};
  isa::convertElement(source.type, &source.fill, to, element.data());
  return element;
}

inline void fillRow(isa::ElementType type, const std::array<std::uint8_t, 8>& element, std::uint8_t* target,
                    std::int64_t stride, std::int64_t count) {
  if (count > 0) isa::convertElements(type, element.data(), 0, type, target, stride, static_cast<std::size_t>(count));
}

template <typename F>
void forEachRow(const Ranges& r, F f) {
  for (std::int64_t i3 = r[3].begin; i3 < r[3].end; ++i3)
    for (std::int64_t i2 = r[2].begin; i2 < r[2].end; ++i2)
      for (std::int64_t i1 = r[1].begin; i1 < r[1].end; ++i1) f(i3, i2, i1);
}

inline bool contains(const IndexRange& r, std::int64_t i) { return i >= r.begin && i < r.end; }

/// Shape and element type of one operand.
inline void checkOperand(const Descriptor& d, const char* role) {
  checkShape(d, role);
  if (d.type == isa::ElementType::I4)
    throw Error(ErrorKind::UnsupportedFeature, std::string(role) + " has element type i4; DMA moves whole bytes");
}

}  // namespace forerun::sim::dma
