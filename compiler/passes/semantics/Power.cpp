//===- Power.cpp - pow in f32 ----------------------------------------------===//
// 2^(y log2|x|) with both functions in f64 to about 2^-33, rounded to f32 once; special cases as in C.
#include "compiler/passes/semantics/Expansions.h"

#include <limits>

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

// log2(m) = s P(s^2), s = (m-1)/(m+1), m in [sqrt(1/2), sqrt 2]: relative error < 0.1 * 2^-40.
constexpr double kLog2[] = {0x1.71547652b8250p+1, 0x1.ec709dc53e58fp-1, 0x1.2776c290de4c6p-1,
                            0x1.a61a30cb3027ep-2, 0x1.4794fef0715b7p-2, 0x1.21b60ca0d03fap-2};
// 2^f on [-1/2, 1/2]: relative error < 52 * 2^-40.
constexpr double kExp2[] = {1,
                            0x1.62e42ff0e42a3p-1,
                            0x1.ebfbe0784bbeap-3,
                            0x1.c6b08abc35156p-5,
                            0x1.3b29f2d4c4346p-7,
                            0x1.5d8a88b036cfdp-10,
                            0x1.445d31f4157e7p-13,
                            0x1.fde4de5a20715p-17};
constexpr double kRoundToInteger = 0x1.8p52;
constexpr std::int64_t kSquareRootHalfBits = 0x3fe6a09e667f3bcd;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// log2 of a positive normal f64; of 0 -inf, of infinity +inf.
Value log2(ScalarBuilder& b, Value x) {
  Type f64 = b.f64();
  Value bits = b.bits(x);
  Value exponent = b.shiftRightSigned(b.subInt(bits, b.integer(b.integerType(64), kSquareRootHalfBits)), 52);
  Value m = b.bitcast(f64, b.subInt(bits, b.shiftLeft(exponent, 52)));
  Value one = b.number(f64, 1);
  Value s = b.div(b.sub(m, one), b.add(m, one));
  Value sum = b.fma(s, b.polynomial(b.mul(s, s), kLog2), b.fromSigned(f64, exponent));
  sum = b.select(b.compare(arith::CmpFPredicate::OEQ, x, b.number(f64, 0)), b.number(f64, -kInfinity), sum);
  return b.select(b.compare(arith::CmpFPredicate::OEQ, x, b.number(f64, kInfinity)), x, sum);
}

/// 2^x as f32, for any x but NaN.
Value exp2(ScalarBuilder& b, Value x) {
  Type f64 = b.f64();
  auto bound = [&](arith::CmpFPredicate beyond, double limit) {
    Value value = b.number(f64, limit);
    x = b.select(b.compare(beyond, x, value), value, x);
  };
  bound(arith::CmpFPredicate::OLT, -200);
  bound(arith::CmpFPredicate::OGT, 200);
  Value biased = b.add(x, b.number(f64, kRoundToInteger));
  Value p = b.polynomial(b.sub(x, b.sub(biased, b.number(f64, kRoundToInteger))), kExp2);
  return b.narrow(b.f32(), b.bitcast(f64, b.addInt(b.bits(p), b.shiftLeft(b.bits(biased), 52))));
}

}  // namespace

Value expandPower(ScalarBuilder& b, Value x, Value y) {
  Type f32 = b.f32();
  Value zero = b.number(f32, 0);
  Value one = b.number(f32, 1);
  Value nan = b.number(f32, std::numeric_limits<double>::quiet_NaN());
  Value magnitude = b.absolute(x);

  Value logarithm = log2(b, b.extend(b.f64(), magnitude));
  Value exponent = b.mul(logarithm, b.extend(b.f64(), y));
  // |x| = 1: 0 * inf is not what C wants.
  Value isUnit = b.compare(arith::CmpFPredicate::OEQ, magnitude, one);
  Value power = exp2(b, b.select(isUnit, b.number(b.f64(), 0), exponent));

  // Negative bases: odd integers y give the sign, other integers none, the rest NaN (but 0 and infinity have a power).
  Value half = b.mul(y, b.number(f32, 0.5));
  Value isInteger = b.compare(arith::CmpFPredicate::OEQ, b.truncate(y), y);
  Value halfIsBroken = b.compare(arith::CmpFPredicate::ONE, b.truncate(half), half);
  Value signBit = b.compare(arith::CmpIPredicate::slt, b.bits(x), b.integer(b.integerType(32), 0));
  Value negated = b.bitAnd(signBit, b.bitAnd(isInteger, halfIsBroken));
  Value result = b.select(negated, b.negate(power), power);
  Value ordinaryNegative = b.bitAnd(b.compare(arith::CmpFPredicate::OLT, x, zero),
                                    b.compare(arith::CmpFPredicate::OGT, x, b.number(f32, -kInfinity)));
  Value fractional = b.compare(arith::CmpFPredicate::ONE, b.truncate(y), y);
  result = b.select(b.bitAnd(ordinaryNegative, fractional), nan, result);

  result = b.select(b.compare(arith::CmpFPredicate::UNO, x, y), nan, result);
  Value isOne = b.bitOr(b.compare(arith::CmpFPredicate::OEQ, y, zero), b.compare(arith::CmpFPredicate::OEQ, x, one));
  return b.select(isOne, one, result);
}

}  // namespace forerun::passes::semantics
