//===- MemoryOps.cpp - checks of buffers, windows, moves, scalars ----------===//
// Verifiers of the operations that make, view and move data.
#include "compiler/dialect/Verification.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult DimOp::verify() { return verifyDim(*this, static_cast<int64_t>(getDim()), getBuffer().getType()); }

LogicalResult AllocOp::verify() {
  BufferType type = getResult().getType();
  bool inKernel = (*this)->getParentOfType<KernelOp>() != nullptr;
  if (inKernel && type.isGlobal())
    return emitOpError()
           << "expected an on-chip space inside a kernel, found global; allocate it in the host function and pass it";
  if (!inKernel && type.isOnChip())
    return emitOpError() << "expected global in a host function, found " << stringifySpace(type.getSpace())
                         << "; on-chip buffers live inside kernels";
  unsigned runtimeDims = 0;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) runtimeDims += type.isRuntimeDim(dim);
  if (runtimeDims != getSizes().size())
    return emitOpError() << "expected " << runtimeDims << " sizes, one for each '?', found " << getSizes().size();
  return success();
}

llvm::SmallVector<OpFoldResult> SliceOp::getMixedOrigins() {
  Builder builder(getContext());
  return getMixedValues(getStaticOrigins(), getOrigins(), builder);
}

LogicalResult SliceOp::verify() {
  BufferType source = getSource().getType();
  BufferType result = getResult().getType();
  if (static_cast<int64_t>(getStaticOrigins().size()) != source.getRank())
    return emitOpError() << "expected " << source.getRank() << " origins, one for each dimension of " << source
                         << ", found " << getStaticOrigins().size();
  if (llvm::count(getStaticOrigins(), ShapedType::kDynamic) != static_cast<int64_t>(getOrigins().size()))
    return emitOpError() << "expected one operand for each dynamic origin";
  if (result.getRank() > source.getRank())
    return emitOpError() << "expected a result of at most rank " << source.getRank() << ", found " << result;
  if (source.getElementType() != result.getElementType() || source.getSpace() != result.getSpace())
    return emitOpError() << "expected element type and space of the source (" << source.getElementType() << ", "
                         << stringifySpace(source.getSpace()) << "), found " << result
                         << "; a window changes neither, use tile.copy or tile.cast";
  if (result.getLayout())
    return emitOpError() << "expected no layout in the window's type, found " << result
                         << "; a window lies as its buffer does";
  for (unsigned dim = 0; dim < result.getRank(); ++dim)
    if (result.isRuntimeDim(dim))
      return emitOpError() << "expected static extents of the window, found " << result
                           << "; a window may overhang the edges, so give its largest extent";
  if (const int64_t origin = getStaticOrigins().back();
      isPacked(source.getElementType()) && origin != ShapedType::kDynamic && origin % 2 != 0)
    return emitOpError() << "expected an even origin of the innermost dimension, found " << origin
                         << "; two elements of " << source.getElementType()
                         << " share a byte, at which a window begins";
  if (source.isGlobal()) return success();
  for (unsigned dim = 0; dim < source.getRank(); ++dim) {
    int64_t origin = getStaticOrigins()[dim];
    bool dropped = dim < getDroppedDims();
    int64_t extent = dropped ? 1 : result.getShape()[dim - getDroppedDims()];
    int64_t bound = source.getShape()[dim];
    if (bound == ShapedType::kDynamic || extent == ShapedType::kDynamic) continue;
    int64_t first = origin == ShapedType::kDynamic ? 0 : origin;
    if (first < 0 || first > bound - extent)
      return emitOpError() << "expected a window inside of the on-chip buffer, found " << extent << " elements from "
                           << first << " of " << bound << " in dimension " << dim;
  }
  return success();
}

namespace {
template <typename OpT>
LogicalResult verifyMove(OpT op) {
  const BufferType src = op.getSrc().getType(), dst = op.getDst().getType();
  if (failed(verifySameShape(op, src, "source", dst, "destination"))) return failure();
  return verifyOverflow(op, op.getOverflow(), src.getElementType(), dst.getElementType());
}
}  // namespace

LogicalResult CopyOp::verify() { return verifyMove(*this); }
LogicalResult CopyAsyncOp::verify() { return verifyMove(*this); }
LogicalResult CastOp::verify() { return verifyMove(*this); }

LogicalResult FillOp::verify() {
  BufferType type = getDst().getType();
  if (failed(verifyWindow(*this, type, "destination"))) return failure();
  if (!compatibleElements(type.getElementType(), getValue().getType()))
    return emitOpError() << "expected a value of the element type " << type.getElementType() << ", found "
                         << getValue().getType();
  return success();
}

LogicalResult TransposeOp::verify() {
  BufferType src = getSrc().getType();
  BufferType dst = getDst().getType();
  if (failed(verifyWindow(*this, src, "source")) || failed(verifyWindow(*this, dst, "destination"))) return failure();
  if (src.getRank() != dst.getRank())
    return emitOpError() << "expected operands of one rank, found " << src.getRank() << " and " << dst.getRank();
  if (!compatibleElements(src.getElementType(), dst.getElementType()))
    return emitOpError() << "expected one element type, found " << src.getElementType() << " and "
                         << dst.getElementType() << "; convert with tile.cast";
  llvm::SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  bool valid = static_cast<int64_t>(sorted.size()) == src.getRank();
  for (unsigned dim = 0; valid && dim < sorted.size(); ++dim) valid = sorted[dim] == dim;
  if (!valid)
    return emitOpError() << "expected a permutation of 0 to " << src.getRank() - 1 << ", found [" << getPermutation()
                         << "]";
  for (auto [dim, from] : llvm::enumerate(getPermutation()))
    if (!compatibleExtents(dst, dim, src, from))
      return emitOpError() << "expected extent " << printExtent(src, from) << " (dimension " << from
                           << " of the source) in dimension " << dim << " of the destination, found "
                           << printExtent(dst, dim);
  if (isPacked(src.getElementType()) && getPermutation().back() != src.getRank() - 1)
    return emitOpError() << "expected the innermost dimension to stay innermost, found it as another of "
                         << src.getElementType() << ", two of which share a byte; convert to "
                         << (src.getElementType().isInteger() ? "i8" : "bf16") << " with tile.cast first";
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyWholeBytes(*this, getBuffer().getType().getElementType()))) return failure();
  if (getValue().getType() != getBuffer().getType().getElementType())
    return emitOpError() << "expected a result of the element type " << getBuffer().getType().getElementType()
                         << ", found " << getValue().getType();
  return verifyAccess(*this, getBuffer().getType(), getIndices().size());
}
LogicalResult StoreOp::verify() {
  if (failed(verifyWholeBytes(*this, getBuffer().getType().getElementType()))) return failure();
  if (getValue().getType() != getBuffer().getType().getElementType())
    return emitOpError() << "expected a value of the element type " << getBuffer().getType().getElementType()
                         << ", found " << getValue().getType();
  return verifyAccess(*this, getBuffer().getType(), getIndices().size());
}

}  // namespace forerun::tile
