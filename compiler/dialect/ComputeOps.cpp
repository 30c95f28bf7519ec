//===- ComputeOps.cpp - checks of maps, reductions, products ---------------===//
// Verifiers of the operations that compute on whole tiles.
#include "compiler/dialect/Verification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult MapOp::verify() {
  if (getOutputs().empty()) return emitOpError() << "expected at least one output";
  auto shape = llvm::cast<BufferType>(getOutputs().front().getType());
  for (Value output : getOutputs())
    if (failed(verifySameShape(*this, shape, "output 0", llvm::cast<BufferType>(output.getType()), "another output")) ||
        failed(verifyWholeBytes(*this, llvm::cast<BufferType>(output.getType()).getElementType())))
      return failure();
  for (auto [index, input] : llvm::enumerate(getInputs())) {
    auto type = llvm::cast<BufferType>(input.getType());
    std::string name = "input " + std::to_string(index);
    if (failed(verifyWindow(*this, type, name)) || failed(verifyBroadcast(*this, type, name, shape, "outputs")) ||
        failed(verifyWholeBytes(*this, type.getElementType())))
      return failure();
  }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  Block& body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError() << "expected " << getInputs().size() << " body arguments, one for each input, found "
                         << body.getNumArguments();
  for (auto [index, input] : llvm::enumerate(getInputs())) {
    Type element = llvm::cast<BufferType>(input.getType()).getElementType();
    if (body.getArgument(index).getType() != element)
      return emitOpError() << "expected body argument " << index << " of the input's element type " << element
                           << ", found " << body.getArgument(index).getType();
  }
  auto yield = llvm::dyn_cast_or_null<YieldOp>(body.empty() ? nullptr : &body.back());
  if (!yield) return emitOpError() << "expected the body to end with tile.yield";
  if (yield.getValues().size() != getOutputs().size())
    return yield.emitOpError() << "expected " << getOutputs().size() << " values, one for each output, found "
                               << yield.getValues().size();
  for (auto [index, output] : llvm::enumerate(getOutputs())) {
    Type element = llvm::cast<BufferType>(output.getType()).getElementType();
    if (!compatibleElements(yield.getValues()[index].getType(), element))
      return yield.emitOpError() << "expected value " << index << " of the output's element type " << element
                                 << ", found " << yield.getValues()[index].getType();
  }
  for (Operation& op : body)
    if (!llvm::isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
        !llvm::isa<IndexOp, ConvertOp, RandomOp, YieldOp>(op))
      return op.emitOpError() << "expected arith, math, tile.index, tile.convert or tile.random in the body of "
                                 "tile.map; compute scalars before it";
  return success();
}

LogicalResult ConvertOp::verify() {
  if (failed(verifyWholeBytes(*this, getValue().getType())) || failed(verifyWholeBytes(*this, getType())))
    return failure();
  return verifyOverflow(*this, getOverflow(), getValue().getType(), getType());
}

LogicalResult IndexOp::verify() {
  auto map = (*this)->getParentOfType<MapOp>();
  if (!map) return emitOpError() << "belongs into the body of a tile.map";
  return verifyDim(*this, static_cast<int64_t>(getDim()), llvm::cast<BufferType>(map.getOutputs().front().getType()));
}

LogicalResult ReduceOp::verify() {
  BufferType in = getInput().getType();
  BufferType out = getOutput().getType();
  if (failed(verifyWindow(*this, in, "input")) || failed(verifyWindow(*this, out, "output"))) return failure();
  if (in.getRank() != out.getRank())
    return emitOpError() << "expected an output of rank " << in.getRank()
                         << " with extent 1 in the reduced dimensions, found " << out;
  llvm::SmallVector<bool> reduced(in.getRank(), false);
  if (getDims().empty()) return emitOpError() << "expected at least one dimension to reduce";
  for (int64_t dim : getDims()) {
    if (dim < 0 || dim >= in.getRank())
      return emitOpError() << "expected dimensions from 0 to " << in.getRank() - 1 << ", found " << dim;
    if (reduced[dim]) return emitOpError() << "expected each dimension once, found " << dim << " twice";
    reduced[dim] = true;
  }
  for (unsigned dim = 0; dim < in.getRank(); ++dim) {
    if (reduced[dim]) {
      if (out.getShape()[dim] != 1 && !out.isParamDim(dim))
        return emitOpError() << "expected extent 1 in reduced dimension " << dim << " of the output, found "
                             << printExtent(out, dim);
    } else if (!compatibleExtents(in, dim, out, dim)) {
      return emitOpError() << "expected extent " << printExtent(in, dim) << " in dimension " << dim
                           << " of the output, found " << printExtent(out, dim);
    }
  }
  Type to = out.getElementType();
  if (getKind() != ReduceKind::ArgMin && getKind() != ReduceKind::ArgMax)
    return verifyCombination(*this, getKind(), in.getElementType(), to);
  if (getDims().size() != 1)
    return emitOpError() << "expected one dimension for " << stringifyReduceKind(getKind()) << ", found "
                         << getDims().size();
  if (failed(verifyComputable(*this, in.getElementType()))) return failure();
  if (getAccumulate()) return emitOpError() << "cannot accumulate indices; reduce the whole extent in one operation";
  if (!llvm::isa<ParamType>(to) && !to.isInteger(32) && !to.isInteger(64))
    return emitOpError() << "expected an i32 or i64 output for " << stringifyReduceKind(getKind()) << ", found " << to;
  return success();
}

namespace {
/// The scales of a and b; `rowA` and `rowB` are the dimensions that come first where nothing is transposed.
template <typename OpT>
LogicalResult verifyScales(OpT op, unsigned rowA, unsigned rowB) {
  const int64_t block = *op.getScaleBlock();
  if (block <= 0) return op.emitOpError() << "expected blocks of at least one element of K, found " << block;
  const BufferType a = op.getA().getType(), b = op.getB().getType();
  auto check = [&](BufferType scale, llvm::StringRef name, BufferType of, unsigned along, unsigned k) -> LogicalResult {
    if (!compatibleElements(scale.getElementType(), Float8E8M0FNUType::get(op.getContext())))
      return op.emitOpError() << "expected " << name << " of f8E8M0FNU, found " << scale.getElementType()
                              << "; tile.cast rounds to powers of two";
    if (scale.getRank() != 2 || scale.getSpace() != Space::Scratch)
      return op.emitOpError() << "expected " << name << " of rank 2 in scratch, found " << scale;
    const int64_t extent = of.getShape()[k], blocks = scale.getShape()[k];
    if (!compatibleExtents(scale, along, of, along) ||
        (extent != ShapedType::kDynamic && blocks != ShapedType::kDynamic &&
         blocks != llvm::divideCeilSigned(extent, block)))
      return op.emitOpError() << "expected " << name << " with the extent " << printExtent(of, along)
                              << " in dimension " << along << " and one scale for each " << block
                              << " of K in dimension " << k << ", found " << scale;
    return success();
  };
  return failure(failed(check(op.getScaleA().getType(), "scales of a", a, rowA, 1 - rowA)) ||
                 failed(check(op.getScaleB().getType(), "scales of b", b, 1 - rowB, rowB)));
}

template <typename OpT>
LogicalResult verifyMatmul(OpT op) {
  BufferType a = op.getA().getType();
  BufferType b = op.getB().getType();
  BufferType acc = op.getAcc().getType();
  for (auto [name, type] : {std::pair{"a", a}, std::pair{"b", b}, std::pair{"acc", acc}})
    if (type.getRank() != 2)
      return op.emitOpError() << "expected " << name << " of rank 2, found " << type
                              << "; drop leading dimensions with tile.slice";
  for (auto [name, type] : {std::pair{"a", a}, std::pair{"b", b}})
    if (type.getSpace() != Space::Scratch)
      return op.emitOpError() << "expected " << name << " in scratch, found " << type << "; copy it there first";
  if (acc.getSpace() != Space::Acc)
    return op.emitOpError() << "expected the destination in acc, found " << acc
                            << "; allocate it there and copy the result out";
  unsigned rowA = op.getTransposeA() ? 1 : 0;
  unsigned rowB = op.getTransposeB() ? 1 : 0;
  if (!compatibleExtents(a, 1 - rowA, b, rowB))
    return op.emitOpError() << "expected one K, found " << printExtent(a, 1 - rowA) << " in a and "
                            << printExtent(b, rowB) << " in b";
  if (!compatibleExtents(a, rowA, acc, 0) || !compatibleExtents(b, 1 - rowB, acc, 1))
    return op.emitOpError() << "expected acc of " << printExtent(a, rowA) << "x" << printExtent(b, 1 - rowB)
                            << ", found " << printExtent(acc, 0) << "x" << printExtent(acc, 1);
  Type typeA = a.getElementType();
  Type typeB = b.getElementType();
  Type typeAcc = acc.getElementType();
  if (bool(op.getScaleA()) != bool(op.getScaleB()) || bool(op.getScaleA()) != op.getScaleBlock().has_value())
    return op.emitOpError() << "expected scales of both operands and their block, or none; write scales(%sa, %sb) "
                               "block 32";
  if (op.getScaleA()) {
    if (failed(verifyScales(op, rowA, rowB))) return failure();
    for (auto [name, type] : {std::pair{"a", typeA}, std::pair{"b", typeB}})
      if (!llvm::isa<ParamType, Float4E2M1FNType>(type) && !isFloat8(type))
        return op.emitOpError() << "expected " << name << " of f8E4M3FN, f8E5M2 or f4E2M1FN beside scales, found "
                                << type;
    if (!compatibleElements(typeAcc, Float32Type::get(op.getContext())))
      return op.emitOpError() << "expected an accumulator of f32 for scaled operands, found " << typeAcc;
    return success();
  }
  if (!compatibleElements(typeA, typeB) && !(isFloat8(typeA) && isFloat8(typeB)))
    return op.emitOpError() << "expected a and b of one element type, or both of 8-bit floats, found " << typeA
                            << " and " << typeB;
  Type operand = llvm::isa<ParamType>(typeA) ? typeB : typeA;
  bool isFloat = operand.isF16() || operand.isBF16() || operand.isF32() || isFloat8(operand);
  if (!llvm::isa<ParamType>(operand) && !isFloat && !operand.isInteger(8))
    return op.emitOpError() << "expected operands of f16, bf16, f32, f8E4M3FN, f8E5M2 or i8, found " << operand
                            << "; convert with tile.cast";
  if (llvm::isa<ParamType>(operand) || llvm::isa<ParamType>(typeAcc)) return success();
  if (isFloat ? !typeAcc.isF32() : !typeAcc.isInteger(32))
    return op.emitOpError() << "expected an accumulator of " << (isFloat ? "f32" : "i32") << " for " << operand
                            << " operands, found " << typeAcc;
  return success();
}
}  // namespace

LogicalResult MatmulOp::verify() { return verifyMatmul(*this); }
LogicalResult MatmulAsyncOp::verify() { return verifyMatmul(*this); }

}  // namespace forerun::tile
