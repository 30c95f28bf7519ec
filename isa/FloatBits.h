//===- FloatBits.h - conversions between float formats, as bits ------------===//
// Inline and free of branches where loops over them should vectorise. The only place that knows the formats' bit
// layouts.
#pragma once

#include <bit>
#include <cstdint>

namespace forerun::isa {

/// A binary float format narrower than f64. Every finite value of one is exact in f64.
struct FloatFormat {
  unsigned exponentBits = 0;
  unsigned mantissaBits = 0;
  bool saturates = false;       ///< overflow and infinities give the largest finite value
  std::uint32_t maxFinite = 0;  ///< code of the largest finite magnitude
  std::uint32_t infinity = 0;   ///< code of infinity; 0 where the format has none
  std::uint32_t nan = 0;        ///< code of the canonical NaN

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr unsigned signShift() const { return exponentBits + mantissaBits; }
};

inline constexpr FloatFormat kHalf{5, 10, false, 0x7bff, 0x7c00, 0x7e00};
inline constexpr FloatFormat kBfloat{8, 7, false, 0x7f7f, 0x7f80, 0x7fc0};
/// OCP 8-bit formats, in their saturating mode (infinities saturate too). E4M3FN has one NaN a sign and no infinity.
inline constexpr FloatFormat kF8E4M3FN{4, 3, true, 0x7e, 0, 0x7f};
inline constexpr FloatFormat kF8E5M2{5, 2, true, 0x7b, 0x7c, 0x7e};
/// The same where overflow does not saturate: to infinity, or to NaN where there is none.
inline constexpr FloatFormat kF8E4M3FNOpen{4, 3, false, 0x7e, 0, 0x7f};
inline constexpr FloatFormat kF8E5M2Open{5, 2, false, 0x7b, 0x7c, 0x7e};
/// OCP 4-bit format: neither infinity nor NaN; a NaN gives 0.
inline constexpr FloatFormat kF4E2M1FN{2, 1, true, 0x7, 0, 0};

/// Rounds an f64 once, to nearest even. NaNs keep their sign and the leading bits of their payload, made quiet.
template <FloatFormat Format>
constexpr std::uint32_t narrowDouble(double value) {
  constexpr std::uint64_t kMagnitude = (std::uint64_t{1} << 63) - 1, kInfinity = std::uint64_t{0x7ff} << 52;
  constexpr int kMinExponent = 1 - Format.bias();
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << Format.signShift();
  const std::uint64_t magnitude = bits & kMagnitude;
  constexpr std::uint32_t kBeyond = Format.saturates  ? Format.maxFinite
                                    : Format.infinity ? Format.infinity
                                                      : Format.nan;
  if (magnitude > kInfinity) {
    if constexpr (Format.nan == 0) return 0;
    if constexpr (Format.infinity == 0) return sign | Format.nan;
    const auto payload =
        static_cast<std::uint32_t>(magnitude >> (52 - Format.mantissaBits)) & ((1u << Format.mantissaBits) - 1);
    return sign | Format.nan | payload;
  }
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > Format.bias() + 1) return sign | kBeyond;
  int shift = 52 - static_cast<int>(Format.mantissaBits);
  const bool subnormal = exponent < kMinExponent;
  if (subnormal) shift += kMinExponent - exponent;
  if (shift > 53) return sign;  // below half of the least subnormal; every f64 subnormal ends here
  const std::uint64_t significand = (magnitude & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  auto code = static_cast<std::uint32_t>((significand + half - 1 + ((significand >> shift) & 1)) >> shift);
  // The hidden bit of a normal number adds 1 to the exponent field; a carry out of the mantissa adds another.
  if (!subnormal) code += static_cast<std::uint32_t>(exponent - kMinExponent) << Format.mantissaBits;
  if (code > Format.maxFinite) code = kBeyond;
  return sign | code;
}

/// The exact f64 value of a code. NaNs keep sign and payload, made quiet.
template <FloatFormat Format>
constexpr double widenToDouble(std::uint32_t code) {
  constexpr unsigned kMantissa = Format.mantissaBits;
  const std::uint64_t sign = static_cast<std::uint64_t>((code >> Format.signShift()) & 1) << 63;
  const std::uint32_t magnitude = code & ((1u << Format.signShift()) - 1);
  const std::uint64_t fraction = static_cast<std::uint64_t>(magnitude & ((1u << kMantissa) - 1)) << (52 - kMantissa);
  if (magnitude > Format.maxFinite) {
    const bool isInfinity = Format.infinity != 0 && magnitude == Format.infinity;
    return std::bit_cast<double>(sign |
                                 (isInfinity ? std::uint64_t{0x7ff} << 52 : (std::uint64_t{0xfff} << 51) | fraction));
  }
  const std::uint32_t exponent = magnitude >> kMantissa;
  if (exponent == 0) {
    // code * 2^(minExponent - mantissaBits): a product with a power of two, exact.
    const double scale =
        std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1 - Format.bias() - static_cast<int>(kMantissa)) << 52);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(static_cast<double>(magnitude) * scale) | sign);
  }
  return std::bit_cast<double>(sign | (static_cast<std::uint64_t>(exponent + 1023 - Format.bias()) << 52) | fraction);
}

/// OCP E8M0, the scale of a block: 2^(code - 127), neither sign nor zero.
inline constexpr std::uint32_t kScaleNan = 0xff, kScaleGreatest = 0xfe;

constexpr double scaleToDouble(std::uint32_t code) {
  if (code == kScaleNan) return std::bit_cast<double>(std::uint64_t{0xfff} << 51);
  return std::bit_cast<double>(static_cast<std::uint64_t>(code + 1023 - 127) << 52);
}

/// The nearest power of two, the greater of two that are; see storeFromDouble.
constexpr std::uint32_t doubleToScale(double value, bool saturates) {
  if (value != value || value < 0) return kScaleNan;
  if (value <= 0x1p-127) return 0;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 51;
  const std::uint64_t code = ((bits + kHalf) >> 52) - (1023 - 127);
  if (code > kScaleGreatest) return saturates ? kScaleGreatest : kScaleNan;
  return static_cast<std::uint32_t>(code);
}

// Raw scalar conversions between f16, bf16, f32 and f64: IEEE, one rounding to nearest even; a NaN gives the canonical
// NaN of the result type, as RISC-V's fcvt.

constexpr float halfToFloat(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
  const std::uint32_t normal = (magnitude << 13) + (112u << 23);
  // A subnormal is put below a hidden bit that the exact subtraction takes away again.
  const float pulled = std::bit_cast<float>(normal + (1u << 23)) - std::bit_cast<float>(113u << 23);
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(pulled) & 0x7fffffffu;
  std::uint32_t result = magnitude < 0x0400u ? subnormal : normal;
  result = magnitude < 0x7c00u ? result : 0x7f800000u;
  result |= sign;
  return std::bit_cast<float>(magnitude > 0x7c00u ? 0x7fc00000u : result);
}

constexpr std::uint16_t floatToHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
  const std::uint32_t rebased = magnitude - (112u << 23);
  const std::uint32_t normal = (rebased + 0xfffu + ((rebased >> 13) & 1)) >> 13;
  // Below 2^-14: shift the significand so that one unit is 2^-24. Shifts past 24 give 0.
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t shift = 126u - (exponent < 101u ? 101u : exponent > 125u ? 125u : exponent);
  const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  std::uint32_t subnormal = (significand + (1u << (shift - 1)) - 1 + ((significand >> shift) & 1)) >> shift;
  subnormal = exponent < 102u ? 0u : subnormal;
  std::uint32_t result = magnitude < (113u << 23) ? subnormal : normal;
  result = magnitude < (143u << 23) ? result : 0x7c00u;
  result |= sign;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? 0x7e00u : result);
}

constexpr float bfloatToFloat(std::uint16_t bits) {
  return std::bit_cast<float>((bits & 0x7fffu) > 0x7f80u ? 0x7fc00000u : static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t floatToBfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded);
}

constexpr std::uint16_t doubleToHalf(double value) {
  return static_cast<std::uint16_t>(value != value ? kHalf.nan : narrowDouble<kHalf>(value));
}

constexpr std::uint16_t doubleToBfloat(double value) {
  return static_cast<std::uint16_t>(value != value ? kBfloat.nan : narrowDouble<kBfloat>(value));
}

}  // namespace forerun::isa
