//===- Commands.cpp - descriptors and DMA commands --------------------------===//
// A copy between memories becomes one DMA command: extents and strides from the windows, what is not valid left to the
// descriptor's bounds.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/DescriptorFields.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "isa/ElementType.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {
constexpr unsigned kDescriptors = 32,
                   kSharedDescriptors = 4;  // the last few serve all sites that come too late for their own
}

unsigned elementTypeCode(Type element) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  element.print(stream);
  const auto type = isa::parseElementType(name);
  assert(type && "the dialect admits only element types that descriptors know");
  return static_cast<unsigned>(*type);
}

KernelLowering::Descriptor KernelLowering::newDescriptor() {
  const unsigned own = kDescriptors - kSharedDescriptors;
  const unsigned next = nextDescriptor_++;
  if (next < own) return {next, false};
  return {own + (next - own) % kSharedDescriptors, true};
}

void KernelLowering::setDescriptor(const Descriptor& descriptor, ArrayRef<Field> fields) {
  if (descriptor.shared) xfr::DSetOp::create(b_, descriptor.number, kFieldReset, b_.constant(0));
  for (const Field& field : fields) xfr::DSetOp::create(b_, descriptor.number, field.field, field.value);
}

LogicalResult KernelLowering::emitDmaCopy(Operation* op, Value src, Value dst, ArrayRef<std::int64_t> permutation) {
  const Window from = window(src), to = window(dst);
  const std::int64_t rank = to.rank();
  if (rank > 4) return unsupported(op, "DMA commands walk at most 4 dimensions; copy slices of lower rank in a loop");
  needs_.dma = true;
  const bool async = llvm::isa<tile::CopyAsyncOp>(op);
  const int queue = dmaQueueFor(src, dst);
  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  const SmallVector<Value> after = settle(accesses, queue, 1);

  const SmallVector<Range> fromRanges = windows_.validRanges(from), toRanges = windows_.writableRanges(to);
  const Descriptor out = newDescriptor(), in = newDescriptor();
  SmallVector<Field> outFields{{kFieldBase, to.address}}, inFields{{kFieldBase, from.address}};
  SmallVector<Value> extents;
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    const std::int64_t fromDim = permutation.empty() ? dim : permutation[dim];
    const unsigned field = static_cast<unsigned>(rank - 1 - dim);  // descriptors count from the innermost dimension
    Value extent = b_.min(fromRanges[fromDim].high, toRanges[dim].high);
    extents.push_back(extent);
    outFields.push_back({kFieldExtent0 + field, extent});
    outFields.push_back({kFieldStride0 + field, to.strideBytes[dim]});
    inFields.push_back({kFieldExtent0 + field, extent});
    inFields.push_back({kFieldStride0 + field, from.strideBytes[fromDim]});
    if (constantOf(fromRanges[fromDim].low) != 0) inFields.push_back({kFieldLow0 + field, fromRanges[fromDim].low});
    if (constantOf(toRanges[dim].low) != 0) outFields.push_back({kFieldLow0 + field, toRanges[dim].low});
  }
  inFields.push_back({kFieldType, b_.constant(elementTypeCode(from.type.getElementType()))});
  outFields.push_back({kFieldType, b_.constant(elementTypeCode(to.type.getElementType()))});
  outFields.push_back({kFieldQueue, b_.constant(queue)});
  if (auto commit = async ? creditedCommit(cast<tile::CopyAsyncOp>(op)) : tile::ProducerCommitOp()) {
    outFields.push_back({kFieldCredit, creditOf(commit, cast<tile::CopyAsyncOp>(op))});
    Value bytes = b_.constant(storageBytes(to.type.getElementType()));
    for (Value extent : extents) bytes = b_.mul(bytes, extent);
    Value& expected = expectedBytes_[commit];
    expected = expected ? b_.add(expected, bytes) : bytes;
  }
  windows_.setValid(to, extents);

  Value token = leaderToken([&]() -> Value {
    setDescriptor(out, outFields);
    setDescriptor(in, inFields);
    return xfr::DmaCopyOp::create(b_, b_.getI64Type(), out.number, in.number,
                                  after.empty() ? b_.constant(0) : after.front());
  });
  coverWith(token, queue);
  if (async)
    map_.map(op->getResult(0), token);
  else
    addPending(op, token, accesses, queue);
  return success();
}

Value KernelLowering::dmaFillToken(const Window& to, ValueRange extents, Value bits) {
  needs_.dma = true;
  const std::int64_t rank = to.rank();
  const Descriptor out = newDescriptor(), in = newDescriptor();
  const SmallVector<Range> ranges = windows_.validRanges(to);
  SmallVector<Field> outFields{{kFieldBase, to.address}};
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    const unsigned field = static_cast<unsigned>(rank - 1 - dim);
    outFields.push_back({kFieldExtent0 + field, extents[dim]});
    outFields.push_back({kFieldStride0 + field, to.strideBytes[dim]});
    if (constantOf(ranges[dim].low) != 0) outFields.push_back({kFieldLow0 + field, ranges[dim].low});
  }
  Value type = b_.constant(elementTypeCode(to.type.getElementType()));
  outFields.push_back({kFieldType, type});
  outFields.push_back({kFieldQueue, b_.constant(dmaQueueFor(to.buffer->root, to.buffer->root))});
  const SmallVector<Field> inFields{{kFieldExtent0, b_.constant(0)}, {kFieldType, type}, {kFieldFill, bits}};
  return leaderToken([&]() -> Value {
    setDescriptor(out, outFields);
    setDescriptor(in, inFields);
    return xfr::DmaCopyOp::create(b_, b_.getI64Type(), out.number, in.number, b_.constant(0));
  });
}

LogicalResult KernelLowering::emitDmaFill(tile::FillOp op) {
  const Window to = window(op.getDst());
  if (to.rank() > 4)
    return unsupported(op, "DMA commands walk at most 4 dimensions; fill slices of lower rank in a loop");
  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  settle(accesses);
  Value value = scalar(op.getValue());
  Type type = value.getType();
  if (!type.isInteger()) value = arith::BitcastOp::create(b_, b_.getIntegerType(type.getIntOrFloatBitWidth()), value);
  if (value.getType().getIntOrFloatBitWidth() < 64) value = arith::ExtUIOp::create(b_, b_.getI64Type(), value);
  SmallVector<Value> extents =
      llvm::map_to_vector(windows_.validRanges(to), [](const Range& range) { return range.high; });
  addPending(op, dmaFillToken(to, extents, value), accesses, dmaQueueFor(op.getDst(), op.getDst()));
  return success();
}

}  // namespace forerun::backends::accelerator
