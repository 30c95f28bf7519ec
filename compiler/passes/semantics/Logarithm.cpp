//===- Logarithm.cpp - log, log2, log10, log1p in f32 ----------------------===//
// x = 2^e m with m in [sqrt(1/2), sqrt 2), from the bits; log(1 + f) = f + f^2 q(f) with f = m - 1.
#include "compiler/passes/semantics/Expansions.h"
#include "compiler/passes/semantics/FloatConstants.h"

#include <limits>

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

// q(f): relative error of log(1 + f) < 0.1 * 2^-24 on [sqrt(1/2) - 1, sqrt 2 - 1].
constexpr double kLog[] = {-0.5,          0x1.555554p-2,  -0x1.000226p-2, 0x1.99a01cp-3, -0x1.54728ap-3,
                           0x1.22d932p-3, -0x1.0d824ap-3, 0x1.055e98p-3,  -0x1.38c91p-4};
constexpr double kLog2ELow = 0x1.4ae0cp-26;
constexpr double kLog10EHigh = 0x1.bcb7b2p-2, kLog10ELow = -0x1.5b235ep-27;
constexpr double kLog10Of2High = 0x1.344136p-2, kLog10Of2Low = -0x1.ec10cp-27;
constexpr std::int64_t kSquareRootHalfBits = 0x3f3504f3;

struct Decomposed {
  Value exponentInt;  ///< i32
  Value exponent;     ///< f32
  Value fraction;     ///< m - 1
};

/// x > 0 and finite; others give something that `withSpecialCases` replaces.
Decomposed decompose(ScalarBuilder& b, Value x) {
  Type f32 = b.f32();
  Type i32 = b.integerType(32);
  Value tiny = b.compare(arith::CmpFPredicate::OLT, x, b.number(f32, 0x1p-126));
  Value scaled = b.select(tiny, b.mul(x, b.number(f32, 0x1p23)), x);
  Value bits = b.bits(scaled);
  Value exponent = b.shiftRightSigned(b.subInt(bits, b.integer(i32, kSquareRootHalfBits)), 23);
  Value mantissa = b.bitcast(f32, b.subInt(bits, b.shiftLeft(exponent, 23)));
  Value offset = b.select(tiny, b.number(f32, -23), b.number(f32, 0));
  return {exponent, b.add(b.fromSigned(f32, exponent), offset), b.sub(mantissa, b.number(f32, 1))};
}

/// f^2 q(f).
Value highOrderTerms(ScalarBuilder& b, Value f) { return b.mul(b.mul(f, f), b.polynomial(f, kLog)); }

/// log of +0 and -0 is -inf, of negative numbers NaN, of +inf itself, of NaN NaN.
Value withSpecialCases(ScalarBuilder& b, Value x, Value result) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Type f32 = b.f32();
  Value zero = b.number(f32, 0);
  Value ordinary = b.compare(arith::CmpFPredicate::OLT, x, b.number(f32, kInfinity));
  result = b.select(ordinary, result, x);
  result = b.select(b.compare(arith::CmpFPredicate::OEQ, x, zero), b.number(f32, -kInfinity), result);
  Value negative = b.compare(arith::CmpFPredicate::OLT, x, zero);
  return b.select(negative, b.number(f32, std::numeric_limits<double>::quiet_NaN()), result);
}

/// e ln2 + f + f^2 q(f).
Value naturalLog(ScalarBuilder& b, Value exponent, Value f) {
  Value low = b.fma(exponent, b.number(b.f32(), kLn2Low), highOrderTerms(b, f));
  return b.fma(exponent, b.number(b.f32(), kLn2High), b.add(low, f));
}

}  // namespace

Value expandLog(ScalarBuilder& b, Value x) {
  Decomposed d = decompose(b, x);
  return withSpecialCases(b, x, naturalLog(b, d.exponent, d.fraction));
}

Value expandLog2(ScalarBuilder& b, Value x) {
  Decomposed d = decompose(b, x);
  Value low =
      b.fma(d.fraction, b.number(b.f32(), kLog2ELow), b.mul(highOrderTerms(b, d.fraction), b.number(b.f32(), kLog2E)));
  Value log2Mantissa = b.fma(d.fraction, b.number(b.f32(), kLog2E), low);
  return withSpecialCases(b, x, b.add(d.exponent, log2Mantissa));
}

Value expandLog10(ScalarBuilder& b, Value x) {
  Decomposed d = decompose(b, x);
  Value low = b.fma(d.fraction, b.number(b.f32(), kLog10ELow),
                    b.mul(highOrderTerms(b, d.fraction), b.number(b.f32(), kLog10EHigh)));
  low = b.fma(d.exponent, b.number(b.f32(), kLog10Of2Low), low);
  Value sum = b.fma(d.fraction, b.number(b.f32(), kLog10EHigh), low);
  return withSpecialCases(b, x, b.fma(d.exponent, b.number(b.f32(), kLog10Of2High), sum));
}

Value expandLogOnePlus(ScalarBuilder& b, Value x) {
  Type f32 = b.f32();
  Type i32 = b.integerType(32);
  Value one = b.number(f32, 1);
  Value u = b.add(x, one);
  // What 1 + x lost, from the smaller addend: exact for x < 1 and beside the point where both are large.
  Value xIsLarge = b.compare(arith::CmpFPredicate::OGT, x, one);
  Value lost = b.select(xIsLarge, b.sub(one, b.sub(u, x)), b.sub(x, b.sub(u, one)));
  Decomposed d = decompose(b, u);
  // lost * 2^-e; past e = 100 it does not matter, and 2^-e would leave the format.
  Value limited = b.select(b.compare(arith::CmpIPredicate::sgt, d.exponentInt, b.integer(i32, 100)),
                           b.integer(i32, 100), d.exponentInt);
  Value scale = b.bitcast(f32, b.shiftLeft(b.subInt(b.integer(i32, 127), limited), 23));
  Value fraction = b.fma(lost, scale, d.fraction);
  Value result = withSpecialCases(b, u, naturalLog(b, d.exponent, fraction));
  return b.select(b.compare(arith::CmpFPredicate::OEQ, x, b.number(f32, 0)), x, result);
}

}  // namespace forerun::passes::semantics
