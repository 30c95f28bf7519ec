//===- Hyperbolic.cpp - tanh and erf in f32 --------------------------------===//
// Odd functions that saturate: a polynomial near 0, one minus an exponential beyond.
#include "compiler/passes/semantics/Expansions.h"
#include "compiler/passes/semantics/FloatConstants.h"

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

// (tanh x - x) / x^3 in x^2: relative error of tanh < 0.08 * 2^-24 on [0, 0.625].
constexpr double kTanh[] = {-0x1.555532p-2, 0x1.1106fep-3, -0x1.b83792p-5, 0x1.520a3ap-6, -0x1.756d14p-8};

// erf(x) / x - 1 in x^2: relative error of erf < 0.02 * 2^-24 on [0, 0.921875].
constexpr double kErf[] = {0x1.06eba8p-3, -0x1.81274p-2,  0x1.ce2d64p-4, -0x1.b80116p-6,
                           0x1.5449a2p-8, -0x1.a6023p-11, 0x1.4f3dfep-14};
// log(1 - erf(x)): relative error of erf < 0.03 * 2^-24 on [0.921875, 3.95]; erf rounds to 1 from there.
constexpr double kErfTail[] = {-0x1.a05368p-13, -0x1.20ae94p+0, -0x1.463f5cp-1, -0x1.a9a1c6p-4,
                               0x1.6c06b4p-6,   -0x1.8e98e2p-9, 0x1.9a70dcp-13};

/// e^x for -100 < x <= 40 or NaN: no overflow, no denormals; NaN may give any number.
Value expNormal(ScalarBuilder& b, Value x) {
  Value biased = b.fma(x, b.number(b.f32(), kLog2E), b.number(b.f32(), kRoundToInteger));
  Value p = expPolynomial(b, reduceExponent(b, x, biased, kRoundToInteger).rest);
  return b.bitcast(b.f32(), b.addInt(b.bits(p), b.shiftLeft(b.bits(biased), 23)));
}

}  // namespace

Value expandTanh(ScalarBuilder& b, Value x) {
  Type f32 = b.f32();
  Value square = b.mul(x, x);
  Value near = b.fma(b.mul(x, square), b.polynomial(square, kTanh), x);
  // 1 - 2 / (e^2|x| + 1); 1 - tanh(10) < 2^-28.
  Value magnitude = b.absolute(x);
  Value bounded = b.minNumber(magnitude, b.number(f32, 10));
  Value exponential = expNormal(b, b.add(bounded, bounded));
  Value quotient = b.div(b.number(f32, 2), b.add(exponential, b.number(f32, 1)));
  Value far = b.sub(b.number(f32, 1), quotient);
  Value isFar = b.compare(arith::CmpFPredicate::OGE, magnitude, b.number(f32, 0.625));
  return b.copySign(b.select(isFar, far, near), x);  // after the selection, for -0
}

Value expandErf(ScalarBuilder& b, Value x) {
  Type f32 = b.f32();
  Value near = b.fma(x, b.polynomial(b.mul(x, x), kErf), x);
  Value magnitude = b.absolute(x);
  Value tail = b.polynomial(b.minNumber(magnitude, b.number(f32, 3.95)), kErfTail);
  Value far = b.copySign(b.sub(b.number(f32, 1), expNormal(b, tail)), x);
  return b.select(b.compare(arith::CmpFPredicate::OGE, magnitude, b.number(f32, 0.921875)), far, near);
}

}  // namespace forerun::passes::semantics
