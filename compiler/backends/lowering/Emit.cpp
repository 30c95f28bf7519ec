//===- Emit.cpp - short spellings for the code that lowering writes --------===//
// See Emit.h.
#include "compiler/backends/lowering/Emit.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forerun::backends {

std::optional<std::int64_t> constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant))) return constant.getSExtValue();
  return std::nullopt;
}

Value Emit::constant(std::int64_t value) { return arith::ConstantOp::create(*this, getI64IntegerAttr(value)); }
Value Emit::constant1(bool value) { return arith::ConstantOp::create(*this, getBoolAttr(value)); }
Value Emit::constant32(std::int32_t value) { return arith::ConstantOp::create(*this, getI32IntegerAttr(value)); }

Value Emit::add(Value a, Value b) { return createOrFold<arith::AddIOp>(a, b); }
Value Emit::sub(Value a, Value b) { return createOrFold<arith::SubIOp>(a, b); }
Value Emit::mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }
Value Emit::divUnsigned(Value a, std::int64_t b) { return createOrFold<arith::DivUIOp>(a, constant(b)); }
Value Emit::remUnsigned(Value a, std::int64_t b) { return createOrFold<arith::RemUIOp>(a, constant(b)); }
Value Emit::min(Value a, Value b) { return a == b ? a : createOrFold<arith::MinSIOp>(a, b); }
Value Emit::max(Value a, Value b) { return a == b ? a : createOrFold<arith::MaxSIOp>(a, b); }
Value Emit::less(Value a, Value b) { return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b); }
Value Emit::equal(Value a, Value b) { return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b); }
Value Emit::conjunction(Value a, Value b) {
  if (!a) return b;
  if (!b) return a;
  return createOrFold<arith::AndIOp>(a, b);
}

Value Emit::pointer(Value address) {
  return LLVM::IntToPtrOp::create(*this, LLVM::LLVMPointerType::get(getContext()), address);
}

Value Emit::loadWord(Value pointer, Value index) {
  Value address = LLVM::GEPOp::create(*this, pointer.getType(), getI64Type(), pointer, ArrayRef<LLVM::GEPArg>{index});
  return LLVM::LoadOp::create(*this, getI64Type(), address, /*alignment=*/8);
}

void Emit::storeWord(Value word, Value pointer, Value index) {
  Value address = LLVM::GEPOp::create(*this, pointer.getType(), getI64Type(), pointer, ArrayRef<LLVM::GEPArg>{index});
  LLVM::StoreOp::create(*this, word, address, /*alignment=*/8);
}

SmallVector<Value> Emit::loop(Value low, Value high, Value step, ValueRange initial,
                              function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  const auto lowest = constantOf(low), highest = constantOf(high), stride = constantOf(step);
  if (lowest && highest && *lowest >= *highest) return SmallVector<Value>(initial);
  if (lowest && highest && stride && *lowest + *stride >= *highest) return body(low, initial);
  auto loop = scf::ForOp::create(*this, low, high, step, initial);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty()) {  // a loop that carries nothing is made with its terminator
    setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(*this, results);
  }
  return SmallVector<Value>(loop.getResults());
}

void Emit::loop(Value low, Value high, Value step, function_ref<void(Value)> body) {
  loop(low, high, step, ValueRange{}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>{};
  });
}

SmallVector<Value> Emit::loopWhile(Value low, Value high, ValueRange initial,
                                   function_ref<SmallVector<Value>(Value, ValueRange, Value&)> body) {
  SmallVector<Value> operands{low};
  llvm::append_range(operands, initial);
  SmallVector<Type> types = llvm::to_vector(ValueRange(operands).getTypes());
  SmallVector<Location> locations(types.size(), getLoc());
  auto loop = scf::WhileOp::create(*this, TypeRange(types), ValueRange(operands));
  OpBuilder::InsertionGuard guard(*this);
  Block* before = createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(*this, less(before->getArgument(0), high), before->getArguments());
  Block* after = createBlock(&loop.getAfter(), {}, types, locations);
  Value step;
  SmallVector<Value> carried = body(after->getArgument(0), after->getArguments().drop_front(), step);
  carried.insert(carried.begin(), add(after->getArgument(0), step));
  scf::YieldOp::create(*this, carried);
  return SmallVector<Value>(loop.getResults().drop_front());
}

void Emit::when(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenYield());
  body();
}

SmallVector<Value> Emit::when(Value condition, ValueRange otherwise, function_ref<SmallVector<Value>()> body) {
  if (otherwise.empty()) {
    when(condition, [&] { body(); });
    return {};
  }
  auto branch = scf::IfOp::create(*this, TypeRange(otherwise.getTypes()), condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> results = body();
  scf::YieldOp::create(*this, results);
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, otherwise);
  return SmallVector<Value>(branch.getResults());
}

Value Emit::intrinsic(Type result, StringRef name, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(*this, result, getStringAttr(name), arguments).getResult(0);
}

Value Emit::alloca64(std::int64_t words) {
  return LLVM::AllocaOp::create(*this, LLVM::LLVMPointerType::get(getContext()), getI64Type(), constant(words),
                                /*alignment=*/8);
}

Value Emit::vectorLength(Value remaining, const Lanes& lanes) {
  return intrinsic(getI32Type(), "llvm.experimental.get.vector.length",
                   {remaining, constant32(static_cast<std::int32_t>(lanes.perGranule)), constant1(true)});
}

Type Lanes::of(Type element) const { return scalar() ? element : Type(VectorType::get({perGranule}, element, {true})); }

Value Lanes::splat(Emit& emit, Value value) const {
  if (scalar()) return value;
  Type type = of(value.getType());
  Value poison = LLVM::PoisonOp::create(emit, type);
  Value first = LLVM::InsertElementOp::create(emit, poison, value, emit.constant32(0));
  return LLVM::ShuffleVectorOp::create(emit, first, poison, SmallVector<std::int32_t>(perGranule, 0));
}

Value Lanes::spread(Emit& emit, Value value) const {
  return scalar() || llvm::isa<VectorType>(value.getType()) ? value : splat(emit, value);
}

Value Lanes::concatenate(Emit& emit, ValueRange parts, unsigned each) const {
  Value whole = LLVM::PoisonOp::create(emit, of(getElementTypeOrSelf(parts.front().getType())));
  for (auto [number, part] : llvm::enumerate(parts))
    whole = LLVM::vector_insert::create(emit, whole, part, static_cast<std::int64_t>(number) * each);
  return whole;
}

Value Lanes::count(Emit& emit) const {
  Value vscale = emit.intrinsic(emit.getI32Type(), "llvm.vscale", {});
  return arith::MulIOp::create(emit, vscale, emit.constant32(static_cast<std::int32_t>(perGranule)));
}

Value Lanes::constant(Emit& emit, TypedAttr value) const {
  if (scalar()) return arith::ConstantOp::create(emit, value);
  auto type = cast<VectorType>(of(value.getType()));
  return arith::ConstantOp::create(emit, DenseElementsAttr::get(type, Attribute(value)));
}

Value Lanes::allTrue(Emit& emit) const { return constant(emit, emit.getBoolAttr(true)); }

}  // namespace forerun::backends
