//===- ScalarBuilder.h - short hand for straight-line scalar code ----------===//
// Lets an expansion read like the formula that it implements. Never folds: constants keep their bits.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace forerun::passes::semantics {

class ScalarBuilder {
 public:
  ScalarBuilder(mlir::OpBuilder& builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Type f32() { return builder.getF32Type(); }
  mlir::Type f64() { return builder.getF64Type(); }
  mlir::Type integerType(unsigned bits) { return builder.getIntegerType(bits); }
  /// The integer type that holds the bits of `type`.
  mlir::Type bitsType(mlir::Type type) { return integerType(type.getIntOrFloatBitWidth()); }

  /// `value` rounded to `type` (float).
  mlir::Value number(mlir::Type type, double value);
  /// Low bits of `value` (integer or index type).
  mlir::Value integer(mlir::Type type, std::int64_t value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  /// a * b + c, one rounding.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value negate(mlir::Value a);
  mlir::Value absolute(mlir::Value a);
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value squareRoot(mlir::Value a);
  mlir::Value truncate(mlir::Value a);
  mlir::Value roundEven(mlir::Value a);
  /// The smaller number; a number wins over NaN.
  mlir::Value minNumber(mlir::Value a, mlir::Value b);
  /// ((c[n] * x + c[n-1]) * x + ...) + c[0] by fma, in x's type; at least two coefficients.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients);

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value isNan(mlir::Value a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }

  mlir::Value addInt(mlir::Value a, mlir::Value b);
  mlir::Value subInt(mlir::Value a, mlir::Value b);
  mlir::Value mulInt(mlir::Value a, mlir::Value b);
  mlir::Value minSigned(mlir::Value a, mlir::Value b);
  mlir::Value maxSigned(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value shiftLeft(mlir::Value a, std::int64_t bits);
  mlir::Value shiftRightSigned(mlir::Value a, std::int64_t bits);
  mlir::Value shiftRightUnsigned(mlir::Value a, std::int64_t bits);

  /// Same width, same bits.
  mlir::Value bitcast(mlir::Type type, mlir::Value a);
  mlir::Value bits(mlir::Value a) { return bitcast(bitsType(a.getType()), a); }
  /// Exact widening or rounding narrowing among f16, bf16, f32, f64 as arith.extf / arith.truncf do it in one step.
  mlir::Value extend(mlir::Type type, mlir::Value a);
  mlir::Value narrow(mlir::Type type, mlir::Value a);
  mlir::Value extendSigned(mlir::Type type, mlir::Value a);
  mlir::Value extendUnsigned(mlir::Type type, mlir::Value a);
  mlir::Value narrowInt(mlir::Type type, mlir::Value a);
  mlir::Value fromSigned(mlir::Type type, mlir::Value a);
  mlir::Value fromUnsigned(mlir::Type type, mlir::Value a);
  /// `a` is known to be in range.
  mlir::Value toSigned(mlir::Type type, mlir::Value a);
  mlir::Value toUnsigned(mlir::Type type, mlir::Value a);

  mlir::OpBuilder& mlirBuilder() { return builder; }
  mlir::Location location() const { return loc; }

 private:
  mlir::OpBuilder& builder;
  mlir::Location loc;
};

}  // namespace forerun::passes::semantics
