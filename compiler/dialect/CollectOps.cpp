//===- CollectOps.cpp - checks of moves by index and scans -----------------===//
// Verifiers of the operations of TileCollectOps.td.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult IotaOp::verify() {
  const BufferType type = getDst().getType();
  if (failed(verifyWindow(*this, type, "destination")) ||
      failed(verifyDim(*this, static_cast<int64_t>(getDim()), type)))
    return failure();
  if (failed(verifyWholeBytes(*this, type.getElementType()))) return failure();
  if (type.getElementType().isInteger(1))
    return emitOpError() << "expected elements that hold an index, found i1; compare tile.index in a tile.map";
  return success();
}

LogicalResult BroadcastOp::verify() {
  const BufferType src = getSrc().getType(), dst = getDst().getType();
  if (failed(verifyWindow(*this, src, "source")) || failed(verifyWindow(*this, dst, "destination")) ||
      failed(verifyBroadcast(*this, src, "source", dst, "destination")))
    return failure();
  if (!compatibleElements(src.getElementType(), dst.getElementType()))
    return emitOpError() << "expected one element type, found " << src.getElementType() << " and "
                         << dst.getElementType() << "; convert with tile.cast";
  return verifyWholeBytes(*this, src.getElementType());
}

LogicalResult ScanOp::verify() {
  const BufferType in = getInput().getType(), out = getOutput().getType();
  if (failed(verifySameShape(*this, in, "input", out, "output")) ||
      failed(verifyDim(*this, static_cast<int64_t>(getDim()), in)))
    return failure();
  if (in.getElementType().isInteger(1) || out.getElementType().isInteger(1))
    return emitOpError() << "expected elements that sums of bits fit, found i1; convert to i8 or wider with tile.cast";
  return verifyCombination(*this, getKind(), in.getElementType(), out.getElementType());
}

namespace {

LogicalResult verifyIndexElements(Operation* op, BufferType indices) {
  const Type element = indices.getElementType();
  if (llvm::isa<ParamType>(element) || element.isInteger(32) || element.isInteger(64)) return success();
  return op->emitOpError() << "expected i32 or i64 indices, found " << element;
}

/// `moved` is what the indices run over; `indexed` is what they point into.
LogicalResult verifyIndexedMove(Operation* op, std::int64_t dim, BufferType moved, llvm::StringRef movedName,
                                BufferType indexed, llvm::StringRef indexedName, BufferType indices) {
  if (failed(verifyWindow(op, moved, movedName)) || failed(verifyWindow(op, indices, "indices")) ||
      failed(verifyDim(op, dim, moved)) || failed(verifyBroadcast(op, indices, "indices", moved, movedName)) ||
      failed(verifyIndexElements(op, indices)))
    return failure();
  if (indexed.getRank() != moved.getRank())
    return op->emitOpError() << "expected " << indexedName << " of rank " << moved.getRank() << ", found " << indexed;
  for (unsigned d = 0; d < moved.getRank(); ++d)
    if (d != dim && !compatibleExtents(indexed, d, moved, d))
      return op->emitOpError() << "expected extent " << printExtent(moved, d) << " in dimension " << d << " of "
                               << indexedName << ", found " << printExtent(indexed, d)
                               << "; take a window with tile.slice";
  if (!compatibleElements(indexed.getElementType(), moved.getElementType()))
    return op->emitOpError() << "expected one element type, found " << indexed.getElementType() << " and "
                             << moved.getElementType() << "; convert with tile.cast";
  return success();
}

}  // namespace

LogicalResult GatherOp::verify() {
  const BufferType out = getOutput().getType(), indices = getIndices().getType();
  if (failed(verifyIndexedMove(*this, static_cast<std::int64_t>(getDim()), out, "output", getSrc().getType(), "source",
                               indices)))
    return failure();
  if (isPacked(out.getElementType()) &&
      (out.getRank() != 2 || getDim() != 0 || (indices.getShape()[1] != 1 && !indices.isParamDim(1))))
    return emitOpError() << "expected whole rows of " << out.getElementType()
                         << ", two of which share a byte (rank 2, dim 0, indices of Rx1), found indices " << indices
                         << " along dimension " << getDim() << "; convert with tile.cast first";
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyIndexedMove(*this, static_cast<std::int64_t>(getDim()), getSrc().getType(), "source",
                               getDst().getType(), "destination", getIndices().getType())) ||
      failed(verifyWholeBytes(*this, getDst().getType().getElementType())))
    return failure();
  if (!getKind()) return success();
  const Type element = getDst().getType().getElementType();
  if (element.isInteger(1))
    return emitOpError() << "expected elements that sums of bits fit, found i1; convert to i8 or wider with tile.cast";
  return verifyCombination(*this, *getKind(), element, element);
}

}  // namespace forerun::tile
