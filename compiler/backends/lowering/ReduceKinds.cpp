//===- ReduceKinds.cpp - what each kind of reduction does to its state ------===//
// See ReduceKinds.h; the meanings are those of docs/language.md.
#include "compiler/backends/lowering/ReduceKinds.h"

#include <limits>

using namespace mlir;

namespace forerun::backends {

namespace {

using Kind = tile::ReduceKind;

Type accumulatorFor(Kind kind, Type input, Type output, bool index) {
  Type type = index ? input : output;
  if (type.isF16() || type.isBF16()) return Float32Type::get(type.getContext());
  return type;
}

}  // namespace

ReduceKind::ReduceKind(tile::ReduceKind kind, Type input, Type output)
    : kind_(kind),
      input_(input),
      output_(output),
      accumulator_(accumulatorFor(kind, input, output, kind == Kind::ArgMin || kind == Kind::ArgMax)) {}

ReduceKind::ReduceKind(tile::ReduceOp op)
    : ReduceKind(op.getKind(), op.getInput().getType().getElementType(), op.getOutput().getType().getElementType()) {
  inOrder_ = op.getOrder() == tile::ReduceOrder::Tree && isFloat() && (kind_ == Kind::Add || kind_ == Kind::Mul);
}

unsigned ReduceKind::widestBits() const {
  unsigned bits = std::max({8u, input_.getIntOrFloatBitWidth(), accumulator_.getIntOrFloatBitWidth()});
  return isIndex() ? std::max(bits, output_.getIntOrFloatBitWidth()) : bits;
}

TypedAttr ReduceKind::identity(Emit& emit) const {
  if (isFloat()) {
    const auto& semantics = cast<FloatType>(accumulator_).getFloatSemantics();
    switch (kind_) {
      case Kind::Add:
        return emit.getFloatAttr(accumulator_, APFloat::getZero(semantics, /*Negative=*/true));
      case Kind::Mul:
        return emit.getFloatAttr(accumulator_, 1.0);
      case Kind::Min:
      case Kind::ArgMin:
        return emit.getFloatAttr(accumulator_, APFloat::getInf(semantics));
      case Kind::Max:
      case Kind::ArgMax:
        return emit.getFloatAttr(accumulator_, APFloat::getInf(semantics, true));
      default:
        return emit.getFloatAttr(accumulator_, APFloat::getQNaN(semantics));
    }
  }
  const unsigned bits = accumulator_.getIntOrFloatBitWidth();
  auto value = [&](const APInt& integer) { return TypedAttr(IntegerAttr::get(accumulator_, integer)); };
  switch (kind_) {
    case Kind::Mul:
      return value(APInt(bits, 1));
    case Kind::Min:
    case Kind::ArgMin:
      return value(APInt::getSignedMaxValue(bits));
    case Kind::Max:
    case Kind::ArgMax:
      return value(APInt::getSignedMinValue(bits));
    case Kind::And:
      return value(APInt::getAllOnes(bits));
    default:
      return value(APInt::getZero(bits));
  }
}

static TypedAttr noIndex(Emit& emit, Type type) {
  return IntegerAttr::get(type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth()));
}

SmallVector<Value> ReduceKind::initial(Emit& emit, const Lanes& lanes) const {
  SmallVector<Value> state{lanes.constant(emit, identity(emit))};
  if (isIndex()) state.push_back(lanes.constant(emit, noIndex(emit, output_)));
  if (nanWins()) state.push_back(lanes.constant(emit, emit.getIntegerAttr(magnitudeType(emit), 0)));
  return state;
}

Value ReduceKind::widen(Emit& emit, const Lanes& lanes, Value element) const {
  Type from = getElementTypeOrSelf(element.getType());
  if (from == accumulator_) return element;
  if (isFloat()) return arith::ExtFOp::create(emit, lanes.of(accumulator_), element);
  if (from.isInteger(1)) return arith::ExtUIOp::create(emit, lanes.of(accumulator_), element);
  return arith::ExtSIOp::create(emit, lanes.of(accumulator_), element);
}

bool ReduceKind::nanWins() const { return isFloat() && (kind_ == Kind::Min || kind_ == Kind::Max); }

Type ReduceKind::magnitudeType(Emit& emit) const { return emit.getIntegerType(accumulator_.getIntOrFloatBitWidth()); }

Value ReduceKind::isNan(Emit& emit, Value value) const {
  return arith::CmpFOp::create(emit, arith::CmpFPredicate::UNO, value, value);
}

Value ReduceKind::better(Emit& emit, const Lanes& lanes, Value candidate, Value best) const {
  const bool least = kind_ == Kind::ArgMin;
  if (!isFloat())
    return arith::CmpIOp::create(emit, least ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt, candidate, best);
  Value beats =
      arith::CmpFOp::create(emit, least ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, candidate, best);
  // -0 < +0: equal values differ in their bits only there, and as signed integers in that order.
  Type bits = lanes.of(emit.getIntegerType(accumulator_.getIntOrFloatBitWidth()));
  Value equal = arith::CmpFOp::create(emit, arith::CmpFPredicate::OEQ, candidate, best);
  Value zeros = arith::CmpIOp::create(emit, least ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt,
                                      arith::BitcastOp::create(emit, bits, candidate),
                                      arith::BitcastOp::create(emit, bits, best));
  beats = arith::OrIOp::create(emit, beats, arith::AndIOp::create(emit, equal, zeros));
  // The first NaN wins: one that comes later never replaces it.
  Value number = arith::CmpFOp::create(emit, arith::CmpFPredicate::ORD, best, best);
  return arith::OrIOp::create(emit, beats, arith::AndIOp::create(emit, isNan(emit, candidate), number));
}

SmallVector<Value> ReduceKind::combine(Emit& emit, const Lanes& lanes, ValueRange state, Value element,
                                       Value index) const {
  Value old = state[0];
  if (isIndex()) {
    if (index.getType() != state[1].getType()) index = arith::TruncIOp::create(emit, lanes.of(output_), index);
    Value empty =
        arith::CmpIOp::create(emit, arith::CmpIPredicate::eq, state[1], lanes.constant(emit, noIndex(emit, output_)));
    Value take = arith::OrIOp::create(emit, empty, better(emit, lanes, element, old));
    return {arith::SelectOp::create(emit, take, element, old), arith::SelectOp::create(emit, take, index, state[1])};
  }
  Type type = old.getType();
  if (isFloat()) {
    switch (kind_) {
      case Kind::Add:
        return {arith::AddFOp::create(emit, old, element)};
      case Kind::Mul:
        return {arith::MulFOp::create(emit, old, element)};
      case Kind::MinNum:
        return {emit.intrinsic(type, "llvm.minimumnum", {old, element})};
      case Kind::MaxNum:
        return {emit.intrinsic(type, "llvm.maximumnum", {old, element})};
      default:
        break;
    }
    // Min and max with NaN winning: the numbers' result, and the greatest magnitude as bits, which is above infinity's
    // exactly when there was a NaN.
    Value best = emit.intrinsic(type, kind_ == Kind::Min ? "llvm.minimumnum" : "llvm.maximumnum", {old, element});
    const unsigned width = accumulator_.getIntOrFloatBitWidth();
    Value bits = arith::BitcastOp::create(emit, lanes.of(magnitudeType(emit)), element);
    Value magnitude = arith::AndIOp::create(
        emit, bits, lanes.constant(emit, IntegerAttr::get(magnitudeType(emit), APInt::getSignedMaxValue(width))));
    return {best, arith::MaxUIOp::create(emit, state[1], magnitude)};
  }
  switch (kind_) {
    case Kind::Add:
      return {arith::AddIOp::create(emit, old, element)};
    case Kind::Mul:
      return {arith::MulIOp::create(emit, old, element)};
    case Kind::Min:
      return {arith::MinSIOp::create(emit, old, element)};
    case Kind::Max:
      return {arith::MaxSIOp::create(emit, old, element)};
    case Kind::And:
      return {arith::AndIOp::create(emit, old, element)};
    case Kind::Or:
      return {arith::OrIOp::create(emit, old, element)};
    default:
      return {arith::XOrIOp::create(emit, old, element)};
  }
}

SmallVector<Value> ReduceKind::combineStored(Emit& emit, const Lanes& lanes, ValueRange state, Value stored) const {
  return combine(emit, lanes, state, widen(emit, lanes, stored), Value());
}

Value ReduceKind::join(Emit& emit, Value earlier, Value later) const {
  if (!nanWins()) return combine(emit, Lanes{}, earlier, later, Value())[0];
  if (kind_ == Kind::Min) return arith::MinimumFOp::create(emit, earlier, later);
  return arith::MaximumFOp::create(emit, earlier, later);
}

Value ReduceKind::narrow(Emit& emit, const Lanes& lanes, Value value) const {
  return accumulator_ == output_ ? value : arith::TruncFOp::create(emit, lanes.of(output_), value);
}

SmallVector<Value> ReduceKind::acrossLanes(Emit& emit, const Lanes& lanes, ValueRange state) const {
  auto reduce = [&](StringRef name, Value vector) {
    return emit.intrinsic(getElementTypeOrSelf(vector.getType()), ("llvm.vector.reduce." + name).str(), vector);
  };
  Value vector = state[0];
  if (isIndex()) {
    Value none = lanes.constant(emit, noIndex(emit, output_));
    Value taken = arith::CmpIOp::create(emit, arith::CmpIPredicate::ne, state[1], none);
    Value worst = lanes.constant(emit, identity(emit)), candidates, extreme;
    const bool least = kind_ == Kind::ArgMin;
    if (isFloat()) {
      Value nan = arith::AndIOp::create(emit, isNan(emit, vector), taken);
      Value number =
          arith::AndIOp::create(emit, arith::CmpFOp::create(emit, arith::CmpFPredicate::ORD, vector, vector), taken);
      Value anyNan = reduce("or", nan);
      extreme = reduce(least ? "fmin" : "fmax", arith::SelectOp::create(emit, number, vector, worst));
      Type bits = emit.getIntegerType(accumulator_.getIntOrFloatBitWidth());
      Value same =
          arith::CmpIOp::create(emit, arith::CmpIPredicate::eq, arith::BitcastOp::create(emit, lanes.of(bits), vector),
                                lanes.splat(emit, arith::BitcastOp::create(emit, bits, extreme)));
      candidates =
          arith::SelectOp::create(emit, lanes.splat(emit, anyNan), nan, arith::AndIOp::create(emit, number, same));
      extreme = emit.intrinsic(accumulator_, least ? "llvm.minimumnum" : "llvm.maximumnum", {extreme, extreme});
    } else {
      extreme = reduce(least ? "smin" : "smax", arith::SelectOp::create(emit, taken, vector, worst));
      candidates = arith::AndIOp::create(
          emit, taken, arith::CmpIOp::create(emit, arith::CmpIPredicate::eq, vector, lanes.splat(emit, extreme)));
    }
    return {extreme, reduce("smin", arith::SelectOp::create(emit, candidates, state[1], none))};
  }
  if (isFloat()) {
    const auto reassociate =
        LLVM::FastmathFlagsAttr::get(emit.getContext(), LLVM::FastmathFlags::reassoc);  // `order <any>`
    Value identityValue = Lanes{}.constant(emit, identity(emit));
    switch (kind_) {
      case Kind::Add:
        return {LLVM::vector_reduce_fadd::create(emit, accumulator_, identityValue, vector, reassociate)};
      case Kind::Mul:
        return {productAcrossLanes(emit, lanes, vector)};
      case Kind::Min:
        return {reduce("fmin", vector), reduce("umax", state[1])};
      case Kind::Max:
        return {reduce("fmax", vector), reduce("umax", state[1])};
      case Kind::MinNum:
        return {reduce("fmin", vector)};
      default:
        return {reduce("fmax", vector)};
    }
  }
  switch (kind_) {
    case Kind::Add:
      return {reduce("add", vector)};
    case Kind::Mul:
      return {productAcrossLanes(emit, lanes, vector)};
    case Kind::Min:
      return {reduce("smin", vector)};
    case Kind::Max:
      return {reduce("smax", vector)};
    case Kind::And:
      return {reduce("and", vector)};
    case Kind::Or:
      return {reduce("or", vector)};
    default:
      return {reduce("xor", vector)};
  }
}

Value ReduceKind::productAcrossLanes(Emit& emit, const Lanes& lanes, Value vector) const {
  // RISC-V has no product reduction and LLVM does not expand it for scalable vectors: one lane after the other.
  Value vscale = emit.intrinsic(emit.getI64Type(), "llvm.vscale", {});
  Value count = emit.mul(vscale, lanes.perGranule);
  Value start = Lanes{}.constant(emit, identity(emit));
  return emit.loop(emit.constant(0), count, emit.constant(1), ValueRange{start}, [&](Value lane, ValueRange product) {
    Value element = LLVM::ExtractElementOp::create(emit, vector, lane);
    return SmallVector<Value>{isFloat() ? Value(arith::MulFOp::create(emit, product[0], element))
                                        : Value(arith::MulIOp::create(emit, product[0], element))};
  })[0];
}

Value ReduceKind::result(Emit& emit, const Lanes& lanes, ValueRange state) const {
  if (isIndex()) {
    Value empty =
        arith::CmpIOp::create(emit, arith::CmpIPredicate::eq, state[1], lanes.constant(emit, noIndex(emit, output_)));
    return arith::SelectOp::create(emit, empty, lanes.constant(emit, IntegerAttr::get(output_, 0)), state[1]);
  }
  Value value = state[0];
  if (state.size() == 2) {
    const auto& semantics = cast<FloatType>(accumulator_).getFloatSemantics();
    auto bits = [&](const APInt& integer) {
      return lanes.constant(emit, IntegerAttr::get(magnitudeType(emit), integer));
    };
    // Any bits become those of a NaN with NaN's set; a selection of the values would become a branch.
    Value isNan = arith::CmpIOp::create(emit, arith::CmpIPredicate::ugt, state[1],
                                        bits(APFloat::getInf(semantics).bitcastToAPInt()));
    Value set = arith::SelectOp::create(emit, isNan, bits(APFloat::getQNaN(semantics).bitcastToAPInt()),
                                        bits(APInt(accumulator_.getIntOrFloatBitWidth(), 0)));
    value = arith::BitcastOp::create(emit, lanes.of(magnitudeType(emit)), value);
    value = arith::BitcastOp::create(emit, lanes.of(accumulator_), arith::OrIOp::create(emit, value, set));
  }
  return narrow(emit, lanes, value);
}

Value ReduceKind::laneIndices(Emit& emit, const Lanes& lanes, Value first, bool ascending) const {
  if (first.getType() != output_) first = arith::TruncIOp::create(emit, output_, first);
  Value indices = lanes.splat(emit, first);
  if (!ascending) return indices;
  return arith::AddIOp::create(emit, indices, LLVM::StepVectorOp::create(emit, lanes.of(output_)));
}

}  // namespace forerun::backends
