//===- SelectOps.cpp - checks of histograms, sorts and top-k ---------------===//
// Verifiers of the operations of TileSelectOps.td.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult HistogramOp::verify() {
  const BufferType in = getInput().getType(), out = getOutput().getType();
  if (failed(verifyWindow(*this, in, "input")) || failed(verifyWindow(*this, out, "output"))) return failure();
  const Type element = in.getElementType();
  if (!llvm::isa<ParamType>(element) && !element.isInteger())
    return emitOpError() << "expected an input of integers, found " << element << "; number the bins with tile.map";
  if (failed(verifyWholeBytes(*this, element))) return failure();
  if (out.getRank() != 1 || (!out.getElementType().isInteger(32) && !llvm::isa<ParamType>(out.getElementType())))
    return emitOpError() << "expected an output of rank 1 and i32, one count a value, found " << out;
  return success();
}

namespace {

template <typename OpT>
LogicalResult verifyOrdering(OpT op, bool wholeExtent) {
  const BufferType in = op.getInput().getType();
  const auto dim = static_cast<std::int64_t>(op.getDim());
  if (failed(verifyWindow(op, in, "input")) || failed(verifyDim(op, dim, in))) return failure();
  if (op.getOutputs().empty() || op.getOutputs().size() > 2)
    return op.emitOpError() << "expected one output, the elements, or two, their indices as well; found "
                            << op.getOutputs().size();
  const auto values = llvm::cast<BufferType>(op.getOutputs()[0].getType());
  if (!compatibleElements(values.getElementType(), in.getElementType()))
    return op.emitOpError() << "expected elements of the input's type " << in.getElementType() << ", found "
                            << values.getElementType();
  if (failed(verifyWholeBytes(op, in.getElementType()))) return failure();
  if (llvm::isa<Float8E8M0FNUType>(in.getElementType()))
    return op.emitOpError() << "expected elements to order, found f8E8M0FNU; convert to f32 with tile.cast";
  if (in.getElementType().isInteger(1))
    return op.emitOpError() << "expected elements to order, found i1; convert to i8 or wider with tile.cast";
  if (op.getOutputs().size() == 2) {
    const auto indices = llvm::cast<BufferType>(op.getOutputs()[1].getType());
    const Type element = indices.getElementType();
    if (!llvm::isa<ParamType>(element) && !element.isInteger(32) && !element.isInteger(64))
      return op.emitOpError() << "expected i32 or i64 indices, found " << element;
    if (failed(verifySameShape(op, values, "elements", indices, "indices"))) return failure();
  }
  if (wholeExtent) return verifySameShape(op, in, "input", values, "elements");
  if (failed(verifyWindow(op, values, "elements"))) return failure();
  if (values.getRank() != in.getRank())
    return op.emitOpError() << "expected outputs of rank " << in.getRank() << ", found " << values;
  for (unsigned d = 0; d < in.getRank(); ++d) {
    const bool few = d == dim;
    if (!few && !compatibleExtents(in, d, values, d))
      return op.emitOpError() << "expected extent " << printExtent(in, d) << " in dimension " << d
                              << " of the outputs, found " << printExtent(values, d);
    if (few && !in.isParamDim(d) && !values.isParamDim(d) && values.getShape()[d] > in.getShape()[d])
      return op.emitOpError() << "expected at most the input's " << in.getShape()[d] << " elements in dimension " << d
                              << " of the outputs, found " << values.getShape()[d];
  }
  return success();
}

}  // namespace

LogicalResult SortOp::verify() { return verifyOrdering(*this, /*wholeExtent=*/true); }
LogicalResult TopkOp::verify() { return verifyOrdering(*this, /*wholeExtent=*/false); }

}  // namespace forerun::tile
