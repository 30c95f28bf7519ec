//===- Tensor.h - host-side dense data --------------------------------------===//
// What files hold, what kernels are given and what they return: element type, shape, row-major bytes.
#pragma once

#include "isa/ElementType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::runtime {

using isa::ElementType;

/// A dense row-major array. i1 takes a byte; packed types take a byte too (low nibble), unlike in device memory.
struct Tensor {
  ElementType type = ElementType::F32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;

  Tensor() = default;
  /// Zeros. `shape` must be valid for `elementCount`.
  Tensor(ElementType type, std::vector<std::int64_t> shape);

  std::int64_t elements() const;
  std::size_t elementBytes() const { return isa::storageBytes(type); }
  const std::uint8_t* at(std::int64_t index) const { return bytes.data() + index * elementBytes(); }
  std::uint8_t* at(std::int64_t index) { return bytes.data() + index * elementBytes(); }
  double asDouble(std::int64_t index) const { return isa::loadAsDouble(type, at(index)); }

  /// Overwrites every byte with a pattern that no honest result has: NaN for floats, 0xA5 bytes for integers.
  void poison();
};

/// The bytes of a tensor as they lie in device memory: those of a packed type two a byte, each row from a whole byte
/// on.
std::vector<std::uint8_t> toDevice(ElementType type, llvm::ArrayRef<std::int64_t> shape,
                                   llvm::ArrayRef<std::uint8_t> elements);
/// And back, of a packed type.
void fromDevice(ElementType type, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::uint8_t> bytes,
                llvm::MutableArrayRef<std::uint8_t> elements);

/// Product of the extents; fails when an extent is negative or the size in bytes does not fit 2^62.
llvm::Expected<std::int64_t> elementCount(ElementType type, llvm::ArrayRef<std::int64_t> shape);

/// "128x256xf16"; a scalar shape prints as the type alone.
std::string describe(ElementType type, llvm::ArrayRef<std::int64_t> shape);

/// "(3, 5)" for a row-major linear index.
std::string describeIndex(llvm::ArrayRef<std::int64_t> shape, std::int64_t linear);

}  // namespace forerun::runtime
