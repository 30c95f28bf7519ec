//===- Conversions.cpp - conversions among element types -------------------===//
// One rounding each, straight to the target type; saturation where arith has none.
#include "compiler/passes/semantics/Expansions.h"

#include "compiler/dialect/TileDialect.h"

#include <cmath>

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

bool isNarrow(Type type) { return type.isF16() || type.isBF16(); }

Value clampSigned(ScalarBuilder& b, Value x, std::int64_t low, std::int64_t high) {
  Value lowest = b.integer(x.getType(), low);
  Value highest = b.integer(x.getType(), high);
  x = arith::MaxSIOp::create(b.mlirBuilder(), b.location(), x, lowest);
  return arith::MinSIOp::create(b.mlirBuilder(), b.location(), x, highest);
}

/// Float to integer of the same 32 or 64 bits or more: x in f32 or f64.
Value saturating(ScalarBuilder& b, Value x, Type type, bool isSigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  double limit = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  Value low = b.number(x.getType(), isSigned ? -limit : 0);
  Value high = b.number(x.getType(), limit);
  Value notLow = b.compare(arith::CmpFPredicate::OGE, x, low);
  Value tooHigh = b.compare(arith::CmpFPredicate::OGE, x, high);
  Value inside = b.bitAnd(notLow, b.compare(arith::CmpFPredicate::OLT, x, high));
  Value safe = b.select(inside, x, b.number(x.getType(), 0));
  Value result = isSigned ? b.toSigned(type, safe) : b.toUnsigned(type, safe);
  llvm::APInt maximum = isSigned ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
  result = b.select(tooHigh, b.integer(type, maximum.getSExtValue()), result);
  if (!isSigned) return result;
  Value tooLow = b.compare(arith::CmpFPredicate::OLT, x, low);
  return b.select(tooLow, b.integer(type, llvm::APInt::getSignedMinValue(width).getSExtValue()), result);
}

/// Rounds f64 to f32 with the lowest bit set where inexact (round to odd), so that a second rounding to <= 22 bits is
/// the only one.
Value narrowToOdd(ScalarBuilder& b, Value x) {
  Type i32 = b.integerType(32);
  Value nearest = b.narrow(b.f32(), x);
  Value back = b.extend(b.f64(), nearest);
  Value one = b.integer(i32, 1);
  Value zero = b.integer(i32, 0);
  Value roundedUp = b.compare(arith::CmpFPredicate::OGT, b.absolute(back), b.absolute(x));
  Value inexact = b.compare(arith::CmpFPredicate::UNE, back, x);
  Value truncated = b.subInt(b.bits(nearest), b.select(roundedUp, one, zero));
  return b.bitcast(b.f32(), b.bitOr(truncated, b.select(inexact, one, zero)));
}

/// Sets bit `bits` - 1 instead of the lower `bits` bits where these are not zero and |x| >= 2^`from`.
Value withStickyBit(ScalarBuilder& b, Value x, unsigned bits, unsigned from, bool isSigned) {
  Type type = x.getType();
  std::int64_t mask = (std::int64_t{1} << bits) - 1;
  std::int64_t limit = std::int64_t{1} << from;
  Value rest = b.bitAnd(x, b.integer(type, mask));
  Value isExact = b.compare(arith::CmpIPredicate::eq, rest, b.integer(type, 0));
  Value high = b.subInt(x, rest);
  Value sticky = b.select(isExact, x, b.bitOr(high, b.integer(type, std::int64_t{1} << (bits - 1))));
  Value shifted = isSigned ? b.addInt(x, b.integer(type, limit)) : x;
  Value isSmall = b.compare(arith::CmpIPredicate::ult, shifted, b.integer(type, isSigned ? 2 * limit : limit));
  return b.select(isSmall, x, sticky);
}

bool isScale(Type type) { return llvm::isa<Float8E8M0FNUType>(type); }

/// Exact, in f32: the code is the exponent of an f32, but for the least.
Value fromScale(ScalarBuilder& b, Value x) {
  Type i32 = b.integerType(32);
  Value code = b.extendUnsigned(i32, b.bits(x));
  Value isLeast = b.compare(arith::CmpIPredicate::eq, code, b.integer(i32, 0));
  Value bits = b.select(isLeast, b.integer(i32, 0x00400000), b.shiftLeft(code, 23));
  Value isNan = b.compare(arith::CmpIPredicate::eq, code, b.integer(i32, 0xff));
  return b.bitcast(b.f32(), b.select(isNan, b.integer(i32, 0x7fc00000), bits));
}

/// The nearest power of two of an f32, the greater of two that are.
Value toScale(ScalarBuilder& b, Value x, Type type, bool saturates) {
  Type i32 = b.integerType(32);
  Value bits = b.bits(x), zero = b.integer(i32, 0);
  Value normal = b.shiftRightUnsigned(b.addInt(bits, b.integer(i32, 0x400000)), 23);
  // Below 2^-126 lies 2^-127 alone; 3 * 2^-128 is the tie.
  Value above = b.compare(arith::CmpIPredicate::uge, bits, b.integer(i32, 0x600000));
  Value isSubnormal = b.compare(arith::CmpIPredicate::ult, bits, b.integer(i32, 0x800000));
  Value code = b.select(isSubnormal, b.select(above, b.integer(i32, 1), zero), normal);
  if (saturates) code = arith::MinUIOp::create(b.mlirBuilder(), b.location(), code, b.integer(i32, 0xfe));
  // As unsigned: NaN and what is negative.
  Value isNone = b.compare(arith::CmpIPredicate::ugt, bits, b.integer(i32, 0x7f800000));
  Value isZero = b.compare(arith::CmpIPredicate::eq, b.shiftLeft(bits, 1), zero);
  code = b.select(isZero, zero, b.select(isNone, b.integer(i32, 0xff), code));
  return b.bitcast(type, b.narrowInt(b.integerType(8), code));
}

/// Codes of an 8-bit float, without the sign.
struct Float8 {
  int mantissaBits, bias;
  std::int64_t infinity;  ///< 0: none
  std::int64_t greatest, nan;
};
Float8 formatOf(Type type) {
  if (llvm::isa<Float8E4M3FNType>(type)) return {3, 7, 0, 0x7e, 0x7f};
  return {2, 15, 0x7c, 0x7b, 0x7e};
}

/// Exact, in f32.
Value fromFloat8(ScalarBuilder& b, Value x) {
  if (isScale(x.getType())) return fromScale(b, x);
  const Float8 format = formatOf(x.getType());
  Type i32 = b.integerType(32);
  Value bits = b.extendUnsigned(i32, b.bits(x));
  Value code = b.bitAnd(bits, b.integer(i32, 0x7f));
  // As the bits of a small f32 the code is off by a power of two alone, subnormal numbers included.
  Value small = b.bitcast(b.f32(), b.shiftLeft(code, 23 - format.mantissaBits));
  Value magnitude = b.bits(b.mul(small, b.number(b.f32(), std::ldexp(1.0, 127 - format.bias))));
  if (format.infinity != 0) {
    Value isInfinite = b.compare(arith::CmpIPredicate::eq, code, b.integer(i32, format.infinity));
    magnitude = b.select(isInfinite, b.integer(i32, 0x7f800000), magnitude);
  }
  const std::int64_t last = std::max(format.greatest, format.infinity);
  Value isNan = b.compare(arith::CmpIPredicate::ugt, code, b.integer(i32, last));
  magnitude = b.select(isNan, b.integer(i32, 0x7fc00000), magnitude);
  Value sign = b.shiftLeft(b.bitAnd(bits, b.integer(i32, 0x80)), 24);
  return b.bitcast(b.f32(), b.bitOr(magnitude, sign));
}

/// One rounding to nearest even from f32.
Value toFloat8(ScalarBuilder& b, Value x, Type type, bool saturates) {
  if (isScale(type)) return toScale(b, x, type, saturates);
  const Float8 format = formatOf(type);
  Type i32 = b.integerType(32);
  const int shift = 23 - format.mantissaBits;
  Value bits = b.bits(x), magnitude = b.bitAnd(bits, b.integer(i32, 0x7fffffff));
  // Normal numbers: half of what is dropped, less one unless the last kept bit is odd, carries where it should.
  Value odd = b.bitAnd(b.shiftRightUnsigned(magnitude, shift), b.integer(i32, 1));
  Value rounded = b.addInt(b.addInt(magnitude, b.integer(i32, (std::int64_t{1} << (shift - 1)) - 1)), odd);
  Value normal = b.subInt(b.shiftRightUnsigned(rounded, shift),
                          b.integer(i32, std::int64_t{127 - format.bias} << format.mantissaBits));
  // Subnormal numbers: a sum whose last place is theirs rounds for us.
  Value anchor = b.number(b.f32(), std::ldexp(1.0, 24 - format.bias - format.mantissaBits));
  Value sum = b.add(b.bitcast(b.f32(), magnitude), anchor);
  Value subnormal = b.subInt(b.bits(sum), b.bits(anchor));
  Value least = b.integer(i32, std::int64_t{128 - format.bias} << 23);  // the least normal number
  Value code = b.select(b.compare(arith::CmpIPredicate::ult, magnitude, least), subnormal, normal);
  Value greatest = b.integer(i32, format.greatest);
  if (saturates)
    code = arith::MinUIOp::create(b.mlirBuilder(), b.location(), code, greatest);
  else
    code = b.select(b.compare(arith::CmpIPredicate::ugt, code, greatest),
                    b.integer(i32, format.infinity ? format.infinity : format.nan), code);
  code = b.bitOr(code, b.bitAnd(b.shiftRightUnsigned(bits, 24), b.integer(i32, 0x80)));
  Value isNan = b.compare(arith::CmpIPredicate::ugt, magnitude, b.integer(i32, 0x7f800000));
  return b.bitcast(type, b.narrowInt(b.integerType(8), b.select(isNan, b.integer(i32, format.nan), code)));
}

}  // namespace

Value convertFloat(ScalarBuilder& b, Value x, Type type, bool saturates) {
  Type from = x.getType();
  if (from == type) return x;
  if (tile::isSmallFloat(from)) return convertFloat(b, fromFloat8(b, x), type, saturates);
  if (tile::isSmallFloat(type))
    return toFloat8(b, from.isF64() ? narrowToOdd(b, x) : isNarrow(from) ? b.extend(b.f32(), x) : x, type, saturates);
  if (type.isF64() && isNarrow(from)) return b.extend(type, b.extend(b.f32(), x));
  if (isNarrow(type) && isNarrow(from)) return b.narrow(type, b.extend(b.f32(), x));
  if (isNarrow(type) && from.isF64()) return b.narrow(type, narrowToOdd(b, x));
  return from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth() ? b.extend(type, x) : b.narrow(type, x);
}

Value expandFloatToSigned(ScalarBuilder& b, Value x, Type type) {
  if (isNarrow(x.getType())) x = b.extend(b.f32(), x);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 32) return saturating(b, x, type, /*isSigned=*/true);
  Value wide = saturating(b, x, b.integerType(32), /*isSigned=*/true);
  return b.narrowInt(type,
                     clampSigned(b, wide, -(std::int64_t{1} << (width - 1)), (std::int64_t{1} << (width - 1)) - 1));
}

Value expandFloatToUnsigned(ScalarBuilder& b, Value x, Type type) {
  if (isNarrow(x.getType())) x = b.extend(b.f32(), x);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 32) return saturating(b, x, type, /*isSigned=*/false);
  Value wide = saturating(b, x, b.integerType(32), /*isSigned=*/true);
  return b.narrowInt(type, clampSigned(b, wide, 0, (std::int64_t{1} << width) - 1));
}

Value expandIntToFloat(ScalarBuilder& b, Value x, Type type, bool isSigned, bool saturates) {
  auto convert = [&](Type to, Value value) { return isSigned ? b.fromSigned(to, value) : b.fromUnsigned(to, value); };
  if (!isNarrow(type) && !tile::isSmallFloat(type)) return convert(type, x);
  unsigned width = x.getType().getIntOrFloatBitWidth();
  if (width <= 16) return convertFloat(b, convert(b.f32(), x), type, saturates);  // exact in f32
  if (!type.isBF16() && !isScale(type)) {
    // Beyond 2^17 the result is infinite (or the greatest number) anyway, up to there f32 is exact.
    Value limit = b.integer(x.getType(), std::int64_t{1} << 17);
    Value limited = isSigned ? clampSigned(b, x, -(std::int64_t{1} << 17), std::int64_t{1} << 17)
                             : Value(arith::MinUIOp::create(b.mlirBuilder(), b.location(), x, limit));
    return convertFloat(b, convert(b.f32(), limited), type, saturates);
  }
  // bf16 keeps 8 bits, a scale fewer: what lies more than 16 below the leading one matters only as "not zero".
  if (width == 32) return convertFloat(b, convert(b.f32(), withStickyBit(b, x, 9, 24, isSigned)), type, saturates);
  return convertFloat(b, convert(b.f64(), withStickyBit(b, x, 12, 53, isSigned)), type, saturates);
}

Value convertElement(ScalarBuilder& b, Value x, Type type, bool saturates) {
  Type from = x.getType();
  if (from == type) return x;
  bool fromFloat = llvm::isa<FloatType>(from);
  bool toFloat = llvm::isa<FloatType>(type);
  bool fromBool = from.isInteger(1);
  if (fromFloat && toFloat) return convertFloat(b, x, type, saturates);
  if (tile::isSmallFloat(from)) x = fromFloat8(b, x);
  if (fromFloat) return type.isInteger(1) ? expandFloatToUnsigned(b, x, type) : expandFloatToSigned(b, x, type);
  if (!llvm::isa<IntegerType>(from)) return {};
  if (toFloat) return expandIntToFloat(b, x, type, /*isSigned=*/!fromBool, saturates);
  if (!llvm::isa<IntegerType>(type)) return {};
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()) return b.narrowInt(type, x);
  return fromBool ? b.extendUnsigned(type, x) : b.extendSigned(type, x);
}

}  // namespace forerun::passes::semantics
