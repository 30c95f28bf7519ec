//===- KernelElements.cpp - allocations and single elements -----------------===//
// Where on-chip buffers lie, and tile.load and tile.store.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

void KernelLowering::emitAlloc(tile::AllocOp op) {
  Buffer& buffer = *windows_.buffer(op.getResult());
  const bool acc = buffer.type.getSpace() == tile::Space::Acc;
  buffer.address = b_.constant((acc ? kAccBase : kScratchBase) + buffer.offset);
  if (rotates(buffer.root))
    buffer.address = b_.add(buffer.address, b_.mul(turn_, acc ? accTurnBytes_ : scratchTurnBytes_));
  if (buffer.scope < tile::Scope::Core)
    buffer.address = b_.add(buffer.address,
                            b_.mul(buffer.scope == tile::Scope::Group ? scope_.group : scope_.coreTeam, buffer.bytes));
  if (buffer.partWritten && buffer.scope == tile::Scope::Group) {
    Value offset = b_.mul(scope_.group, 8 * buffer.extentWords());
    buffer.validWords = b_.pointer(b_.add(offset, kScratchBase + sharedExtents_.lookup(&buffer)));
  }
  windows_.setStrides(buffer);
  windows_.define(buffer);
}

Value KernelLowering::loadElement(Value address, Type element) {
  return loadLanes(Lanes{}, address, b_.constant(storageBytes(element)), element, Value());
}

void KernelLowering::storeElement(Value value, Value address) {
  storeLanes(Lanes{}, value, address, b_.constant(storageBytes(value.getType())), value.getType(), Value());
}

LogicalResult KernelLowering::emitLoad(tile::LoadOp op) {
  settle(accessesOf(op, scope_.teams));
  checkElement(op, op.getBuffer(), op.getIndices());
  SmallVector<Value> indices = llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalar(index); });
  map_.map(op.getValue(),
           loadElement(windows_.elementAddress(window(op.getBuffer()), indices), op.getValue().getType()));
  return success();
}

LogicalResult KernelLowering::emitStore(tile::StoreOp op) {
  settle(accessesOf(op, scope_.teams));
  checkElement(op, op.getBuffer(), op.getIndices());
  SmallVector<Value> indices = llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalar(index); });
  Value address = windows_.elementAddress(window(op.getBuffer()), indices);
  leader([&] { storeElement(scalar(op.getValue()), address); });
  return success();
}

}  // namespace forerun::backends::accelerator
