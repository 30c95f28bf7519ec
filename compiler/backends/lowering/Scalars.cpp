//===- Scalars.cpp - scalar code and control flow of a kernel ---------------===//
// See Scalars.h.
#include "compiler/backends/lowering/Scalars.h"

#include "compiler/dialect/TileOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forerun::backends {

Type scalarType(Type type) {
  if (llvm::isa<IndexType, tile::TokenType, tile::BarrierType>(type)) return IntegerType::get(type.getContext(), 64);
  if (tile::isSmallFloat(type)) return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

bool hasInstruction(Operation& op) {
  if (op.getNumRegions() != 0 || llvm::isa<arith::RemFOp>(op)) return false;
  if (llvm::isa_and_present<arith::ArithDialect>(op.getDialect())) return true;
  return llvm::isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp, math::TruncOp,
                   math::RoundOp, math::RoundEvenOp, math::CopySignOp, math::CountLeadingZerosOp,
                   math::CountTrailingZerosOp, math::CtPopOp>(op);
}

/// A wider float of the same value. A scalar bf16 takes integers: LLVM's RISC-V back end folds its extension into
/// fcopysign, and cannot select what that gives.
static Value extend(Emit& emit, const Lanes& lanes, Value value, Type wide) {
  if (!lanes.scalar() || !value.getType().isBF16() || !wide.isF32())
    return arith::ExtFOp::create(emit, lanes.of(wide), value);
  Value bits =
      arith::ExtUIOp::create(emit, emit.getI32Type(), arith::BitcastOp::create(emit, emit.getI16Type(), value));
  Value high = arith::ShLIOp::create(emit, bits, emit.constant32(16));
  return arith::BitcastOp::create(emit, wide, high);
}

SmallVector<Value> cloneOperation(Emit& emit, Operation* op, ValueRange operands, const Lanes& lanes) {
  // arith's maxnumf leaves the order of zeros open in LLVM; the language's is maximumNumber.
  if (llvm::isa<arith::MaxNumFOp>(op)) return {emit.intrinsic(operands[0].getType(), "llvm.maximumnum", operands)};
  if (llvm::isa<arith::MinNumFOp>(op)) return {emit.intrinsic(operands[0].getType(), "llvm.minimumnum", operands)};
  if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Value value = operands[0];
    Type type = lanes.of(scalarType(op->getResult(0).getType()));
    const unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth(),
                   to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (from > to) return {arith::TruncIOp::create(emit, type, value)};
    if (from == to) return {value};
    if (llvm::isa<arith::IndexCastOp>(op)) return {arith::ExtSIOp::create(emit, type, value)};
    return {arith::ExtUIOp::create(emit, type, value)};
  }
  if (llvm::isa<arith::BitcastOp>(op) &&
      getElementTypeOrSelf(operands[0].getType()) == scalarType(op->getResult(0).getType()))
    return {operands[0]};
  if (llvm::isa<arith::ExtFOp>(op)) return {extend(emit, lanes, operands[0], op->getResult(0).getType())};
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes()) state.types.push_back(lanes.of(scalarType(type)));
  state.attributes = llvm::to_vector(op->getDiscardableAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return SmallVector<Value>(emit.create(state)->getResults());
}

TypedAttr constantValue(TypedAttr value) {
  const Type type = scalarType(value.getType());
  if (type == value.getType()) return value;
  if (auto number = dyn_cast<FloatAttr>(value)) return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  return IntegerAttr::get(type, cast<IntegerAttr>(value).getInt());
}

Value convert(Emit& emit, const Lanes& lanes, Value value, Type from, Type to) {
  if (from == to) return value;
  Type result = lanes.of(to);
  if (llvm::isa<FloatType>(from) && llvm::isa<FloatType>(to)) {
    if (from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth()) {  // f16 and bf16: through f32, which holds both
      value = extend(emit, lanes, value, emit.getF32Type());
      return arith::TruncFOp::create(emit, result, value);
    }
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth()) return extend(emit, lanes, value, to);
    return arith::TruncFOp::create(emit, result, value);
  }
  if (llvm::isa<FloatType>(to)) {
    if (from.isInteger(1)) return arith::UIToFPOp::create(emit, result, value);
    return arith::SIToFPOp::create(emit, result, value);
  }
  if (llvm::isa<FloatType>(from)) {
    if (from.isBF16())
      return convert(emit, lanes, extend(emit, lanes, value, emit.getF32Type()), emit.getF32Type(), to);
    if (to.isInteger(1)) {
      Value zero = lanes.constant(emit, emit.getFloatAttr(from, 0.0));
      return arith::CmpFOp::create(emit, arith::CmpFPredicate::UNE, value, zero);
    }
    return emit.intrinsic(result, "llvm.fptosi.sat", value);  // saturates, NaN to 0
  }
  if (to.isInteger(1))
    return arith::CmpIOp::create(emit, arith::CmpIPredicate::ne, value,
                                 lanes.constant(emit, emit.getIntegerAttr(from, 0)));
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth()) return arith::TruncIOp::create(emit, result, value);
  if (from.isInteger(1)) return arith::ExtUIOp::create(emit, result, value);
  return arith::ExtSIOp::create(emit, result, value);
}

SmallVector<Value> Scalars::values(ValueRange of) const {
  return llvm::map_to_vector(of, [&](Value each) { return value(each); });
}

void Scalars::argument(BlockArgument argument, Value word) {
  const Type type = argument.getType();
  if (!type.isIndex() && !type.isInteger(64)) {
    auto bits = b_.getIntegerType(type.getIntOrFloatBitWidth());
    if (bits.getWidth() < 64) word = arith::TruncIOp::create(b_, bits, word);
    if (llvm::isa<FloatType>(scalarType(type))) word = arith::BitcastOp::create(b_, type, word);
  }
  map_.map(argument, word);
}

SmallVector<Value> Scalars::mapBody(Block& body, ValueRange arguments, ValueRange index) {
  IRMapping values;
  values.map(body.getArguments(), arguments);
  auto operand = [&](Value of) {
    Value inside = values.lookupOrNull(of);
    return inside ? inside : value(of);
  };
  for (Operation& op : body.without_terminator()) {
    b_.setLoc(op.getLoc());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      values.map(constant.getResult(),
                 arith::ConstantOp::create(b_, constantValue(cast<TypedAttr>(constant.getValue()))).getResult());
    } else if (auto position = dyn_cast<tile::IndexOp>(op)) {
      Value at = index[position.getDim()];
      if (position.getType().isInteger(32)) at = arith::TruncIOp::create(b_, b_.getI32Type(), at);
      values.map(position.getResult(), at);
    } else if (auto conversion = dyn_cast<tile::ConvertOp>(op)) {
      values.map(conversion.getResult(), convert(b_, Lanes{}, operand(conversion.getValue()),
                                                 conversion.getValue().getType(), conversion.getType()));
    } else {
      values.map(op.getResults(), cloneOperation(b_, &op, llvm::map_to_vector(op.getOperands(), operand), Lanes{}));
    }
  }
  b_.setLoc(body.getParentOp()->getLoc());
  return llvm::map_to_vector(body.getTerminator()->getOperands(), operand);
}

bool Scalars::emit(Operation* op) {
  if (!hasInstruction(*op)) return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    map_.map(constant.getResult(),
             arith::ConstantOp::create(b_, constantValue(cast<TypedAttr>(constant.getValue()))).getResult());
  else
    map_.map(op->getResults(), cloneOperation(b_, op, values(op->getOperands()), Lanes{}));
  return true;
}

LogicalResult Scalars::emitFor(scf::ForOp op, EmitBlock body) {
  const SmallVector<Value> initial = values(op.getInitArgs());
  auto loop =
      scf::ForOp::create(b_, value(op.getLowerBound()), value(op.getUpperBound()), value(op.getStep()), initial);
  OpBuilder::InsertionGuard guard(b_);
  map_.map(op.getInductionVar(), loop.getInductionVar());
  map_.map(op.getRegionIterArgs(), loop.getRegionIterArgs());
  b_.setInsertionPointToStart(loop.getBody());
  if (failed(body(*op.getBody()))) return failure();
  if (!initial.empty()) {
    b_.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b_, values(op.getYieldedValues()));
  }
  map_.map(op.getResults(), loop.getResults());
  return success();
}

LogicalResult Scalars::emitIf(scf::IfOp op, EmitBlock body) {
  const SmallVector<Type> types = llvm::map_to_vector(op.getResultTypes(), scalarType);
  auto branch = scf::IfOp::create(b_, types, value(op.getCondition()), /*withElseRegion=*/!op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b_);
  auto side = [&](Region& from, Block* to, scf::YieldOp yield) -> LogicalResult {
    if (!to->empty()) to->back().erase();
    b_.setInsertionPointToEnd(to);
    if (failed(body(from.front()))) return failure();
    scf::YieldOp::create(b_, values(yield.getOperands()));
    return success();
  };
  if (failed(side(op.getThenRegion(), branch.thenBlock(), op.thenYield()))) return failure();
  if (!op.getElseRegion().empty() && failed(side(op.getElseRegion(), branch.elseBlock(), op.elseYield())))
    return failure();
  map_.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult Scalars::emitWhile(scf::WhileOp op, EmitBlock body) {
  const SmallVector<Type> types = llvm::map_to_vector(op.getResultTypes(), scalarType);
  auto loop = scf::WhileOp::create(b_, TypeRange(types), values(op.getInits()));
  OpBuilder::InsertionGuard guard(b_);
  auto region = [&](Region& from, Region& to) -> LogicalResult {
    Block* block = b_.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      map_.map(argument, block->addArgument(scalarType(argument.getType()), argument.getLoc()));
    return body(from.front());
  };
  if (failed(region(op.getBefore(), loop.getBefore()))) return failure();
  scf::ConditionOp::create(b_, value(op.getConditionOp().getCondition()), values(op.getConditionOp().getArgs()));
  if (failed(region(op.getAfter(), loop.getAfter()))) return failure();
  scf::YieldOp::create(b_, values(op.getYieldOp().getOperands()));
  map_.map(op.getResults(), loop.getResults());
  return success();
}

}  // namespace forerun::backends
