//===- FloatArithmetic.cpp - remainder, round, reciprocal square root ------===//
// What arith and math have as one operation but back ends do differently or as library calls.
#include "compiler/passes/semantics/Expansions.h"

#include <cmath>

using namespace mlir;

namespace forerun::passes::semantics {

Value expandRemainder(ScalarBuilder& b, Value x, Value y) {
  Type type = x.getType();
  // Subtracts multiples of |y| * 2^(precision k), k descending: quotients stay below 2^precision and every step is
  // exact. The division may round up to the next integer, which leaves a negative rest to mend. 2^128 / 2^-149 takes 12
  // steps of 24 bits, 2^1024 / 2^-1074 40 steps of 53.
  unsigned precision = type.isF64() ? 53 : 24;
  unsigned steps = type.isF64() ? 40 : 12;
  llvm::SmallVector<Value> divisors{b.absolute(y)};
  Value factor = b.number(type, std::ldexp(1.0, static_cast<int>(precision)));
  while (divisors.size() < steps) divisors.push_back(b.mul(divisors.back(), factor));
  Value zero = b.number(type, 0);
  Value rest = b.absolute(x);
  for (Value divisor : llvm::reverse(divisors)) {
    Value quotient = b.truncate(b.div(rest, divisor));
    Value next = b.fma(b.negate(quotient), divisor, rest);
    Value negative = b.compare(arith::CmpFPredicate::OLT, next, zero);
    next = b.select(negative, b.add(next, divisor), next);
    rest = b.select(b.compare(arith::CmpFPredicate::OGE, rest, divisor), next, rest);
  }
  return b.select(b.isNan(y), y, b.copySign(rest, x));
}

Value expandRound(ScalarBuilder& b, Value x) {
  Type type = x.getType();
  Value whole = b.truncate(x);
  Value away = b.compare(arith::CmpFPredicate::OGE, b.absolute(b.sub(x, whole)), b.number(type, 0.5));
  return b.select(away, b.add(whole, b.copySign(b.number(type, 1), x)), whole);
}

Value expandReciprocalSquareRoot(ScalarBuilder& b, Value x) { return b.div(b.number(x.getType(), 1), b.squareRoot(x)); }

}  // namespace forerun::passes::semantics
