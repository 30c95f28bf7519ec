//===- Trigonometric.cpp - sin and cos in f32 ------------------------------===//
// x = n pi/2 + r, |r| <= pi/4. Up to 2^16 by three fma with pi/2 in parts; beyond by multiplying x's mantissa with the
// 96 bits of 2/pi that matter (Payne and Hanek), in 64-bit integers. Both are computed and one selected.
#include "compiler/passes/semantics/Expansions.h"
#include "compiler/passes/semantics/FloatConstants.h"

#include <limits>

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

// (sin r / r - 1) / r^2 and (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi/4: relative errors < 0.07 * 2^-24.
constexpr double kSin[] = {-0x1.555546p-3, 0x1.110774p-7, -0x1.9951fap-13};
constexpr double kCos[] = {0x1.55554ap-5, -0x1.6c0c28p-10, 0x1.99e816p-16};
constexpr double kTwoOverPi = 0x1.45f306p-1;
constexpr double kPiOver2[] = {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50};
// Nine zeros, then the bits of 2/pi behind its point, as overlapping 64-bit words, 32 bits apart.
constexpr std::uint64_t kTwoOverPiWords[] = {0x00517cc1b727220a, 0xb727220a94fe13ab, 0x94fe13abe8fa9a6e,
                                             0xe8fa9a6ee06db14a, 0xe06db14acc9e21c8, 0xcc9e21c820ff28b1};

struct Reduced {
  Value quadrant;  ///< i32, n mod 4 in its low bits
  Value rest;      ///< f32
};

Reduced reduceSmall(ScalarBuilder& b, Value x) {
  Value biased = b.fma(x, b.number(b.f32(), kTwoOverPi), b.number(b.f32(), kRoundToInteger));
  Value minusN = b.sub(b.number(b.f32(), kRoundToInteger), biased);
  Value rest = x;
  for (double part : kPiOver2) rest = b.fma(minusN, b.number(b.f32(), part), rest);
  return {b.bits(biased), rest};
}

/// |x| >= 2^16. With x = M * 2^E, bits of 2/pi of weight 2^(2-E) and more make multiples of 4 and drop out: the window
/// starts at bit E + 7 of the words above, so that M * window * 2^-62 is x * 2/pi mod 4 with 62 fraction bits.
Reduced reduceLarge(ScalarBuilder& b, Value x) {
  Type i32 = b.integerType(32);
  Type i64 = b.integerType(64);
  Value bits = b.bits(x);
  Value exponent = b.bitAnd(b.shiftRightUnsigned(bits, 23), b.integer(i32, 0xff));
  Value mantissa = b.bitOr(b.bitAnd(bits, b.integer(i32, 0x7fffff)), b.integer(i32, 0x800000));
  mantissa = b.extendUnsigned(i64, mantissa);
  Value start = b.subInt(exponent, b.integer(i32, 150 - 7));
  Value word = b.shiftRightUnsigned(start, 5);
  auto pick = [&](unsigned first) {
    Value chosen = b.integer(i64, static_cast<std::int64_t>(kTwoOverPiWords[first]));
    for (unsigned i = 1; i < 4; ++i)
      chosen = b.select(b.compare(arith::CmpIPredicate::eq, word, b.integer(i32, i)),
                        b.integer(i64, static_cast<std::int64_t>(kTwoOverPiWords[first + i])), chosen);
    return chosen;
  };
  Value upper = pick(0);
  Value lower = pick(2);
  Value shift = b.extendUnsigned(i64, b.bitAnd(start, b.integer(i32, 31)));
  auto shiftLeftBy = [&](Value value, Value by) -> Value {
    return arith::ShLIOp::create(b.mlirBuilder(), b.location(), value, by);
  };
  Value carried = arith::ShRUIOp::create(b.mlirBuilder(), b.location(), b.shiftRightUnsigned(lower, 1),
                                         b.subInt(b.integer(i64, 63), shift));
  Value windowHigh = b.bitOr(shiftLeftBy(upper, shift), carried);
  Value windowLow = b.shiftRightUnsigned(shiftLeftBy(lower, shift), 32);
  Value product = b.addInt(b.mulInt(mantissa, windowHigh), b.shiftRightUnsigned(b.mulInt(mantissa, windowLow), 32));
  Value quadrant = b.shiftRightUnsigned(b.addInt(product, b.integer(i64, std::int64_t{1} << 61)), 62);
  Value fraction = b.fromSigned(b.f64(), b.subInt(product, b.shiftLeft(quadrant, 62)));
  Value rest = b.narrow(b.f32(), b.mul(fraction, b.number(b.f64(), 0x1.921fb54442d18p-62)));
  // That was |x|; sin and cos want -n and -r for negative x.
  Value negative = b.compare(arith::CmpIPredicate::slt, bits, b.integer(i32, 0));
  Value count = b.narrowInt(i32, quadrant);
  count = b.select(negative, b.subInt(b.integer(i32, 0), count), count);
  return {count, b.select(negative, b.negate(rest), rest)};
}

Value sinOrCos(ScalarBuilder& b, Value x, bool isCos) {
  Type f32 = b.f32();
  Type i32 = b.integerType(32);
  Value magnitude = b.absolute(x);
  Value isLarge = b.compare(arith::CmpFPredicate::OGE, magnitude, b.number(f32, 0x1p16));
  Value finite =
      b.compare(arith::CmpFPredicate::OLT, magnitude, b.number(f32, std::numeric_limits<double>::infinity()));
  // Any ordinary large number stands in where the large reduction does not apply: its word index must stay in range.
  Reduced large = reduceLarge(b, b.select(b.bitAnd(isLarge, finite), x, b.number(f32, 0x1p16)));
  Reduced small = reduceSmall(b, b.select(isLarge, b.number(f32, 0), x));
  Value rest = b.select(isLarge, large.rest, small.rest);
  Value quadrant = b.select(isLarge, large.quadrant, small.quadrant);
  if (isCos) quadrant = b.addInt(quadrant, b.integer(i32, 1));

  Value square = b.mul(rest, rest);
  Value sine = b.fma(b.mul(rest, square), b.polynomial(square, kSin), rest);
  Value cosine =
      b.fma(b.mul(square, square), b.polynomial(square, kCos), b.fma(square, b.number(f32, -0.5), b.number(f32, 1)));
  Value odd = b.compare(arith::CmpIPredicate::ne, b.bitAnd(quadrant, b.integer(i32, 1)), b.integer(i32, 0));
  Value value = b.select(odd, cosine, sine);
  // Bit 1 of the quadrant is the sign.
  Value sign = b.shiftLeft(b.bitAnd(quadrant, b.integer(i32, 2)), 30);
  value = b.bitcast(f32, b.bitXor(b.bits(value), sign));
  return b.select(finite, value, b.sub(x, x));
}

}  // namespace

Value expandSin(ScalarBuilder& b, Value x) {
  // The reduction loses the sign of -0.
  return b.select(b.compare(arith::CmpFPredicate::OEQ, x, b.number(b.f32(), 0)), x, sinOrCos(b, x, /*isCos=*/false));
}
Value expandCos(ScalarBuilder& b, Value x) { return sinOrCos(b, x, /*isCos=*/true); }

}  // namespace forerun::passes::semantics
