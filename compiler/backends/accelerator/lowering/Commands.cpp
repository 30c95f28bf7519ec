//===- Commands.cpp - descriptors and DMA commands --------------------------===//
// A copy between memories becomes one DMA command: extents and strides from the windows, what is not valid left to the
// descriptor's bounds.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/DescriptorFields.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "isa/ElementType.h"
#include "isa/Encoding.h"

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
  needs_.dma = true;
  const bool async = llvm::isa<tile::CopyAsyncOp>(op);
  const int queue = dmaQueueFor(op);
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
    const Type element = to.type.getElementType();
    Value bytes = tile::isPacked(element) ? b_.divUnsigned(b_.add(extents.back(), 1), 2)
                                          : b_.mul(extents.back(), storageBytes(element));
    for (Value extent : ArrayRef(extents).drop_back()) bytes = b_.mul(bytes, extent);
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

LogicalResult KernelLowering::emitDmaFill(tile::FillOp op) {
  Window to = window(op.getDst());
  needs_.dma = true;
  const int queue = dmaQueueFor(op);
  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  const SmallVector<Value> after = settle(accesses, queue, 1);
  Value bits = scalar(op.getValue());
  Type type = bits.getType();
  if (!type.isInteger()) bits = arith::BitcastOp::create(b_, b_.getIntegerType(type.getIntOrFloatBitWidth()), bits);
  if (bits.getType().getIntOrFloatBitWidth() < 64) bits = arith::ExtUIOp::create(b_, b_.getI64Type(), bits);
  if (to.type.isOnChip()) {
    windows_.setValid(to, to.extents);
    to.whole = true;  // a partial window is written whole as well; its buffer's extents stay
    to.filled = true;
  }
  const Descriptor out = newDescriptor(), in = newDescriptor();
  SmallVector<Field> outFields{{kFieldBase, to.address}};
  for (auto [dim, range] : llvm::enumerate(windows_.validRanges(to))) {
    const auto field = static_cast<unsigned>(to.rank() - 1) - static_cast<unsigned>(dim);
    outFields.push_back({kFieldExtent0 + field, range.high});
    outFields.push_back({kFieldStride0 + field, to.strideBytes[dim]});
    if (constantOf(range.low) != 0) outFields.push_back({kFieldLow0 + field, range.low});
  }
  Value code = b_.constant(elementTypeCode(to.type.getElementType()));
  outFields.push_back({kFieldType, code});
  outFields.push_back({kFieldQueue, b_.constant(queue)});
  const SmallVector<Field> inFields{{kFieldExtent0, b_.constant(0)}, {kFieldType, code}, {kFieldFill, bits}};
  Value token = leaderToken([&]() -> Value {
    setDescriptor(out, outFields);
    setDescriptor(in, inFields);
    return xfr::DmaCopyOp::create(b_, b_.getI64Type(), out.number, in.number,
                                  after.empty() ? b_.constant(0) : after.front());
  });
  coverWith(token, queue);
  addPending(op, token, accesses, queue);
  return success();
}

LogicalResult KernelLowering::emitDmaGather(tile::GatherOp op) {
  const Window from = window(op.getSrc()), rows = window(op.getIndices()), to = window(op.getOutput());
  needs_.dma = true;
  const int queue = dmaQueueFor(op);
  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  settle(accesses, queue);  // the command has no token to start after
  const SmallVector<Range> fromRanges = windows_.validRanges(from), toRanges = windows_.writableRanges(to);
  const SmallVector<Range> known = windows_.validRanges(rows);
  const Value columns = windows_.whereAny(known[1].high, toRanges[1].high);
  const SmallVector<Value> extents{b_.min(known[0].high, toRanges[0].high), b_.min(fromRanges[1].high, columns)};
  Value element = b_.constant(elementTypeCode(to.type.getElementType()));
  const Descriptor out = newDescriptor(), in = newDescriptor(), index = newDescriptor();
  SmallVector<Field> outFields{{kFieldBase, to.address}, {kFieldType, element}, {kFieldQueue, b_.constant(queue)}},
      inFields{{kFieldBase, from.address}, {kFieldType, element}};
  const SmallVector<Field> indexFields{{kFieldBase, rows.address},
                                       {kFieldExtent0, windows_.whereAny(known[1].high, extents[0])},
                                       {kFieldStride0, rows.strideBytes[0]},
                                       {kFieldType, b_.constant(elementTypeCode(rows.type.getElementType()))}};
  for (unsigned dim = 0; dim < 2; ++dim) {
    const unsigned field = 1 - dim;
    outFields.push_back({kFieldExtent0 + field, extents[dim]});
    outFields.push_back({kFieldStride0 + field, to.strideBytes[dim]});
    inFields.push_back({kFieldExtent0 + field, dim == 0 ? fromRanges[0].high : extents[1]});
    inFields.push_back({kFieldStride0 + field, from.strideBytes[dim]});
    if (constantOf(fromRanges[dim].low) != 0) inFields.push_back({kFieldLow0 + field, fromRanges[dim].low});
    const Range& written = toRanges[dim];
    if (constantOf(written.low) != 0) outFields.push_back({kFieldLow0 + field, written.low});
  }
  windows_.setValid(to, extents);
  Value token = leaderToken([&]() -> Value {
    setDescriptor(out, outFields);
    setDescriptor(in, inFields);
    setDescriptor(index, indexFields);
    return xfr::DmaIndexOp::create(b_, b_.getI64Type(), out.number, in.number, index.number,
                                   static_cast<std::uint32_t>(isa::IndexMode::Gather));
  });
  coverWith(token, queue);
  addPending(op, token, accesses, queue);
  return success();
}

}  // namespace forerun::backends::accelerator
