//===- ScalarBuilder.cpp - short hand for straight-line scalar code --------===//
// One create call a method.
#include "compiler/passes/semantics/ScalarBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forerun::passes::semantics {

Value ScalarBuilder::number(Type type, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}
Value ScalarBuilder::integer(Type type, std::int64_t value) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  llvm::APInt bits(width, static_cast<std::uint64_t>(value), /*isSigned=*/true, /*implicitTrunc=*/true);
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, bits));
}
Value ScalarBuilder::add(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
Value ScalarBuilder::sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
Value ScalarBuilder::mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
Value ScalarBuilder::div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
Value ScalarBuilder::fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }
Value ScalarBuilder::negate(Value a) { return arith::NegFOp::create(builder, loc, a); }
Value ScalarBuilder::absolute(Value a) { return math::AbsFOp::create(builder, loc, a); }
Value ScalarBuilder::squareRoot(Value a) { return math::SqrtOp::create(builder, loc, a); }
Value ScalarBuilder::truncate(Value a) { return math::TruncOp::create(builder, loc, a); }
Value ScalarBuilder::roundEven(Value a) { return math::RoundEvenOp::create(builder, loc, a); }
Value ScalarBuilder::minNumber(Value a, Value b) { return arith::MinNumFOp::create(builder, loc, a, b); }
Value ScalarBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}

Value ScalarBuilder::polynomial(Value x, llvm::ArrayRef<double> coefficients) {
  Value sum = number(x.getType(), coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, number(x.getType(), coefficient));
  return sum;
}

Value ScalarBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}
Value ScalarBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}
Value ScalarBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value ScalarBuilder::addInt(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
Value ScalarBuilder::subInt(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
Value ScalarBuilder::mulInt(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
Value ScalarBuilder::minSigned(Value a, Value b) { return arith::MinSIOp::create(builder, loc, a, b); }
Value ScalarBuilder::maxSigned(Value a, Value b) { return arith::MaxSIOp::create(builder, loc, a, b); }
Value ScalarBuilder::bitAnd(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
Value ScalarBuilder::bitOr(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
Value ScalarBuilder::bitXor(Value a, Value b) { return arith::XOrIOp::create(builder, loc, a, b); }
Value ScalarBuilder::shiftLeft(Value a, std::int64_t bits) {
  return arith::ShLIOp::create(builder, loc, a, integer(a.getType(), bits));
}
Value ScalarBuilder::shiftRightSigned(Value a, std::int64_t bits) {
  return arith::ShRSIOp::create(builder, loc, a, integer(a.getType(), bits));
}
Value ScalarBuilder::shiftRightUnsigned(Value a, std::int64_t bits) {
  return arith::ShRUIOp::create(builder, loc, a, integer(a.getType(), bits));
}

Value ScalarBuilder::bitcast(Type type, Value a) { return arith::BitcastOp::create(builder, loc, type, a); }
Value ScalarBuilder::extend(Type type, Value a) { return arith::ExtFOp::create(builder, loc, type, a); }
Value ScalarBuilder::narrow(Type type, Value a) { return arith::TruncFOp::create(builder, loc, type, a); }
Value ScalarBuilder::extendSigned(Type type, Value a) { return arith::ExtSIOp::create(builder, loc, type, a); }
Value ScalarBuilder::extendUnsigned(Type type, Value a) { return arith::ExtUIOp::create(builder, loc, type, a); }
Value ScalarBuilder::narrowInt(Type type, Value a) { return arith::TruncIOp::create(builder, loc, type, a); }
Value ScalarBuilder::fromSigned(Type type, Value a) { return arith::SIToFPOp::create(builder, loc, type, a); }
Value ScalarBuilder::fromUnsigned(Type type, Value a) { return arith::UIToFPOp::create(builder, loc, type, a); }
Value ScalarBuilder::toSigned(Type type, Value a) { return arith::FPToSIOp::create(builder, loc, type, a); }
Value ScalarBuilder::toUnsigned(Type type, Value a) { return arith::FPToUIOp::create(builder, loc, type, a); }

}  // namespace forerun::passes::semantics
