//===- FloatConstants.h - constants and steps that functions share ---------===//
// Splits of ln 2 and the like into f32 parts, and the reduction that exp, expm1 and tanh have in common.
#pragma once

#include "compiler/passes/semantics/ScalarBuilder.h"

namespace forerun::passes::semantics {

/// Adding it to |x| < 2^22 leaves round(x) in the low mantissa bits.
inline constexpr double kRoundToInteger = 0x1.8p23;
inline constexpr double kLog2E = 0x1.715476p+0;
/// ln2 = high + low, each an f32; n * high is exact inside fma.
inline constexpr double kLn2High = 0x1.62e43p-1;
inline constexpr double kLn2Low = -0x1.05c61p-29;

struct ReducedExponent {
  mlir::Value count;  ///< n, a float
  mlir::Value rest;   ///< x - n ln2
};
/// `biased` is `bias` + n.
ReducedExponent reduceExponent(ScalarBuilder& b, mlir::Value x, mlir::Value biased, double bias);
/// e^r for |r| <= ln2 / 2.
mlir::Value expPolynomial(ScalarBuilder& b, mlir::Value r);

}  // namespace forerun::passes::semantics
