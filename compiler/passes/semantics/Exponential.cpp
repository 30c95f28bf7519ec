//===- Exponential.cpp - exp, exp2, expm1 in f32 ---------------------------===//
// x = n ln2 + r, |r| <= ln2 / 2, by adding 1.5 * 2^23; a degree 6 polynomial in r; scaling by powers of two that are
// made of n's bits. Coefficients: minimax fits of relative error (Lawson), rounded to f32 one by one and refitted. exp
// is the hot operation of attention: 19 operations, no branch, right from overflow to denormals.
#include "compiler/passes/semantics/Expansions.h"
#include "compiler/passes/semantics/FloatConstants.h"

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

// |relative error| < 0.06 * 2^-24 on [-ln2/2, ln2/2].
constexpr double kExp[] = {1, 1, 0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558b4p-5, 0x1.1239ap-7, 0x1.6a496p-10};
// The same for 2^x on [-1/2, 1/2].
constexpr double kExp2[] = {
    1, 0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6af7ap-5, 0x1.3b2ddap-7, 0x1.5f0976p-10, 0x1.4172a6p-13};
// (e^r - 1 - r) / r^2: error of e^r - 1 < 0.24 * 2^-24.
constexpr double kExpMinusOne[] = {0x1.fffffep-2, 0x1.5554b4p-3, 0x1.5556f2p-5, 0x1.122560p-7, 0x1.6b9cc4p-10};

/// As kRoundToInteger, with the low bits of 2^(n-1) as an f32 above n's: a shift makes it. Even as well, so that halves
/// round alike.
constexpr double kRoundToExponent = kRoundToInteger + 126;

/// p * 2^n, where `biased` is kRoundToExponent + n, -151 <= n <= 129 and p is in (0.5, 2) or NaN. 2^n is the product of
/// a factor from 2^-124 up, which leaves p exact, and of what lies below it: results round once into denormals and
/// overflow to infinity. Integer arithmetic alone: vector units have one mask register for selections.
Value scaleByPowerOfTwo(ScalarBuilder& b, Value p, Value biased) {
  Type i32 = b.integerType(32);
  Value exponent = b.shiftLeft(b.bits(biased), 23), least = b.integer(i32, 3 << 23);
  Value first = b.bitcast(b.f32(), b.maxSigned(exponent, least));
  Value below = b.addInt(b.minSigned(exponent, least), b.integer(i32, (128 - 3) << 23));  // 2 where n >= -124
  return b.mul(b.mul(p, first), b.bitcast(b.f32(), below));
}

/// Keeps `biased`, bias + n, at or below `limit`: r then grows instead and makes the result infinite. NaN becomes the
/// limit too, r still carries it.
Value limitExponent(ScalarBuilder& b, Value biased, double limit) {
  return b.minNumber(biased, b.number(b.f32(), limit));
}

/// max(x, low), NaN stays.
Value atLeast(ScalarBuilder& b, Value x, double low) {
  Value bound = b.number(b.f32(), low);
  return b.select(b.compare(arith::CmpFPredicate::OLT, x, bound), bound, x);
}

}  // namespace

ReducedExponent reduceExponent(ScalarBuilder& b, Value x, Value biased, double bias) {
  Value n = b.sub(biased, b.number(b.f32(), bias));
  Value r = b.fma(n, b.number(b.f32(), -kLn2High), x);
  return {n, b.fma(n, b.number(b.f32(), -kLn2Low), r)};
}

Value expPolynomial(ScalarBuilder& b, Value r) { return b.polynomial(r, kExp); }

Value expandExp(ScalarBuilder& b, Value x) {
  Value bounded = atLeast(b, x, -104);  // e^-104 < 2^-150
  Value biased = limitExponent(b, b.fma(bounded, b.number(b.f32(), kLog2E), b.number(b.f32(), kRoundToExponent)),
                               kRoundToExponent + 129);
  Value r = reduceExponent(b, bounded, biased, kRoundToExponent).rest;
  return scaleByPowerOfTwo(b, expPolynomial(b, r), biased);
}

Value expandExp2(ScalarBuilder& b, Value x) {
  Value bounded = atLeast(b, x, -151);
  Value biased = limitExponent(b, b.add(bounded, b.number(b.f32(), kRoundToExponent)), kRoundToExponent + 129);
  Value r = b.sub(bounded, b.sub(biased, b.number(b.f32(), kRoundToExponent)));
  return scaleByPowerOfTwo(b, b.polynomial(r, kExp2), biased);
}

Value expandExpMinusOne(ScalarBuilder& b, Value x) {
  Value bounded = atLeast(b, x, -30);
  Value biased = limitExponent(b, b.fma(bounded, b.number(b.f32(), kLog2E), b.number(b.f32(), kRoundToInteger)),
                               kRoundToInteger + 128);
  Value r = reduceExponent(b, bounded, biased, kRoundToInteger).rest;
  Value q = b.fma(b.mul(r, r), b.polynomial(r, kExpMinusOne), r);
  // 2 * (2^(n-1) * q + (2^(n-1) - 1/2)).
  Value half = b.bitcast(b.f32(), b.addInt(b.shiftLeft(b.bits(biased), 23), b.integer(b.integerType(32), 126 << 23)));
  Value result = b.mul(b.fma(q, half, b.sub(half, b.number(b.f32(), 0.5))), b.number(b.f32(), 2));
  Value isZero = b.compare(arith::CmpFPredicate::OEQ, x, b.number(b.f32(), 0));
  return b.select(isZero, x, result);
}

}  // namespace forerun::passes::semantics
