//===- IntegerArithmetic.cpp - division, remainder, shifts -----------------===//
// Guards that make every operand defined; see Expansions.h for the values.
#include "compiler/passes/semantics/Expansions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

std::optional<llvm::APInt> constantOf(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) return constant;
  return std::nullopt;
}

/// i1 has no 1 that is not also -1: its division is done in i8.
template <typename Fn>
Value widened(ScalarBuilder& b, Value x, Value y, bool isSigned, Fn&& expand) {
  if (!x.getType().isInteger(1)) return expand(x, y);
  Type i8 = b.integerType(8);
  auto extend = [&](Value value) { return isSigned ? b.extendSigned(i8, value) : b.extendUnsigned(i8, value); };
  return b.narrowInt(x.getType(), expand(extend(x), extend(y)));
}

/// A divisor that no division traps on, and where it stands in for 0.
struct SafeDivisor {
  Value divisor;
  Value isZero;  ///< null when the divisor is a constant that needs no guard
};

SafeDivisor guard(ScalarBuilder& b, Value x, Value y, bool isSigned) {
  std::optional<llvm::APInt> constant = constantOf(y);
  if (constant && !constant->isZero() && !(isSigned && constant->isAllOnes())) return {y, Value()};
  Type type = y.getType();
  Value one = b.integer(type, 1);
  Value isZero = b.compare(arith::CmpIPredicate::eq, y, b.integer(type, 0));
  if (!isSigned) return {b.select(isZero, one, y), isZero};
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value minimum = b.integer(type, llvm::APInt::getSignedMinValue(width).getSExtValue());
  // MIN / -1: dividing by 1 instead gives MIN and remainder 0, what wrapping arithmetic gives.
  Value overflows = b.bitAnd(b.compare(arith::CmpIPredicate::eq, x, minimum),
                             b.compare(arith::CmpIPredicate::eq, y, b.integer(type, -1)));
  return {b.select(b.bitOr(isZero, overflows), one, y), isZero};
}

Value orAllOnes(ScalarBuilder& b, const SafeDivisor& safe, Value quotient) {
  return safe.isZero ? b.select(safe.isZero, b.integer(quotient.getType(), -1), quotient) : quotient;
}

template <typename OpT>
Value emit(ScalarBuilder& b, Value x, Value y) {
  return OpT::create(b.mlirBuilder(), b.location(), x, y);
}

}  // namespace

Value expandDivideUnsigned(ScalarBuilder& b, Value x, Value y, Rounding rounding) {
  return widened(b, x, y, /*isSigned=*/false, [&](Value x, Value y) {
    SafeDivisor safe = guard(b, x, y, /*isSigned=*/false);
    Value quotient = emit<arith::DivUIOp>(b, x, safe.divisor);
    if (rounding == Rounding::Ceiling) {
      Value rest = b.subInt(x, b.mulInt(quotient, safe.divisor));
      Value inexact = b.compare(arith::CmpIPredicate::ne, rest, b.integer(x.getType(), 0));
      quotient = b.select(inexact, b.addInt(quotient, b.integer(x.getType(), 1)), quotient);
    }
    return orAllOnes(b, safe, quotient);
  });
}

Value expandDivideSigned(ScalarBuilder& b, Value x, Value y, Rounding rounding) {
  return widened(b, x, y, /*isSigned=*/true, [&](Value x, Value y) {
    SafeDivisor safe = guard(b, x, y, /*isSigned=*/true);
    Value quotient = emit<arith::DivSIOp>(b, x, safe.divisor);
    if (rounding != Rounding::TowardZero) {
      Value zero = b.integer(x.getType(), 0);
      Value rest = b.subInt(x, b.mulInt(quotient, safe.divisor));
      Value inexact = b.compare(arith::CmpIPredicate::ne, rest, zero);
      // The rest has the sign of x: the exact quotient is negative where it differs from the divisor's.
      bool floor = rounding == Rounding::Floor;
      Value signs =
          b.compare(floor ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge, b.bitXor(rest, safe.divisor), zero);
      Value adjusted = b.addInt(quotient, b.integer(x.getType(), floor ? -1 : 1));
      quotient = b.select(b.bitAnd(inexact, signs), adjusted, quotient);
    }
    return orAllOnes(b, safe, quotient);
  });
}

Value expandRemainderUnsigned(ScalarBuilder& b, Value x, Value y) {
  return widened(b, x, y, /*isSigned=*/false, [&](Value x, Value y) {
    SafeDivisor safe = guard(b, x, y, /*isSigned=*/false);
    Value rest = emit<arith::RemUIOp>(b, x, safe.divisor);
    return safe.isZero ? b.select(safe.isZero, x, rest) : rest;
  });
}

Value expandRemainderSigned(ScalarBuilder& b, Value x, Value y) {
  return widened(b, x, y, /*isSigned=*/true, [&](Value x, Value y) {
    SafeDivisor safe = guard(b, x, y, /*isSigned=*/true);
    Value rest = emit<arith::RemSIOp>(b, x, safe.divisor);
    return safe.isZero ? b.select(safe.isZero, x, rest) : rest;
  });
}

LowHigh expandMultiplyExtended(ScalarBuilder& b, Value x, Value y, bool isSigned) {
  Type type = x.getType();
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1) return {b.bitAnd(x, y), b.integer(type, 0)};  // 1 or, signed, -1 * -1
  if (width < 64) {
    Type wide = b.integerType(2 * width);
    auto extend = [&](Value value) { return isSigned ? b.extendSigned(wide, value) : b.extendUnsigned(wide, value); };
    Value product = b.mulInt(extend(x), extend(y));
    return {b.narrowInt(type, product), b.narrowInt(type, b.shiftRightUnsigned(product, width))};
  }
  // Halves of 32 bits; no sum below passes 2^64.
  Value mask = b.integer(type, 0xffffffff);
  Value xLow = b.bitAnd(x, mask), xHigh = b.shiftRightUnsigned(x, 32);
  Value yLow = b.bitAnd(y, mask), yHigh = b.shiftRightUnsigned(y, 32);
  Value middle = b.addInt(b.mulInt(xHigh, yLow), b.shiftRightUnsigned(b.mulInt(xLow, yLow), 32));
  Value other = b.addInt(b.mulInt(xLow, yHigh), b.bitAnd(middle, mask));
  Value high =
      b.addInt(b.addInt(b.mulInt(xHigh, yHigh), b.shiftRightUnsigned(middle, 32)), b.shiftRightUnsigned(other, 32));
  if (isSigned) {
    // A negative x counts 2^64 too much of y, and the other way round.
    high = b.subInt(high, b.bitAnd(b.shiftRightSigned(x, 63), y));
    high = b.subInt(high, b.bitAnd(b.shiftRightSigned(y, 63), x));
  }
  return {b.mulInt(x, y), high};
}

LowHigh expandAddExtended(ScalarBuilder& b, Value x, Value y) {
  Value sum = b.addInt(x, y);
  return {sum, b.compare(arith::CmpIPredicate::ult, sum, x)};
}

Value expandShift(ScalarBuilder& b, Value x, Value amount, Shift shift) {
  Type type = x.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto emitShift = [&](Value by) -> Value {
    switch (shift) {
      case Shift::Left:
        return emit<arith::ShLIOp>(b, x, by);
      case Shift::RightSigned:
        return emit<arith::ShRSIOp>(b, x, by);
      case Shift::RightUnsigned:
        return emit<arith::ShRUIOp>(b, x, by);
    }
    llvm_unreachable("unknown shift");
  };
  if (std::optional<llvm::APInt> constant = constantOf(amount); constant && constant->ult(width))
    return emitShift(amount);
  Value last = b.integer(type, width - 1);
  Value inside = b.compare(arith::CmpIPredicate::ule, amount, last);
  Value safe = b.select(inside, amount, last);
  Value shifted = emitShift(safe);
  return shift == Shift::RightSigned ? shifted : b.select(inside, shifted, b.integer(type, 0));
}

}  // namespace forerun::passes::semantics
