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

/// Elements of dimension 0 from index `begin`. A packed type's lie two a byte from `first` on, whatever `stride` is.
struct Row {
  isa::ElementType type;
  std::uint8_t* first;  ///< element 0, which need not exist
  std::int64_t stride, begin;

  std::uint8_t* at(std::int64_t i) const { return first + (begin + i) * stride; }
  std::uint8_t nibble(std::int64_t i) const {
    const std::int64_t index = begin + i;
    return static_cast<std::uint8_t>((first[index >> 1] >> (index & 1) * 4) & 0xf);
  }
  void setNibble(std::int64_t i, std::uint8_t value) const {
    const std::int64_t index = begin + i;
    const int shift = (index & 1) * 4;
    first[index >> 1] = static_cast<std::uint8_t>((first[index >> 1] & (0xf0 >> shift)) | ((value & 0xf) << shift));
  }
};

/// `count` elements of which one side is packed. Nothing else in a byte changes.
inline void movePacked(const Row& source, const Row& target, std::int64_t count) {
  const bool reads = isa::isPacked(source.type), writes = isa::isPacked(target.type);
  if (source.type == target.type && source.begin % 2 == 0 && target.begin % 2 == 0 && count > 1) {
    std::memcpy(target.first + target.begin / 2, source.first + source.begin / 2, static_cast<std::size_t>(count / 2));
    if (count % 2) target.setNibble(count - 1, source.nibble(count - 1));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint8_t from = reads ? source.nibble(i) : 0, to = 0;
    isa::convertElement(source.type, reads ? &from : source.at(i), target.type, writes ? &to : target.at(i));
    if (writes) target.setNibble(i, to);
  }
}

inline void moveRow(const Row& source, const Row& target, std::int64_t count) {
  if (count <= 0) return;
  if (isa::isPacked(source.type) || isa::isPacked(target.type)) return movePacked(source, target, count);
  const std::int64_t bytes = isa::storageBytes(target.type);
  const std::uint8_t* in = source.at(0);
  std::uint8_t* out = target.at(0);
  if (source.type == target.type && source.stride == bytes && target.stride == bytes) {
    std::memcpy(out, in, static_cast<std::size_t>(count * bytes));
    return;
  }
  if (source.type == target.type && source.type != isa::ElementType::I1) {
    if (bytes == 1) return moveStrided<std::uint8_t>(in, source.stride, out, target.stride, count);
    if (bytes == 2) return moveStrided<std::uint16_t>(in, source.stride, out, target.stride, count);
    if (bytes == 4) return moveStrided<std::uint32_t>(in, source.stride, out, target.stride, count);
    return moveStrided<std::uint64_t>(in, source.stride, out, target.stride, count);
  }
  isa::convertElements(source.type, in, source.stride, target.type, out, target.stride,
                       static_cast<std::size_t>(count));
}

/// Element bits that invalid source elements yield, in the destination's type.
inline std::array<std::uint8_t, 8> fillElement(const Descriptor& source, isa::ElementType to) {
  std::array<std::uint8_t, 8> element{};
  isa::convertElement(source.type, &source.fill, to, element.data());
  return element;
}

inline void fillRow(const std::array<std::uint8_t, 8>& element, const Row& target, std::int64_t count) {
  if (isa::isPacked(target.type)) {
    for (std::int64_t i = 0; i < count; ++i) target.setNibble(i, element[0]);
  } else if (count > 0) {
    isa::convertElements(target.type, element.data(), 0, target.type, target.at(0), target.stride,
                         static_cast<std::size_t>(count));
  }
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
  if (isa::isPacked(d.type) && d.stride[0] != 0)
    throw Error(ErrorKind::IllegalProgram, std::string(role) + " has element type " + std::string(isa::name(d.type)) +
                                               ", whose neighbours lie in one byte: stride0 must be 0, found " +
                                               std::to_string(d.stride[0]));
}

}  // namespace forerun::sim::dma
