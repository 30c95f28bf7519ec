//===- SoftFloat.h - IEEE arithmetic with every rounding mode and flag ------===//
// The host offers neither round-to-nearest-max-magnitude nor cheap exception flags; this gives RISC-V's results bit by
// bit.
#pragma once

#include <bit>
#include <cstdint>

namespace forerun::sim::core::fp {

/// Encodings of frm and of the rm field.
enum class Rounding : std::uint8_t { NearestEven = 0, TowardZero = 1, Down = 2, Up = 3, NearestMaxMagnitude = 4 };

/// Bits of fflags.
inline constexpr std::uint8_t kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivideByZero = 8, kInvalid = 16;

template <typename BitsT, int kExponentBits, int kFractionBits>
struct Format {
  using Bits = BitsT;
  static constexpr int exponentBits = kExponentBits, fractionBits = kFractionBits;
  static constexpr int bits = 1 + kExponentBits + kFractionBits;
  static constexpr int bias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int maxBiased = (1 << kExponentBits) - 1;
  static constexpr Bits signMask = static_cast<Bits>(Bits{1} << (bits - 1));
  static constexpr Bits fractionMask = static_cast<Bits>((Bits{1} << kFractionBits) - 1);
  static constexpr Bits infinity = static_cast<Bits>(static_cast<Bits>(maxBiased) << kFractionBits);
  static constexpr Bits quietBit = static_cast<Bits>(Bits{1} << (kFractionBits - 1));
  static constexpr Bits canonicalNan = static_cast<Bits>(infinity | quietBit);
};
using F16 = Format<std::uint16_t, 5, 10>;
using BF16 = Format<std::uint16_t, 8, 7>;
using F32 = Format<std::uint32_t, 8, 23>;
using F64 = Format<std::uint64_t, 11, 52>;

template <class F>
constexpr bool isNan(typename F::Bits a) {
  return static_cast<typename F::Bits>(a & ~F::signMask) > F::infinity;
}
template <class F>
constexpr bool isSignalingNan(typename F::Bits a) {
  return isNan<F>(a) && !(a & F::quietBit);
}
template <class F>
constexpr bool isInfinite(typename F::Bits a) {
  return static_cast<typename F::Bits>(a & ~F::signMask) == F::infinity;
}
template <class F>
constexpr bool isZero(typename F::Bits a) {
  return static_cast<typename F::Bits>(a & ~F::signMask) == 0;
}
template <class F>
constexpr bool isNegative(typename F::Bits a) {
  return (a & F::signMask) != 0;
}

/// A finite non-zero value: significand / 2^62 * 2^exponent with 2^62 <= significand < 2^63.
struct Unpacked {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;
};

inline std::uint64_t shiftRightJam(std::uint64_t value, int distance) {
  if (distance <= 0) return value;
  if (distance >= 64) return value != 0;
  return (value >> distance) | ((value << (64 - distance)) != 0);
}
inline unsigned __int128 shiftRightJam128(unsigned __int128 value, int distance) {
  if (distance <= 0) return value;
  if (distance >= 128) return value != 0;
  return (value >> distance) | ((value << (128 - distance)) != 0);
}

template <class F>
Unpacked unpack(typename F::Bits a) {
  const int biased = static_cast<int>(a >> F::fractionBits) & F::maxBiased;
  const std::uint64_t fraction = a & F::fractionMask;
  if (biased == 0) {
    const int lead = std::countl_zero(fraction) - 1;
    return {isNegative<F>(a), 1 - F::bias - F::fractionBits + 62 - lead, fraction << lead};
  }
  return {isNegative<F>(a), biased - F::bias,
          (fraction | std::uint64_t{1} << F::fractionBits) << (62 - F::fractionBits)};
}

inline std::uint64_t roundIncrement(Rounding mode, bool negative, std::uint64_t mask) {
  switch (mode) {
    case Rounding::NearestEven:
    case Rounding::NearestMaxMagnitude:
      return (mask >> 1) + 1;
    case Rounding::TowardZero:
      return 0;
    case Rounding::Down:
      return negative ? mask : 0;
    case Rounding::Up:
      return negative ? 0 : mask;
  }
  return 0;
}

/// Rounds once. The lowest bit of the significand may be sticky. Tininess is detected after rounding (RISC-V
/// unprivileged 20.2).
template <class F>
typename F::Bits roundPack(Unpacked v, Rounding mode, std::uint8_t& flags) {
  using Bits = typename F::Bits;
  constexpr int shift = 62 - F::fractionBits;
  constexpr std::uint64_t mask = (std::uint64_t{1} << shift) - 1;
  const std::uint64_t increment = roundIncrement(mode, v.negative, mask);
  const Bits sign = v.negative ? F::signMask : Bits{0};
  int biased = v.exponent + F::bias;
  bool tiny = false;
  if (biased <= 0) {
    tiny = biased < 0 || v.significand + increment < (std::uint64_t{1} << 63);
    v.significand = shiftRightJam(v.significand, 1 - biased);
    biased = 0;
  }
  const std::uint64_t rest = v.significand & mask;
  std::uint64_t rounded = (v.significand + increment) >> shift;
  if (mode == Rounding::NearestEven && rest == (mask >> 1) + 1) rounded &= ~std::uint64_t{1};
  if (rest) flags |= kInexact | (tiny ? kUnderflow : 0);
  // A normal significand carries its implicit one into the exponent field.
  const std::uint64_t magnitude =
      (static_cast<std::uint64_t>(biased > 0 ? biased - 1 : 0) << F::fractionBits) + rounded;
  if (biased >= F::maxBiased || magnitude >= F::infinity) {
    flags |= kOverflow | kInexact;
    const bool toInfinity = mode == Rounding::NearestEven || mode == Rounding::NearestMaxMagnitude ||
                            (mode == Rounding::Up && !v.negative) || (mode == Rounding::Down && v.negative);
    return static_cast<Bits>(sign | (toInfinity ? F::infinity : F::infinity - 1));
  }
  return static_cast<Bits>(sign | static_cast<Bits>(magnitude));
}

/// Normalises a 128-bit significand whose value is significand / 2^126 * 2^exponent; zero is the caller's affair.
template <class F>
typename F::Bits normalizeRoundPack(bool negative, int exponent, unsigned __int128 significand, Rounding mode,
                                    std::uint8_t& flags) {
  const auto high = static_cast<std::uint64_t>(significand >> 64);
  const int lead = high ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(significand));
  exponent += 1 - lead;
  if (lead > 1)
    significand <<= lead - 1;
  else if (lead == 0)
    significand = shiftRightJam128(significand, 1);
  const auto top = static_cast<std::uint64_t>(shiftRightJam128(significand, 64));
  return roundPack<F>({negative, exponent, top}, mode, flags);
}

template <class F>
typename F::Bits propagateNan(typename F::Bits a, typename F::Bits b, std::uint8_t& flags) {
  if (isSignalingNan<F>(a) || isSignalingNan<F>(b)) flags |= kInvalid;
  return F::canonicalNan;
}

template <class F>
typename F::Bits invalid(std::uint8_t& flags) {
  flags |= kInvalid;
  return F::canonicalNan;
}

template <class F>
typename F::Bits add(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) {
  using Bits = typename F::Bits;
  if (isNan<F>(a) || isNan<F>(b)) return propagateNan<F>(a, b, flags);
  if (isInfinite<F>(a)) return isInfinite<F>(b) && a != b ? invalid<F>(flags) : a;
  if (isInfinite<F>(b)) return b;
  const Bits exactZero = mode == Rounding::Down ? F::signMask : Bits{0};
  if (isZero<F>(a)) return isZero<F>(b) ? (a == b ? a : exactZero) : b;
  if (isZero<F>(b)) return a;
  Unpacked x = unpack<F>(a), y = unpack<F>(b);
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
    const Unpacked t = x;
    x = y;
    y = t;
  }
  const std::uint64_t small = shiftRightJam(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative) {
    std::uint64_t sum = x.significand + small;
    if (sum >> 63) {
      sum = shiftRightJam(sum, 1);
      ++x.exponent;
    }
    return roundPack<F>({x.negative, x.exponent, sum}, mode, flags);
  }
  const std::uint64_t difference = x.significand - small;
  if (difference == 0) return exactZero;
  const int lead = std::countl_zero(difference) - 1;
  return roundPack<F>({x.negative, x.exponent - lead, difference << lead}, mode, flags);
}

template <class F>
typename F::Bits sub(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) {
  if (isNan<F>(b)) return propagateNan<F>(a, b, flags);
  return add<F>(a, static_cast<typename F::Bits>(b ^ F::signMask), mode, flags);
}

template <class F>
typename F::Bits mul(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) {
  using Bits = typename F::Bits;
  if (isNan<F>(a) || isNan<F>(b)) return propagateNan<F>(a, b, flags);
  const auto sign = static_cast<Bits>((a ^ b) & F::signMask);
  if (isInfinite<F>(a) || isInfinite<F>(b))
    return isZero<F>(a) || isZero<F>(b) ? invalid<F>(flags) : static_cast<Bits>(sign | F::infinity);
  if (isZero<F>(a) || isZero<F>(b)) return sign;
  const Unpacked x = unpack<F>(a), y = unpack<F>(b);
  // Two significands of 2^62 give 2^124 for 1.0: two bits below the 2^126 that normalizeRoundPack expects.
  const unsigned __int128 product = static_cast<unsigned __int128>(x.significand) * y.significand;
  return normalizeRoundPack<F>(sign != 0, x.exponent + y.exponent + 2, product, mode, flags);
}

template <class F>
typename F::Bits div(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) {
  using Bits = typename F::Bits;
  if (isNan<F>(a) || isNan<F>(b)) return propagateNan<F>(a, b, flags);
  const auto sign = static_cast<Bits>((a ^ b) & F::signMask);
  if (isInfinite<F>(a)) return isInfinite<F>(b) ? invalid<F>(flags) : static_cast<Bits>(sign | F::infinity);
  if (isInfinite<F>(b)) return sign;
  if (isZero<F>(b)) {
    if (isZero<F>(a)) return invalid<F>(flags);
    flags |= kDivideByZero;
    return static_cast<Bits>(sign | F::infinity);
  }
  if (isZero<F>(a)) return sign;
  const Unpacked x = unpack<F>(a), y = unpack<F>(b);
  const unsigned __int128 numerator = static_cast<unsigned __int128>(x.significand) << 63;
  auto quotient = static_cast<std::uint64_t>(numerator / y.significand);  // 2^62 < quotient < 2^64
  if (static_cast<unsigned __int128>(quotient) * y.significand != numerator) quotient |= 1;
  int exponent = x.exponent - y.exponent - 1;
  if (quotient >> 63) {
    quotient = shiftRightJam(quotient, 1);
    ++exponent;
  }
  return roundPack<F>({sign != 0, exponent, quotient}, mode, flags);
}

template <class F>
typename F::Bits sqrt(typename F::Bits a, Rounding mode, std::uint8_t& flags) {
  if (isNan<F>(a)) return propagateNan<F>(a, a, flags);
  if (isZero<F>(a)) return a;
  if (isNegative<F>(a)) return invalid<F>(flags);
  if (isInfinite<F>(a)) return a;
  const Unpacked x = unpack<F>(a);
  const int odd = x.exponent & 1;
  unsigned __int128 rest = static_cast<unsigned __int128>(x.significand) << (62 + odd);  // 2^124 .. 2^126
  std::uint64_t root = 0;
  unsigned __int128 remainder = rest;
  for (int bit = 62; bit >= 0; --bit) {  // schoolbook: root^2 <= rest
    const unsigned __int128 trial =
        ((static_cast<unsigned __int128>(root) << 1) | (static_cast<unsigned __int128>(1) << bit)) << bit;
    if (trial <= remainder) {
      remainder -= trial;
      root |= std::uint64_t{1} << bit;
    }
  }
  if (remainder) root |= 1;
  return roundPack<F>({false, (x.exponent - odd) / 2, root}, mode, flags);
}

/// a * b + c with one rounding.
template <class F>
typename F::Bits fma(typename F::Bits a, typename F::Bits b, typename F::Bits c, Rounding mode, std::uint8_t& flags) {
  using Bits = typename F::Bits;
  const bool infinityTimesZero = (isInfinite<F>(a) && isZero<F>(b)) || (isZero<F>(a) && isInfinite<F>(b));
  if (infinityTimesZero) return invalid<F>(flags);  // raised even for a quiet NaN addend
  if (isNan<F>(a) || isNan<F>(b) || isNan<F>(c)) {
    if (isSignalingNan<F>(c)) flags |= kInvalid;
    return propagateNan<F>(a, b, flags);
  }
  const bool productNegative = isNegative<F>(a) != isNegative<F>(b);
  const Bits productSign = productNegative ? F::signMask : Bits{0};
  if (isInfinite<F>(a) || isInfinite<F>(b)) {
    if (isInfinite<F>(c) && isNegative<F>(c) != productNegative) return invalid<F>(flags);
    return static_cast<Bits>(productSign | F::infinity);
  }
  if (isInfinite<F>(c)) return c;
  const Bits exactZero = mode == Rounding::Down ? F::signMask : Bits{0};
  if (isZero<F>(a) || isZero<F>(b)) {
    if (!isZero<F>(c)) return c;
    return c == productSign ? c : exactZero;
  }
  const Unpacked x = unpack<F>(a), y = unpack<F>(b);
  unsigned __int128 product = (static_cast<unsigned __int128>(x.significand) * y.significand) << 1;  // 2^125 .. 2^127
  int exponent = x.exponent + y.exponent + 1;                                                        // scaled by 2^126
  if (isZero<F>(c)) return normalizeRoundPack<F>(productNegative, exponent, product, mode, flags);
  const Unpacked z = unpack<F>(c);
  unsigned __int128 addend = static_cast<unsigned __int128>(z.significand) << 63;  // 2^125 .. 2^126
  const int addendExponent = z.exponent + 1;
  if (exponent >= addendExponent) {
    addend = shiftRightJam128(addend, exponent - addendExponent);
  } else {
    product = shiftRightJam128(product, addendExponent - exponent);
    exponent = addendExponent;
  }
  if (z.negative == productNegative)
    return normalizeRoundPack<F>(productNegative, exponent, product + addend, mode, flags);
  if (product == addend) return exactZero;
  const bool productLarger = product > addend;
  return normalizeRoundPack<F>(productLarger ? productNegative : z.negative, exponent,
                               productLarger ? product - addend : addend - product, mode, flags);
}

/// Rounds once from one format to another; NaN becomes the canonical NaN.
template <class To, class From>
typename To::Bits convert(typename From::Bits a, Rounding mode, std::uint8_t& flags) {
  using Bits = typename To::Bits;
  if (isNan<From>(a)) {
    if (isSignalingNan<From>(a)) flags |= kInvalid;
    return To::canonicalNan;
  }
  const Bits sign = isNegative<From>(a) ? To::signMask : Bits{0};
  if (isInfinite<From>(a)) return static_cast<Bits>(sign | To::infinity);
  if (isZero<From>(a)) return sign;
  return roundPack<To>(unpack<From>(a), mode, flags);
}

template <class F>
typename F::Bits fromUnsigned(std::uint64_t magnitude, bool negative, Rounding mode, std::uint8_t& flags) {
  if (magnitude == 0) return 0;
  const int lead = std::countl_zero(magnitude);
  const std::uint64_t significand = lead ? magnitude << (lead - 1) : shiftRightJam(magnitude, 1);
  return roundPack<F>({negative, 63 - lead, significand}, mode, flags);
}
template <class F>
typename F::Bits fromInt(std::int64_t value, Rounding mode, std::uint8_t& flags) {
  const auto bits = static_cast<std::uint64_t>(value);
  return fromUnsigned<F>(value < 0 ? ~bits + 1 : bits, value < 0, mode, flags);
}

/// To an integer of `width` bits (8..64), saturating with the invalid flag; NaN gives the largest value. Signed results
/// are sign-extended to 64 bits, unsigned ones zero-extended.
template <class F>
std::uint64_t toInteger(typename F::Bits a, int width, bool isSigned, Rounding mode, std::uint8_t& flags) {
  const std::uint64_t largest = isSigned ? (std::uint64_t{1} << (width - 1)) - 1 : ~std::uint64_t{0} >> (64 - width);
  const std::uint64_t smallest = isSigned ? ~largest : 0;
  if (isNan<F>(a)) {
    flags |= kInvalid;
    return largest;
  }
  const bool negative = isNegative<F>(a);
  const auto saturate = [&] {
    flags |= kInvalid;
    return negative ? smallest : largest;
  };
  if (isInfinite<F>(a)) return saturate();
  if (isZero<F>(a)) return 0;
  const Unpacked v = unpack<F>(a);
  if (v.exponent >= 64) return saturate();
  // Fixed point with two fraction bits below (the lower one sticky).
  const unsigned __int128 wide = static_cast<unsigned __int128>(v.significand) << 2;
  const unsigned __int128 fixed = v.exponent > 62 ? wide << (v.exponent - 62) : shiftRightJam128(wide, 62 - v.exponent);
  const auto rest = static_cast<unsigned>(fixed & 3);
  unsigned __int128 magnitude = fixed >> 2;
  switch (mode) {
    case Rounding::NearestEven:
      magnitude += rest > 2 || (rest == 2 && (magnitude & 1));
      break;
    case Rounding::NearestMaxMagnitude:
      magnitude += rest >= 2;
      break;
    case Rounding::TowardZero:
      break;
    case Rounding::Down:
      magnitude += negative && rest;
      break;
    case Rounding::Up:
      magnitude += !negative && rest;
      break;
  }
  if (negative ? magnitude > (isSigned ? static_cast<unsigned __int128>(largest) + 1 : 0) : magnitude > largest)
    return saturate();
  if (rest) flags |= kInexact;
  const auto low = static_cast<std::uint64_t>(magnitude);
  return negative ? ~low + 1 : low;
}

/// feq (quiet), flt and fle (signalling).
template <class F>
bool lessOrdered(typename F::Bits a, typename F::Bits b) {
  if (isNegative<F>(a) != isNegative<F>(b)) return isNegative<F>(a) && !(isZero<F>(a) && isZero<F>(b));
  return a != b && (isNegative<F>(a) != (a < b));
}
template <class F>
bool equal(typename F::Bits a, typename F::Bits b, std::uint8_t& flags) {
  if (isNan<F>(a) || isNan<F>(b)) {
    if (isSignalingNan<F>(a) || isSignalingNan<F>(b)) flags |= kInvalid;
    return false;
  }
  return a == b || (isZero<F>(a) && isZero<F>(b));
}
template <class F>
bool less(typename F::Bits a, typename F::Bits b, std::uint8_t& flags) {
  if (isNan<F>(a) || isNan<F>(b)) {
    flags |= kInvalid;
    return false;
  }
  return lessOrdered<F>(a, b);
}
template <class F>
bool lessEqual(typename F::Bits a, typename F::Bits b, std::uint8_t& flags) {
  if (isNan<F>(a) || isNan<F>(b)) {
    flags |= kInvalid;
    return false;
  }
  return !lessOrdered<F>(b, a);
}

/// IEEE 754-2019 minimumNumber / maximumNumber: a NaN loses against a number, -0 < +0.
template <class F>
typename F::Bits minMax(typename F::Bits a, typename F::Bits b, bool wantMax, std::uint8_t& flags) {
  if (isSignalingNan<F>(a) || isSignalingNan<F>(b)) flags |= kInvalid;
  if (isNan<F>(a)) return isNan<F>(b) ? F::canonicalNan : b;
  if (isNan<F>(b)) return a;
  if (isZero<F>(a) && isZero<F>(b)) return isNegative<F>(a) != wantMax ? a : b;
  return lessOrdered<F>(a, b) != wantMax ? a : b;
}

/// The ten-bit mask of fclass.
template <class F>
std::uint64_t classify(typename F::Bits a) {
  const bool negative = isNegative<F>(a);
  if (isNan<F>(a)) return isSignalingNan<F>(a) ? 1u << 8 : 1u << 9;
  if (isInfinite<F>(a)) return negative ? 1u << 0 : 1u << 7;
  if (isZero<F>(a)) return negative ? 1u << 3 : 1u << 4;
  if (((a >> F::fractionBits) & F::maxBiased) == 0) return negative ? 1u << 2 : 1u << 5;
  return negative ? 1u << 1 : 1u << 6;
}

}  // namespace forerun::sim::core::fp
