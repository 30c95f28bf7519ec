//===- Elements.cpp - element-wise work, single elements --------------------===//
// Loops whose innermost runs along rows and says that its iterations do not depend on each other, so that LLVM
// vectorises it.
#include "compiler/backends/host/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

/// As it is kept in memory, and as it is computed with.
Type storedType(Emit& b, Type element) {
  return element.isInteger() && element.getIntOrFloatBitWidth() < 8 ? b.getI8Type() : scalarType(element);
}

bool isZero(Value value) { return constantOf(value) == 0; }

}  // namespace

void KernelLowering::tag(Operation* access, const Buffer* buffer) {
  SmallVector<Attribute> others;
  for (const auto& other : windows_.buffers())
    if (other.get() != buffer) others.push_back(scopes_.lookup(other.get()));
  if (buffer) others.push_back(temporaryScope_);
  Attribute own = buffer ? scopes_.lookup(buffer) : temporaryScope_;
  auto alias = cast<LLVM::AliasAnalysisOpInterface>(access);
  alias.setAliasScopes(b_.getArrayAttr({own}));
  alias.setNoAliasScopes(b_.getArrayAttr(others));
  if (accessGroup_) cast<LLVM::AccessGroupOpInterface>(access).setAccessGroups(b_.getArrayAttr({accessGroup_}));
}

Value KernelLowering::pointer(const Window& window, Value address) {
  Value base = bases_.lookup(window.buffer);
  return LLVM::GEPOp::create(b_, base.getType(), b_.getI8Type(), base, ArrayRef<LLVM::GEPArg>{address});
}

Value KernelLowering::load(const Window& window, ValueRange indices) {
  Type element = scalarType(window.type.getElementType()), stored = storedType(b_, element);
  auto loaded = LLVM::LoadOp::create(b_, stored, pointer(window, windows_.elementAddress(window, indices)),
                                     storageBytes(element));
  tag(loaded, window.buffer);
  if (stored == element) return loaded;
  return arith::TruncIOp::create(b_, element, loaded.getResult());
}

void KernelLowering::store(const Window& window, ValueRange indices, Value value) {
  Type stored = storedType(b_, value.getType());
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(b_, stored, value);
  else if (stored != value.getType())
    value = arith::ExtSIOp::create(b_, stored, value);
  auto storing =
      LLVM::StoreOp::create(b_, value, pointer(window, windows_.elementAddress(window, indices)), storageBytes(stored));
  tag(storing, window.buffer);
}

Value KernelLowering::loadTemporary(Type type, Value byteOffset) {
  Value place =
      LLVM::GEPOp::create(b_, temporary_.getType(), b_.getI8Type(), temporary_, ArrayRef<LLVM::GEPArg>{byteOffset});
  auto loaded = LLVM::LoadOp::create(b_, type, place, storageBytes(getElementTypeOrSelf(type)));
  tag(loaded, nullptr);
  return loaded;
}

void KernelLowering::storeTemporary(Value value, Value byteOffset) {
  Value place =
      LLVM::GEPOp::create(b_, temporary_.getType(), b_.getI8Type(), temporary_, ArrayRef<LLVM::GEPArg>{byteOffset});
  auto storing = LLVM::StoreOp::create(b_, value, place, storageBytes(getElementTypeOrSelf(value.getType())));
  tag(storing, nullptr);
}

void KernelLowering::independentLoop(Value low, Value high, function_ref<void(Value)> body) {
  Attribute outer = accessGroup_;
  MLIRContext* context = b_.getContext();
  auto group = LLVM::AccessGroupAttr::get(context);
  accessGroup_ = group;
  Block* around = b_.getInsertionBlock();
  b_.loop(low, high, b_.constant(1), [&](Value i) {
    if (b_.getInsertionBlock() == around) {  // a single iteration, inline
      accessGroup_ = outer;
      return body(i);
    }
    auto annotation = LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                                                    ArrayRef<LLVM::AccessGroupAttr>{group});
    b_.getInsertionBlock()->getParentOp()->setAttr("llvm.loop_annotation", annotation);
    body(i);
  });
  accessGroup_ = outer;
}

void KernelLowering::forEach(ArrayRef<Range> ranges, bool independent, function_ref<void(ValueRange)> body) {
  SmallVector<Value> index;
  std::function<void(std::size_t)> nest = [&](std::size_t dim) {
    if (dim == ranges.size()) return body(index);
    auto inside = [&](Value i) {
      index.push_back(i);
      nest(dim + 1);
      index.pop_back();
    };
    if (independent && dim + 1 == ranges.size())
      independentLoop(ranges[dim].low, ranges[dim].high, inside);
    else
      b_.loop(ranges[dim].low, ranges[dim].high, b_.constant(1), inside);
  };
  nest(0);
}

void KernelLowering::limitByInput(Ranges& ranges, const Window& input, ArrayRef<std::int64_t> extents) {
  for (auto [dim, valid] : llvm::enumerate(windows_.validRanges(input))) {
    Value high = valid.high;
    if (input.broadcasts(extents, static_cast<std::int64_t>(dim))) {  // limits only by having nothing
      if (constantOf(high)) continue;
      high = b_.createOrFold<arith::SelectOp>(b_.equal(high, b_.constant(0)), high, ranges[dim].high);
    }
    ranges[dim].high = b_.min(ranges[dim].high, high);
  }
}

void KernelLowering::setValid(ArrayRef<Window> outputs, ArrayRef<Range> ranges) {
  const auto highs = llvm::map_to_vector(ranges, [](const Range& range) { return range.high; });
  for (const Window& output : outputs) windows_.setValid(output, highs);
}

Value KernelLowering::loadAboveLow(const Window& window, ArrayRef<Range> ranges, ValueRange indices) {
  Value above;
  for (auto [index, range] : llvm::zip_equal(indices, ranges))
    if (!isZero(range.low))
      above = b_.conjunction(above, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, index, range.low));
  if (!above) return load(window, indices);
  Type element = scalarType(window.type.getElementType());
  Value zero = arith::ConstantOp::create(b_, b_.getZeroAttr(element));
  return b_.when(above, zero, [&] { return Values{load(window, indices)}; })[0];
}

void KernelLowering::forEachOutput(ArrayRef<Range> ranges, ArrayRef<Ranges> inputs,
                                   function_ref<void(ValueRange, bool)> body) {
  const std::size_t last = ranges.size() - 1;
  const bool hasEdges = llvm::any_of(
      inputs, [](const Ranges& input) { return llvm::any_of(input, [](const Range& r) { return !isZero(r.low); }); });
  if (!hasEdges) return forEach(ranges, /*independent=*/true, [&](ValueRange index) { body(index, false); });
  forEach(ranges.drop_back(), /*independent=*/false, [&](ValueRange outer) {
    // Where each row is above every edge.
    Value split = ranges[last].low;
    for (const Ranges& input : inputs) {
      Value from = input[last].low;
      for (auto [index, range] : llvm::zip_equal(outer, ArrayRef(input).drop_back()))
        if (!isZero(range.low))
          from = b_.createOrFold<arith::SelectOp>(b_.less(index, range.low), ranges[last].high, from);
      split = b_.max(split, from);
    }
    split = b_.min(split, b_.max(ranges[last].low, ranges[last].high));
    auto row = [&](Value low, Value high, bool checked) {
      independentLoop(low, high, [&](Value i) {
        Values index(outer);
        index.push_back(i);
        body(index, checked);
      });
    };
    row(ranges[last].low, split, true);
    row(split, ranges[last].high, false);
  });
}

void KernelLowering::elementwise(ArrayRef<Window> inputs, ArrayRef<Window> outputs, Body body) {
  const ArrayRef<std::int64_t> extents = outputs.front().type.getShape();
  Ranges ranges = windows_.writableRanges(outputs.front());
  for (const Window& output : outputs.drop_front())
    for (auto [range, own] : llvm::zip_equal(ranges, windows_.writableRanges(output))) {
      range.low = b_.max(range.low, own.low);
      range.high = b_.min(range.high, own.high);
    }
  SmallVector<Ranges> valid;
  for (const Window& input : inputs) {
    limitByInput(ranges, input, extents);
    valid.push_back(windows_.validRanges(input));
    for (std::int64_t dim = 0; dim < input.rank(); ++dim)
      if (input.broadcasts(extents, dim)) valid.back()[dim].low = b_.constant(0);
  }
  setValid(outputs, ranges);
  forEachOutput(ranges, valid, [&](ValueRange index, bool checked) {
    Values values;
    for (auto [input, own] : llvm::zip_equal(inputs, valid)) {
      Values at(index);
      for (std::int64_t dim = 0; dim < input.rank(); ++dim)
        if (input.broadcasts(extents, dim)) at[dim] = b_.constant(0);
      values.push_back(checked ? loadAboveLow(input, own, at) : load(input, at));
    }
    for (auto [output, value] : llvm::zip_equal(outputs, body(values, index))) store(output, index, value);
  });
}

LogicalResult KernelLowering::emitMap(tile::MapOp op) {
  Block& block = op.getBody().front();
  for (Operation& inner : block.without_terminator())
    if (!llvm::isa<tile::IndexOp>(inner) && !hasInstruction(inner))
      return unsupported(&inner, "no instruction does it; run --tile-expand-semantics before the back end");
  std::vector<Window> inputs, outputs;
  for (Value value : op.getInputs()) inputs.push_back(window(value));
  for (Value value : op.getOutputs()) outputs.push_back(window(value));
  elementwise(inputs, outputs,
              [&](ValueRange arguments, ValueRange index) { return scalars_.mapBody(block, arguments, index); });
  return success();
}

void KernelLowering::emitMove(Value src, Value dst, ArrayRef<std::int64_t> permutation) {
  Window from = window(src);
  const Window &source = window(src), &to = window(dst);
  Ranges valid = windows_.validRanges(source), permuted = valid;
  for (auto [dim, origin] : llvm::enumerate(permutation)) {
    from.strideBytes[dim] = source.strideBytes[origin];
    permuted[dim] = valid[origin];
  }
  Ranges ranges = windows_.writableRanges(to);
  for (auto [range, own] : llvm::zip_equal(ranges, permuted)) range.high = b_.min(range.high, own.high);
  setValid(to, ranges);
  forEachOutput(ranges, permuted, [&](ValueRange index, bool checked) {
    store(to, index, checked ? loadAboveLow(from, permuted, index) : load(from, index));
  });
}

void KernelLowering::emitFill(tile::FillOp op) {
  const Window& to = window(op.getDst());
  const Ranges ranges = windows_.writableRanges(to);
  setValid(to, ranges);
  forEach(ranges, /*independent=*/true, [&](ValueRange index) { store(to, index, scalars_.value(op.getValue())); });
}

LogicalResult KernelLowering::emitAtomic(Operation* op, Value buffer, ValueRange indices, tile::MemoryOrder order,
                                         function_ref<Value(Value, LLVM::AtomicOrdering)> atomic) {
  checkElement(op, buffer, indices);
  const Window& named = window(buffer);
  auto ordering = LLVM::AtomicOrdering::monotonic;
  if (order == tile::MemoryOrder::Acquire) ordering = LLVM::AtomicOrdering::acquire;
  if (order == tile::MemoryOrder::Release) ordering = LLVM::AtomicOrdering::release;
  if (order == tile::MemoryOrder::AcqRel) ordering = LLVM::AtomicOrdering::acq_rel;
  map_.map(op->getResult(0),
           atomic(pointer(named, windows_.elementAddress(named, scalars_.values(indices))), ordering));
  return success();
}

LogicalResult KernelLowering::emitRmw(tile::AtomicRmwOp op) {
  const bool real = llvm::isa<FloatType>(op.getValue().getType());
  using Bin = LLVM::AtomicBinOp;
  const Bin kind = [&] {
    switch (op.getKind()) {
      case tile::AtomicKind::Exchange:
        return Bin::xchg;
      case tile::AtomicKind::Add:
        return real ? Bin::fadd : Bin::add;
      case tile::AtomicKind::Min:
        return Bin::min;
      case tile::AtomicKind::Max:
        return Bin::max;
      case tile::AtomicKind::And:
        return Bin::_and;
      case tile::AtomicKind::Or:
        return Bin::_or;
      case tile::AtomicKind::Xor:
        return Bin::_xor;
    }
    llvm_unreachable("unknown kind");
  }();
  return emitAtomic(op, op.getBuffer(), op.getIndices(), op.getOrder(),
                    [&](Value address, LLVM::AtomicOrdering order) -> Value {
                      return LLVM::AtomicRMWOp::create(b_, kind, address, scalars_.value(op.getValue()), order);
                    });
}

}  // namespace forerun::backends::host
