//===- TileExpandSemantics.cpp - --tile-expand-semantics -------------------===//
// Rewrites scalar operations to this language's meaning, so that interpreter and back ends compute the same bits.
#include "compiler/dialect/TileOps.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/semantics/Expansions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>

#define DEBUG_TYPE "tile-expand-semantics"

namespace forerun::passes {
#define GEN_PASS_DEF_TILEEXPANDSEMANTICS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using namespace semantics;

namespace {

bool isNarrow(Type type) { return type.isF16() || type.isBF16(); }

/// Removes licences to deviate (fast math, no-overflow, exact): results would differ between back ends.
LogicalResult dropLicences(Operation* op) {
  MLIRContext* context = op->getContext();
  if (auto fast = llvm::dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(fast.getFastMathAttrName(), arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  if (auto overflow = llvm::dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(overflow.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
  op->removeAttr("isExact");
  if (auto rounding = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode")) {
    if (rounding.getValue() != arith::RoundingMode::to_nearest_even)
      return op->emitOpError() << "rounds to nearest even only, found "
                               << arith::stringifyRoundingMode(rounding.getValue());
    op->removeAttr("roundingmode");
  }
  return success();
}

/// `fn` on operands widened to f32 where they are f16 or bf16; its float result rounded back to `result`.
template <typename Fn>
Value inF32(ScalarBuilder& b, ValueRange operands, Type result, Fn&& fn) {
  llvm::SmallVector<Value> wide;
  for (Value operand : operands) wide.push_back(isNarrow(operand.getType()) ? b.extend(b.f32(), operand) : operand);
  Value value = fn(ValueRange(wide));
  return isNarrow(result) && value.getType() != result ? b.narrow(result, value) : value;
}

/// The same operation in f32: for +, -, *, / and sqrt rounding twice gives the bits of rounding once (24 >= 2 * 11 +
/// 2).
Value sameOperationInF32(ScalarBuilder& b, Operation* op) {
  Type result = op->getResult(0).getType();
  return inF32(b, op->getOperands(), result, [&](ValueRange wide) {
    Operation* copy = b.mlirBuilder().clone(*op);
    copy->setOperands(wide);
    if (isNarrow(result)) copy->getResult(0).setType(b.f32());
    return copy->getResult(0);
  });
}

enum class Action { Keep, Replace, Fail };
struct Outcome {
  Action action = Action::Keep;
  Value value;
};
Outcome keep() { return {}; }
Outcome replaceBy(Value value) { return {Action::Replace, value}; }
Outcome fail() { return {Action::Fail, {}}; }

Outcome expandClassification(ScalarBuilder& b, Operation* op) {
  using P = arith::CmpFPredicate;
  Value x = op->getOperand(0);
  if (isNarrow(x.getType())) x = b.extend(b.f32(), x);
  Value infinity = b.number(x.getType(), std::numeric_limits<double>::infinity());
  if (llvm::isa<math::IsNaNOp>(op)) return replaceBy(b.isNan(x));
  if (llvm::isa<math::IsInfOp>(op)) return replaceBy(b.compare(P::OEQ, b.absolute(x), infinity));
  return replaceBy(b.compare(P::OLT, b.absolute(x), infinity));
}

Outcome expandMath(ScalarBuilder& b, Operation* op) {
  // Exact or correctly rounded everywhere, but bf16 has no such operations.
  if (llvm::isa<math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
                math::SqrtOp>(op))
    return op->getResult(0).getType().isBF16() ? replaceBy(sameOperationInF32(b, op)) : keep();
  if (llvm::isa<math::AbsIOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(op)) return keep();
  if (llvm::isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op)) return expandClassification(b, op);

  Type type = op->getResult(0).getType();
  if (llvm::isa<math::RoundOp>(op))
    return replaceBy(inF32(b, op->getOperands(), type, [&](ValueRange wide) { return expandRound(b, wide[0]); }));
  if (llvm::isa<math::FmaOp>(op) && !isNarrow(type)) return keep();
  if (llvm::isa<math::RsqrtOp>(op) && type.isF64()) return replaceBy(expandReciprocalSquareRoot(b, op->getOperand(0)));

  FloatFunction function = lookupFloatFunction(op->getName().getStringRef());
  if (!function) {
    op->emitOpError() << "has no expansion; expected one of " << llvm::join(floatFunctionNames(), ", ");
    return fail();
  }
  if (type.isF64()) {
    op->emitOpError() << "has no f64 expansion yet; convert to f32, or write it with arith";
    return fail();
  }
  return replaceBy(inF32(b, op->getOperands(), type, [&](ValueRange wide) { return function(b, wide); }));
}

Outcome expandArith(ScalarBuilder& b, Operation* op) {
  auto lhs = [&] { return op->getOperand(0); };
  auto rhs = [&] { return op->getOperand(1); };
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  return llvm::TypeSwitch<Operation*, Outcome>(op)
      .Case([&](arith::DivSIOp) { return replaceBy(expandDivideSigned(b, lhs(), rhs(), Rounding::TowardZero)); })
      .Case([&](arith::FloorDivSIOp) { return replaceBy(expandDivideSigned(b, lhs(), rhs(), Rounding::Floor)); })
      .Case([&](arith::CeilDivSIOp) { return replaceBy(expandDivideSigned(b, lhs(), rhs(), Rounding::Ceiling)); })
      .Case([&](arith::DivUIOp) { return replaceBy(expandDivideUnsigned(b, lhs(), rhs(), Rounding::TowardZero)); })
      .Case([&](arith::CeilDivUIOp) { return replaceBy(expandDivideUnsigned(b, lhs(), rhs(), Rounding::Ceiling)); })
      .Case([&](arith::RemSIOp) { return replaceBy(expandRemainderSigned(b, lhs(), rhs())); })
      .Case([&](arith::RemUIOp) { return replaceBy(expandRemainderUnsigned(b, lhs(), rhs())); })
      .Case([&](arith::ShLIOp) { return replaceBy(expandShift(b, lhs(), rhs(), Shift::Left)); })
      .Case([&](arith::ShRSIOp) { return replaceBy(expandShift(b, lhs(), rhs(), Shift::RightSigned)); })
      .Case([&](arith::ShRUIOp) { return replaceBy(expandShift(b, lhs(), rhs(), Shift::RightUnsigned)); })
      .Case([&](arith::FPToSIOp) { return replaceBy(expandFloatToSigned(b, lhs(), type)); })
      .Case([&](arith::FPToUIOp) { return replaceBy(expandFloatToUnsigned(b, lhs(), type)); })
      .Case(
          [&](arith::SIToFPOp) { return isNarrow(type) ? replaceBy(expandIntToFloat(b, lhs(), type, true)) : keep(); })
      .Case(
          [&](arith::UIToFPOp) { return isNarrow(type) ? replaceBy(expandIntToFloat(b, lhs(), type, false)) : keep(); })
      .Case([&](arith::ExtFOp) {
        const bool steps = (type.isF64() && isNarrow(lhs().getType())) || tile::isSmallFloat(lhs().getType());
        return steps ? replaceBy(convertFloat(b, lhs(), type)) : keep();
      })
      .Case([&](arith::TruncFOp) {
        const bool steps = (isNarrow(type) && lhs().getType().isF64()) || tile::isSmallFloat(type);
        return steps ? replaceBy(convertFloat(b, lhs(), type)) : keep();
      })
      .Case([&](arith::RemFOp) {
        return replaceBy(
            inF32(b, op->getOperands(), type, [&](ValueRange w) { return expandRemainder(b, w[0], w[1]); }));
      })
      .Case<arith::ScalingExtFOp, arith::ScalingTruncFOp>([&](Operation*) {
        op->emitOpError() << "is not part of the language yet; multiply and convert instead";
        return fail();
      })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::CmpFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
          [&](Operation*) { return lhs().getType().isBF16() ? replaceBy(sameOperationInF32(b, op)) : keep(); })
      .Default([](Operation*) { return keep(); });
}

Outcome expandConvert(ScalarBuilder& b, tile::ConvertOp op) {
  if (llvm::isa<tile::ParamType>(op.getValue().getType()) || llvm::isa<tile::ParamType>(op.getType())) {
    op.emitOpError() << "converts a parameter's type; run --tile-bind-params first";
    return fail();
  }
  Value value = convertElement(b, op.getValue(), op.getType(), op.getOverflow() == tile::Overflow::Saturate);
  assert(value && "the verifier admits element types only");
  return replaceBy(value);
}

struct TileExpandSemantics : impl::TileExpandSemanticsBase<TileExpandSemantics> {
  void runOnOperation() override;
};

void TileExpandSemantics::runOnOperation() {
  expandPrimitives(getOperation());
  // Collected first: what an expansion creates is final.
  llvm::SmallVector<Operation*> worklist;
  getOperation()->walk([&](Operation* op) {
    if (llvm::isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        llvm::isa<tile::ConvertOp, tile::RandomOp>(op))
      worklist.push_back(op);
  });
  bool failed = false;
  getOperation()->walk([&](scf::ForOp loop) {
    if (!loop.getUnsignedCmp()) return;
    loop.emitOpError() << "compares unsigned; bounds of loops are signed here, drop 'unsigned'";
    failed = true;
  });
  for (Operation* op : worklist) {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>)) {
      op->emitOpError() << "expected scalars, found " << op->getResultTypes().front()
                        << "; tile.map applies a scalar body to whole tiles";
      failed = true;
      continue;
    }
    const auto isForeign = [](Type type) {
      return llvm::isa<IntegerType, FloatType>(type) && !tile::isElementType(type);
    };
    const auto types = llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes());
    if (const auto foreign = llvm::find_if(types, isForeign); foreign != types.end()) {
      op->emitOpError() << "expected scalars of index or an element type (" << tile::kElementTypes << "), found "
                        << *foreign;
      failed = true;
      continue;
    }
    if (!llvm::isa<arith::ConstantOp>(op) && llvm::any_of(types, tile::isPacked)) {
      op->emitOpError()
          << "computes in a type of 4 bits, which lies in buffers only; convert whole tiles with tile.cast";
      failed = true;
      continue;
    }
    const auto isEight = [](Type type) { return tile::isSmallFloat(type); };
    if (!llvm::isa<tile::ConvertOp, arith::ExtFOp, arith::TruncFOp, arith::ConstantOp, arith::SelectOp,
                   arith::BitcastOp>(op) &&
        (llvm::any_of(op->getOperandTypes(), isEight) || llvm::any_of(op->getResultTypes(), isEight))) {
      op->emitOpError() << "computes in an 8-bit float; convert to f32 with tile.convert first, and back after";
      failed = true;
      continue;
    }
    if (mlir::failed(dropLicences(op))) {
      failed = true;
      continue;
    }
    OpBuilder builder(op);
    ScalarBuilder b(builder, op->getLoc());
    if (llvm::isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp, arith::AddUIExtendedOp>(op)) {
      Value x = op->getOperand(0), y = op->getOperand(1);
      const LowHigh results = llvm::isa<arith::AddUIExtendedOp>(op)
                                  ? expandAddExtended(b, x, y)
                                  : expandMultiplyExtended(b, x, y, llvm::isa<arith::MulSIExtendedOp>(op));
      op->replaceAllUsesWith(ValueRange{results.low, results.high});
      op->erase();
      ++numExpanded;
      continue;
    }
    Outcome outcome;
    if (auto convert = llvm::dyn_cast<tile::ConvertOp>(op))
      outcome = expandConvert(b, convert);
    else if (auto random = llvm::dyn_cast<tile::RandomOp>(op))
      outcome = replaceBy(expandRandom(b, random.getSeed(), random.getPosition()));
    else if (llvm::isa<math::MathDialect>(op->getDialect()))
      outcome = expandMath(b, op);
    else
      outcome = expandArith(b, op);
    if (outcome.action == Action::Fail) failed = true;
    if (outcome.action != Action::Replace) continue;
    op->getResult(0).replaceAllUsesWith(outcome.value);
    op->erase();
    ++numExpanded;
  }
  if (failed) signalPassFailure();
}

}  // namespace
}  // namespace forerun::passes
