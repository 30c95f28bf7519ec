//===- Windows.cpp - addresses and valid extents ----------------------------===//
// A window is an address, strides and the range of its indices that exists; nothing here moves data.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "isa/ElementType.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::accelerator {

unsigned storageBytes(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

unsigned elementTypeCode(Type element) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  element.print(stream);
  const auto type = isa::parseElementType(name);
  assert(type && "the dialect admits only element types that descriptors know");
  return static_cast<unsigned>(*type);
}

namespace {

/// Cheap proof that an index is not negative; false means "unknown".
bool isNonNegative(Value value, unsigned depth = 0) {
  if (depth > 8) return false;
  if (auto constant = constantOf(value)) return *constant >= 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation* parent = argument.getOwner()->getParentOp();
    if (auto kernel = dyn_cast<tile::KernelOp>(parent)) return llvm::is_contained(kernel.getGridIds(), argument);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar() && isNonNegative(loop.getLowerBound(), depth + 1);
    return false;
  }
  Operation* op = value.getDefiningOp();
  auto all = [&](ValueRange operands) {
    return llvm::all_of(operands, [&](Value operand) { return isNonNegative(operand, depth + 1); });
  };
  // Sums and products of indices do not overflow 63 bits: they count elements of memory.
  if (llvm::isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
                arith::MinSIOp, arith::MinUIOp, arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
    return all(op->getOperands());
  if (llvm::isa<arith::MaxSIOp>(op))
    return isNonNegative(op->getOperand(0), depth + 1) || isNonNegative(op->getOperand(1), depth + 1);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isNonNegative(select.getTrueValue(), depth + 1) && isNonNegative(select.getFalseValue(), depth + 1);
  return llvm::isa<tile::DimOp, tile::TeamIdOp, tile::NumTeamsOp, tile::CoreIdOp, tile::NumCoresOp>(op);
}

}  // namespace

void KernelLowering::emitAlloc(tile::AllocOp op) {
  Buffer& buffer = *bufferOf_.lookup(op.getResult());
  // Addresses of the local memories: docs/machine-contract.md.
  const std::int64_t base = buffer.type.getSpace() == tile::Space::Acc ? 0x20000000 : 0x10000000;
  buffer.address = b_.constant(base + buffer.offset);
  if (buffer.perTeam) buffer.address = b_.add(buffer.address, b_.mul(scope_.teamId, buffer.bytes));
  buffer.extents.clear();
  buffer.strideBytes.assign(buffer.type.getRank(), Value());
  std::int64_t stride = storageBytes(buffer.type.getElementType());
  for (std::int64_t dim = buffer.type.getRank() - 1; dim >= 0; --dim) {
    buffer.strideBytes[dim] = b_.constant(stride);
    stride *= buffer.type.getShape()[dim];
  }
  for (std::int64_t extent : buffer.type.getShape()) buffer.extents.push_back(b_.constant(extent));

  Window window;
  window.buffer = &buffer;
  window.type = buffer.type;
  window.address = buffer.address;
  window.strideBytes = buffer.strideBytes;
  window.extents = buffer.extents;
  window.origins.assign(buffer.type.getRank(), b_.constant(0));
  window.whole = true;
  if (!alwaysFull_.contains(buffer.root)) {
    const std::int64_t records = buffer.leadingIndexed ? buffer.type.getShape().front() : 1;
    for (std::int64_t record = 0; record < records; ++record)
      for (std::int64_t dim = 0; dim < buffer.type.getRank(); ++dim)
        b_.storeWord(window.extents[dim], buffer.validWords, b_.constant(record * buffer.type.getRank() + dim));
  }
  windows_[op.getResult()] = std::move(window);
}

LogicalResult KernelLowering::emitSlice(tile::SliceOp op) {
  const Window source = window(op.getSource());
  const auto type = op.getResult().getType();
  const unsigned dropped = op.getDroppedDims();
  Window result;
  result.buffer = source.buffer;
  result.type = type;
  result.address = source.address;
  SmallVector<Value> origins;
  SmallVector<bool> maybeNegative;
  for (OpFoldResult origin : op.getMixedOrigins()) {
    if (auto value = dyn_cast<Value>(origin)) {
      origins.push_back(scalar(value));
      maybeNegative.push_back(!isNonNegative(value));
    } else {
      const std::int64_t constant = *getConstantIntValue(origin);
      origins.push_back(b_.constant(constant));
      maybeNegative.push_back(constant < 0);
    }
  }
  for (std::int64_t dim = 0; dim < source.rank(); ++dim)
    result.address = b_.add(result.address, b_.mul(origins[dim], source.strideBytes[dim]));
  for (std::int64_t dim = dropped; dim < source.rank(); ++dim) {
    result.strideBytes.push_back(source.strideBytes[dim]);
    result.extents.push_back(b_.constant(type.getShape()[dim - dropped]));
    result.origins.push_back(b_.add(source.origins[dim], origins[dim]));
  }
  result.droppedOrigins = source.droppedOrigins;
  for (unsigned dim = 0; dim < dropped; ++dim)
    result.droppedOrigins.push_back(b_.add(source.origins[dim], origins[dim]));

  if (source.buffer->onChip()) {
    const bool full = source.whole && dropped == 0 && source.type.getShape() == type.getShape();
    result.whole = full;
    if (source.leadingIndex && full) result.leadingIndex = source.leadingIndex;
    if (source.whole && dropped == 1 && isWholeOrLeadingIndex(op.getResult())) result.leadingIndex = origins[0];
  } else {
    Value inside;  // of the dropped dimensions
    for (unsigned dim = 0; dim < dropped; ++dim) {
      inside = b_.conjunction(inside, b_.less(origins[dim], source.globalHigh[dim]));
      Value low = source.globalLow[dim] ? source.globalLow[dim] : b_.constant(0);
      if (maybeNegative[dim] || source.globalLow[dim])
        inside = b_.conjunction(inside, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, origins[dim], low));
    }
    for (std::int64_t dim = dropped; dim < source.rank(); ++dim) {
      Value extent = result.extents[dim - dropped];
      Value high = b_.max(b_.constant(0), b_.min(extent, b_.sub(source.globalHigh[dim], origins[dim])));
      if (inside && dim == dropped && constantOf(inside) != 1)
        high = b_.createOrFold<arith::SelectOp>(inside, high, b_.constant(0));
      result.globalHigh.push_back(high);
      Value low;
      if (maybeNegative[dim] || source.globalLow[dim])
        low = b_.max(
            b_.constant(0),
            b_.min(extent, b_.sub(source.globalLow[dim] ? source.globalLow[dim] : b_.constant(0), origins[dim])));
      result.globalLow.push_back(low);
    }
  }
  windows_[op.getResult()] = std::move(result);
  return success();
}

SmallVector<Range> KernelLowering::validRanges(const Window& window) {
  SmallVector<Range> ranges;
  const Buffer& buffer = *window.buffer;
  if (!buffer.onChip()) {
    for (std::int64_t dim = 0; dim < window.rank(); ++dim)
      ranges.push_back({window.globalLow[dim] ? window.globalLow[dim] : b_.constant(0), window.globalHigh[dim]});
    return ranges;
  }
  const std::int64_t bufferRank = buffer.type.getRank(), dropped = bufferRank - window.rank();
  Value record = b_.constant(0);
  if (buffer.leadingIndexed && dropped > 0) record = b_.mul(window.droppedOrigins.front(), bufferRank);
  Value inside;
  if (!alwaysFull_.contains(buffer.root))
    for (std::int64_t dim = buffer.leadingIndexed ? 1 : 0; dim < dropped; ++dim)
      inside = b_.conjunction(inside,
                              b_.less(window.droppedOrigins[dim], b_.loadWord(buffer.validWords, b_.add(record, dim))));
  for (std::int64_t dim = 0; dim < window.rank(); ++dim) {
    Value high;
    if (alwaysFull_.contains(buffer.root)) {
      high = window.extents[dim];  // windows of on-chip buffers lie inside them
    } else {
      high = b_.sub(b_.loadWord(buffer.validWords, b_.add(record, dropped + dim)), window.origins[dim]);
      if (window.whole || window.leadingIndex) {
        // recorded extents never exceed the static ones
      } else {
        high = b_.max(b_.constant(0), b_.min(window.extents[dim], high));
      }
      if (inside && dim == 0) high = b_.createOrFold<arith::SelectOp>(inside, high, b_.constant(0));
    }
    ranges.push_back({b_.constant(0), high});
  }
  return ranges;
}

SmallVector<Range> KernelLowering::writableRanges(const Window& window) {
  if (!window.buffer->onChip() || !(window.whole || window.leadingIndex)) return validRanges(window);
  return llvm::map_to_vector(window.extents, [&](Value extent) { return Range{b_.constant(0), extent}; });
}

void KernelLowering::setValid(const Window& window, ValueRange extents) {
  const Buffer& buffer = *window.buffer;
  if (window.filled || !buffer.onChip() || alwaysFull_.contains(buffer.root) || !(window.whole || window.leadingIndex))
    return;
  const std::int64_t rank = buffer.type.getRank();
  if (window.leadingIndex) {
    Value record = buffer.leadingIndexed ? b_.mul(window.leadingIndex, rank) : b_.constant(0);
    for (auto [dim, extent] : llvm::enumerate(extents))
      b_.storeWord(extent, buffer.validWords, b_.add(record, static_cast<std::int64_t>(dim) + 1));
    return;
  }
  const std::int64_t records = buffer.leadingIndexed ? buffer.type.getShape().front() : 1;
  for (std::int64_t record = 0; record < records; ++record)
    for (auto [dim, extent] : llvm::enumerate(extents))
      b_.storeWord(extent, buffer.validWords, b_.constant(record * rank + static_cast<std::int64_t>(dim)));
}

Value KernelLowering::elementAddress(const Window& window, ValueRange indices) {
  Value address = window.address;
  for (auto [index, stride] : llvm::zip_equal(indices, window.strideBytes))
    address = b_.add(address, b_.mul(index, stride));
  return address;
}

Value KernelLowering::loadElement(Value address, Type element) {
  return loadLanes(Lanes{}, address, b_.constant(storageBytes(element)), element, Value());
}

void KernelLowering::storeElement(Value value, Value address) {
  storeLanes(Lanes{}, value, address, b_.constant(storageBytes(value.getType())), value.getType(), Value());
}

LogicalResult KernelLowering::emitLoad(tile::LoadOp op) {
  settle(accessesOf(op, scope_.teams));
  SmallVector<Value> indices = llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalar(index); });
  map_.map(op.getValue(), loadElement(elementAddress(window(op.getBuffer()), indices), op.getValue().getType()));
  return success();
}

LogicalResult KernelLowering::emitStore(tile::StoreOp op) {
  settle(accessesOf(op, scope_.teams));
  SmallVector<Value> indices = llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalar(index); });
  Value address = elementAddress(window(op.getBuffer()), indices);
  leader([&] { storeElement(scalar(op.getValue()), address); });
  return success();
}

}  // namespace forerun::backends::accelerator
