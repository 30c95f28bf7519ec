//===- Tensor.cpp - host-side dense data ------------------------------------===//
// Sizes, poison and printing of tensors.
#include "compiler/runtime/Tensor.h"

#include "llvm/ADT/Twine.h"

#include <cassert>
#include <cstring>

namespace forerun::runtime {

Tensor::Tensor(ElementType type, std::vector<std::int64_t> shape) : type(type), shape(std::move(shape)) {
  bytes.resize(static_cast<std::size_t>(elements()) * elementBytes());
}

std::int64_t Tensor::elements() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

void Tensor::poison() {
  std::uint8_t pattern[8];
  std::memset(pattern, 0xA5, sizeof(pattern));
  // All ones is a NaN in every float format here but f8E5M2 and f8E4M3FN, where 0x7F is one.
  if (isa::isFloat(type)) std::memset(pattern, elementBytes() == 1 ? 0x7F : 0xFF, sizeof(pattern));
  if (type == ElementType::F8E8M0FNU) std::memset(pattern, 0xFF, sizeof(pattern));
  if (isa::isPacked(type)) std::memset(pattern, 0x5, sizeof(pattern));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern[i % 8];
}

std::vector<std::uint8_t> toDevice(ElementType type, llvm::ArrayRef<std::int64_t> shape,
                                   llvm::ArrayRef<std::uint8_t> elements) {
  if (!isa::isPacked(type)) return elements.vec();
  const std::size_t row = shape.empty() ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t pitch = isa::rowBytes(type, row);
  std::vector<std::uint8_t> bytes(row == 0 ? 0 : elements.size() / row * pitch);
  for (std::size_t i = 0; i < elements.size(); ++i)
    bytes[i / row * pitch + i % row / 2] |= static_cast<std::uint8_t>((elements[i] & 0xf) << (i % row % 2 * 4));
  return bytes;
}

void fromDevice(ElementType type, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::uint8_t> bytes,
                llvm::MutableArrayRef<std::uint8_t> elements) {
  assert(isa::isPacked(type));
  const std::size_t row = shape.empty() ? 1 : static_cast<std::size_t>(shape.back());
  const std::size_t pitch = isa::rowBytes(type, row);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = (bytes[i / row * pitch + i % row / 2] >> (i % row % 2 * 4)) & 0xf;
}

llvm::Expected<std::int64_t> elementCount(ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  std::int64_t count = 1;
  const std::int64_t limit = (std::int64_t{1} << 62) / isa::storageBytes(type);
  for (std::int64_t extent : shape) {
    if (extent < 0)
      return llvm::createStringError("extent " + llvm::Twine(extent) + " in " + describe(type, shape) + " is negative");
    if (extent != 0 && count > limit / extent)
      return llvm::createStringError(llvm::Twine(describe(type, shape)) + " is larger than any memory");
    count *= extent;
  }
  return count;
}

std::string describe(ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  std::string text;
  for (std::int64_t extent : shape) text += (extent < 0 ? std::string("?") : std::to_string(extent)) + "x";
  return text + std::string(isa::name(type));
}

std::string describeIndex(llvm::ArrayRef<std::int64_t> shape, std::int64_t linear) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = shape[d] ? linear % shape[d] : 0;
    linear = shape[d] ? linear / shape[d] : 0;
  }
  std::string text = "(";
  for (std::size_t d = 0; d < index.size(); ++d) text += (d ? ", " : "") + std::to_string(index[d]);
  return text + ")";
}

}  // namespace forerun::runtime
