//===- ElementType.cpp - names, sizes and conversions of element types -----===//
// Conversions go through f64 (exact for every float type) or i64 (exact for every integer type), so each result is
// rounded once. The host's rounding mode must be to nearest.
#include "isa/ElementType.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

namespace forerun::isa {
namespace {

struct TypeInfo {
  std::string_view name;
  unsigned bits;
  bool isFloat;
};

constexpr std::array<TypeInfo, kElementTypeCount> kTypes{{{"i1", 8, false},
                                                          {"i8", 8, false},
                                                          {"i16", 16, false},
                                                          {"i32", 32, false},
                                                          {"i64", 64, false},
                                                          {"f16", 16, true},
                                                          {"bf16", 16, true},
                                                          {"f32", 32, true},
                                                          {"f64", 64, true},
                                                          {"f8E4M3FN", 8, true},
                                                          {"f8E5M2", 8, true},
                                                          {"i4", 4, false},
                                                          {"f4E2M1FN", 4, true},
                                                          {"f8E8M0FNU", 8, true}}};

const TypeInfo& info(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  assert(index < kTypes.size() && "not an element type");
  return kTypes[index];
}

template <typename T>
T loadBits(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <typename T>
void storeBits(void* element, T value) {
  std::memcpy(element, &value, sizeof value);
}

/// Toward zero into [low, high], NaN to 0. high + 1 must be exact in f64.
std::int64_t saturate(double value, std::int64_t low, std::int64_t high) {
  if (value != value) return 0;
  if (value <= static_cast<double>(low)) return low;
  const double limit = high == std::numeric_limits<std::int64_t>::max() ? 0x1p63 : static_cast<double>(high) + 1.0;
  if (value >= limit) return high;
  return static_cast<std::int64_t>(value);
}

/// An f64 from which rounding to at most 51 bits gives what rounding the exact integer would: bits that do not fit are
/// folded into the lowest one that does.
double toDoubleRoundingToOdd(std::int64_t value) {
  const bool negative = value < 0;
  std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  constexpr std::uint64_t kTooLow = 0x7ff;
  if (magnitude >> 53) magnitude = (magnitude & ~kTooLow) | ((magnitude & kTooLow) ? kTooLow + 1 : 0);
  const auto result = static_cast<double>(magnitude);
  return negative ? -result : result;
}

std::int64_t loadInteger(ElementType type, const void* element) {
  switch (type) {
    case ElementType::I1:
      return loadBits<std::uint8_t>(element) & 1;
    case ElementType::I4:
      return ((loadBits<std::uint8_t>(element) & 0xf) ^ 8) - 8;
    case ElementType::I8:
      return loadBits<std::int8_t>(element);
    case ElementType::I16:
      return loadBits<std::int16_t>(element);
    case ElementType::I32:
      return loadBits<std::int32_t>(element);
    default:
      return loadBits<std::int64_t>(element);
  }
}

double loadFloat(ElementType type, const void* element) {
  switch (type) {
    case ElementType::F16:
      return widenToDouble<kHalf>(loadBits<std::uint16_t>(element));
    case ElementType::BF16:
      return widenToDouble<kBfloat>(loadBits<std::uint16_t>(element));
    case ElementType::F8E4M3FN:
      return widenToDouble<kF8E4M3FN>(loadBits<std::uint8_t>(element));
    case ElementType::F8E5M2:
      return widenToDouble<kF8E5M2>(loadBits<std::uint8_t>(element));
    case ElementType::F4E2M1FN:
      return widenToDouble<kF4E2M1FN>(loadBits<std::uint8_t>(element) & 0xf);
    case ElementType::F8E8M0FNU:
      return scaleToDouble(loadBits<std::uint8_t>(element));
    case ElementType::F32:
      return loadBits<float>(element);
    default:
      return loadBits<double>(element);
  }
}

void storeFloat(ElementType type, void* element, double value, Overflow overflow) {
  const bool saturates = overflow == Overflow::Saturate;
  switch (type) {
    case ElementType::F16:
      return storeBits(element, static_cast<std::uint16_t>(narrowDouble<kHalf>(value)));
    case ElementType::BF16:
      return storeBits(element, static_cast<std::uint16_t>(narrowDouble<kBfloat>(value)));
    case ElementType::F8E4M3FN:
      return storeBits(element, static_cast<std::uint8_t>(saturates ? narrowDouble<kF8E4M3FN>(value)
                                                                    : narrowDouble<kF8E4M3FNOpen>(value)));
    case ElementType::F8E5M2:
      return storeBits(element, static_cast<std::uint8_t>(saturates ? narrowDouble<kF8E5M2>(value)
                                                                    : narrowDouble<kF8E5M2Open>(value)));
    case ElementType::F4E2M1FN:
      return storeBits(element, static_cast<std::uint8_t>(narrowDouble<kF4E2M1FN>(value)));
    case ElementType::F8E8M0FNU:
      return storeBits(element, static_cast<std::uint8_t>(doubleToScale(value, saturates)));
    case ElementType::F32:
      return storeBits(element, static_cast<float>(value));
    default:
      return storeBits(element, value);
  }
}

void storeInteger(ElementType type, void* element, std::int64_t value) {
  switch (type) {
    case ElementType::I1:
      return storeBits(element, static_cast<std::uint8_t>(value & 1));
    case ElementType::I4:
      return storeBits(element, static_cast<std::uint8_t>(value & 0xf));
    case ElementType::I8:
      return storeBits(element, static_cast<std::uint8_t>(value));
    case ElementType::I16:
      return storeBits(element, static_cast<std::uint16_t>(value));
    case ElementType::I32:
      return storeBits(element, static_cast<std::uint32_t>(value));
    default:
      return storeBits(element, value);
  }
}

std::int64_t saturateToType(ElementType type, double value) {
  if (type == ElementType::I1) return saturate(value, 0, 1);
  const unsigned bits = storageBits(type);
  const std::int64_t high = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  return saturate(value, -high - 1, high);
}

double canonicalized(double value) {
  return value != value ? std::bit_cast<double>(std::uint64_t{0x7ff8} << 48) : value;
}

}  // namespace

unsigned storageBits(ElementType type) { return info(type).bits; }
bool isFloat(ElementType type) { return info(type).isFloat; }
bool isInteger(ElementType type) { return !info(type).isFloat; }
std::string_view name(ElementType type) { return info(type).name; }

std::optional<ElementType> parseElementType(std::string_view name) {
  for (unsigned code = 0; code < kElementTypeCount; ++code)
    if (kTypes[code].name == name) return static_cast<ElementType>(code);
  return std::nullopt;
}

std::optional<ElementType> elementTypeFromCode(std::uint64_t code) {
  if (code >= kElementTypeCount) return std::nullopt;
  return static_cast<ElementType>(code);
}

double loadAsDouble(ElementType type, const void* element) {
  return isFloat(type) ? loadFloat(type, element) : static_cast<double>(loadInteger(type, element));
}

std::int64_t loadAsInt(ElementType type, const void* element) {
  return isFloat(type) ? saturateToType(ElementType::I64, loadFloat(type, element)) : loadInteger(type, element);
}

void storeFromDouble(ElementType type, void* element, double value, Overflow overflow) {
  if (isFloat(type)) return storeFloat(type, element, value, overflow);
  storeInteger(type, element, saturateToType(type, value));
}

void storeFromInt(ElementType type, void* element, std::int64_t value, Overflow overflow) {
  if (isInteger(type)) return storeInteger(type, element, value);
  if (type == ElementType::F32) return storeBits(element, static_cast<float>(value));
  if (type == ElementType::F64) return storeBits(element, static_cast<double>(value));
  storeFloat(type, element, toDoubleRoundingToOdd(value), overflow);
}

void convertElement(ElementType from, const void* source, ElementType to, void* destination, Overflow overflow) {
  if (from == to)
    std::memmove(destination, source, storageBytes(from));
  else if (isFloat(from))
    storeFromDouble(to, destination, canonicalized(loadFloat(from, source)), overflow);
  else
    storeFromInt(to, destination, loadInteger(from, source), overflow);
}

void convertElements(ElementType from, const void* source, std::ptrdiff_t sourceStrideBytes, ElementType to,
                     void* destination, std::ptrdiff_t destinationStrideBytes, std::size_t count) {
  // The matrix unit's rows are many and short.
  if (from == ElementType::F16 && to == ElementType::F32 && sourceStrideBytes == 2 && destinationStrideBytes == 4)
    return halfToFloat(static_cast<const std::uint16_t*>(source), static_cast<float*>(destination), count);
  const auto* in = static_cast<const std::byte*>(source);
  auto* out = static_cast<std::byte*>(destination);
  const auto inBytes = static_cast<std::ptrdiff_t>(storageBytes(from)),
             outBytes = static_cast<std::ptrdiff_t>(storageBytes(to));
  const bool contiguous = sourceStrideBytes == inBytes && destinationStrideBytes == outBytes;
  if (from == to && contiguous) {
    std::memmove(out, in, count * static_cast<std::size_t>(inBytes));
    return;
  }
  if (from != to && contiguous && in != out) {
    const auto* halves = reinterpret_cast<const std::uint16_t*>(in);
    const auto* floats = reinterpret_cast<const float*>(in);
    if (from == ElementType::BF16 && to == ElementType::F32)
      return bfloatToFloat(halves, reinterpret_cast<float*>(out), count);
    if (from == ElementType::F32 && to == ElementType::F16)
      return floatToHalf(floats, reinterpret_cast<std::uint16_t*>(out), count);
    if (from == ElementType::F32 && to == ElementType::BF16)
      return floatToBfloat(floats, reinterpret_cast<std::uint16_t*>(out), count);
  }
  for (std::size_t i = 0; i < count; ++i, in += sourceStrideBytes, out += destinationStrideBytes)
    convertElement(from, in, to, out);
}

}  // namespace forerun::isa
