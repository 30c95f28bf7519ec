//===- Elements.cpp - element-wise work of threads --------------------------===//
// Elements are numbered in row-major order and go to threads in turn, so that neighbours touch neighbouring bytes; what
// is not valid is skipped.
#include "compiler/backends/nvptx/KernelLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace forerun::backends::nvptx {

namespace {

/// Copies that the hardware makes in the background: 4, 8 or 16 bytes each, from global to shared memory.
bool usesCpAsync(tile::CopyAsyncOp op) {
  const tile::BufferType from = op.getSrc().getType(), to = op.getDst().getType();
  const unsigned bytes = storageBytes(from.getElementType());
  return from.isGlobal() && to.getSpace() == tile::Space::Scratch && from.getElementType() == to.getElementType() &&
         (bytes == 4 || bytes == 8);
}

bool isAcc(Value value) { return cast<tile::BufferType>(value.getType()).getSpace() == tile::Space::Acc; }

}  // namespace

Value KernelLowering::pointer(const Window& window, Value address) {
  Value base = bases_.lookup(window.buffer);
  return LLVM::GEPOp::create(b_, base.getType(), b_.getI8Type(), base, ArrayRef<LLVM::GEPArg>{address});
}

Value KernelLowering::load(const Window& window, Value address) {
  Type element = window.type.getElementType();
  const bool bit = element.isInteger(1);  // stored as a byte
  Value value =
      LLVM::LoadOp::create(b_, bit ? b_.getI8Type() : element, pointer(window, address), storageBytes(element));
  if (!bit) return value;
  return arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, value,
                               arith::ConstantOp::create(b_, b_.getI8IntegerAttr(0)));
}

void KernelLowering::store(const Window& window, Value address, Value value) {
  if (value.getType().isInteger(1)) value = arith::ExtUIOp::create(b_, b_.getI8Type(), value);
  LLVM::StoreOp::create(b_, value, pointer(window, address), storageBytes(value.getType()));
}

void KernelLowering::forEachElement(ArrayRef<std::int64_t> extents, ArrayRef<Range> ranges,
                                    function_ref<void(ValueRange)> body) {
  std::int64_t rowElements = 1;  // of one index of dimension 0
  for (std::int64_t extent : extents.drop_front()) rowElements *= extent;
  Value first = b_.add(b_.mul(ranges[0].low, rowElements), scope_.thread);
  b_.loop(first, b_.mul(ranges[0].high, rowElements), b_.constant(scope_.threads), [&](Value flat) {
    SmallVector<Value> index(extents.size());
    Value rest = flat, valid;
    for (std::size_t dim = extents.size(); dim-- > 1;) {
      index[dim] = b_.remUnsigned(rest, extents[dim]);
      rest = b_.divUnsigned(rest, extents[dim]);
      valid = b_.conjunction(valid, b_.less(index[dim], ranges[dim].high));
      if (constantOf(ranges[dim].low) != 0)
        valid = b_.conjunction(valid,
                               b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, index[dim], ranges[dim].low));
    }
    index[0] = rest;
    if (valid)
      b_.when(valid, [&] { body(index); });
    else
      body(index);
  });
}

void KernelLowering::elementwise(ArrayRef<Window> inputs, ArrayRef<Window> outputs, const Body& body) {
  const ArrayRef<std::int64_t> extents = outputs.front().type.getShape();
  forEachElement(extents, windows_.elementwiseRanges(inputs, outputs), [&](ValueRange index) {
    SmallVector<Value> values;
    for (const Window& input : inputs) {
      SmallVector<Value> own(index);
      for (std::int64_t dim = 0; dim < input.rank(); ++dim)
        if (input.broadcasts(extents, dim)) own[dim] = b_.constant(0);
      values.push_back(load(input, windows_.elementAddress(input, own)));
    }
    for (auto [output, value] : llvm::zip_equal(outputs, body(values, index)))
      store(output, windows_.elementAddress(output, index), value);
  });
}

LogicalResult KernelLowering::emitMap(tile::MapOp op) {
  Block& block = op.getBody().front();
  for (Value operand : op->getOperands())
    if (isAcc(operand)) return unsupported(op, "accumulators in a map; copy them to scratch first");
  for (Operation& inner : block.without_terminator()) {
    if (auto conversion = dyn_cast<tile::ConvertOp>(inner)) {
      if (failed(checkConversion(conversion, conversion.getValue().getType(), conversion.getType()))) return failure();
    } else if (!llvm::isa<tile::IndexOp>(inner) && !hasInstruction(inner)) {
      return unsupported(&inner, "no instruction does it; run --tile-expand-semantics before the back end");
    }
  }
  std::vector<Window> inputs, outputs;
  for (Value value : op.getInputs()) inputs.push_back(windows_.at(value));
  for (Value value : op.getOutputs()) outputs.push_back(windows_.at(value));
  elementwise(inputs, outputs,
              [&](ValueRange arguments, ValueRange index) { return scalars_.mapBody(block, arguments, index); });
  return success();
}

LogicalResult KernelLowering::emitFill(tile::FillOp op) {
  if (isAcc(op.getDst())) return emitFragmentFill(op);
  const Window to = windows_.at(op.getDst());
  windows_.setValid(to, to.extents);
  // Of a global window what lies inside the buffer, of an on-chip one all of it.
  SmallVector<Range> ranges = windows_.validRanges(to);
  if (to.type.isOnChip())
    ranges = llvm::map_to_vector(to.extents, [&](Value extent) { return Range{b_.constant(0), extent}; });
  forEachElement(to.type.getShape(), ranges, [&](ValueRange index) {
    store(to, windows_.elementAddress(to, index), scalars_.value(op.getValue()));
  });
  return success();
}

LogicalResult KernelLowering::emitCopy(Operation* op, Value src, Value dst) {
  if (isAcc(dst)) return unsupported(op, "a copy into an accumulator; fill it, or compute it with tile.matmul");
  if (isAcc(src)) return emitFragmentCopy(op, src, dst);
  const Window from = windows_.at(src), to = windows_.at(dst);
  Type fromType = from.type.getElementType(), toType = to.type.getElementType();
  if (failed(checkConversion(op, fromType, toType))) return failure();
  forEachCopied(from, to, [&](Value source, Value destination) {
    store(to, destination, convert(b_, Lanes{}, load(from, source), fromType, toType));
  });
  return success();
}

LogicalResult KernelLowering::emitCopyAsync(tile::CopyAsyncOp op) {
  map_.map(op.getToken(), b_.constant(0));
  if (!usesCpAsync(op)) return emitCopy(op, op.getSrc(), op.getDst());
  const Window from = windows_.at(op.getSrc()), to = windows_.at(op.getDst());
  forEachCopied(from, to, [&](Value source, Value destination) {
    NVVM::CpAsyncOp::create(b_, pointer(to, destination), pointer(from, source),
                            storageBytes(from.type.getElementType()), NVVM::LoadCacheModifierKind::CA, Value());
  });
  NVVM::CpAsyncCommitGroupOp::create(b_);
  return success();
}

void KernelLowering::forEachCopied(const Window& from, const Window& to, function_ref<void(Value, Value)> body) {
  SmallVector<Range> ranges = windows_.elementwiseRanges(from, to), present = ranges;
  // On chip, elements below the low edge of a global source are zeros.
  const bool fillsLowEdge = !from.buffer->onChip() && to.buffer->onChip();
  if (fillsLowEdge)
    for (Range& range : ranges) range.low = b_.constant(0);
  forEachElement(to.type.getShape(), ranges, [&](ValueRange index) {
    Value destination = windows_.elementAddress(to, index), absent;
    for (auto [dim, range] : llvm::enumerate(present)) {
      if (!fillsLowEdge || constantOf(range.low) == 0) continue;
      Value below = b_.less(index[dim], range.low);
      absent = absent ? Value(arith::OrIOp::create(b_, absent, below)) : below;
    }
    if (!absent) return body(windows_.elementAddress(from, index), destination);
    auto branch = scf::IfOp::create(b_, absent, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    store(to, destination, arith::ConstantOp::create(b_, b_.getZeroAttr(to.type.getElementType())));
    b_.setInsertionPointToStart(branch.elseBlock());
    body(windows_.elementAddress(from, index), destination);
  });
}

void KernelLowering::emitWait(tile::WaitOp op) {
  // Groups complete in order; how many are younger than a token's is not followed through loops yet, so all are waited
  // for: right, but without overlap.
  const bool waits = llvm::any_of(op.getTokens(), [](Value token) {
    return llvm::any_of(asyncSources(token), [](Operation* source) {
      auto copy = dyn_cast<tile::CopyAsyncOp>(source);
      return copy && usesCpAsync(copy);
    });
  });
  if (waits) NVVM::CpAsyncWaitGroupOp::create(b_, 0);
}

LogicalResult KernelLowering::checkConversion(Operation* op, Type from, Type to) {
  if (!to.isBF16() || !(from.isInteger(32) || from.isInteger(64) || from.isF64())) return success();
  std::string text;
  llvm::raw_string_ostream(text) << "LLVM rounds " << from << " to " << to
                                 << " twice; convert to f32 first if that rounding is what you want";
  return unsupported(op, text);
}

}  // namespace forerun::backends::nvptx
