//===- ScaledProduct.cpp - matrix products of scaled blocks ---------------===//
// The operands are copied as bf16, in which every element of 8 and 4 bits is exact, and multiplied by their scales
// there: then any product of bf16 will do, and interpreter and back ends agree to the bit.
#include "compiler/passes/semantics/Expansions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace forerun::passes::semantics {

namespace {

Value converted(OpBuilder& b, Location loc, Value buffer, Type element) {
  const auto type = cast<tile::BufferType>(buffer.getType());
  Value result = tile::AllocOp::create(b, loc, tile::BufferType::get(type.getShape(), element, tile::Space::Scratch),
                                       ValueRange());
  tile::CastOp::create(b, loc, buffer, result);
  return result;
}

/// A bf16 copy of `operand`, each `block` indices of dimension `k` times their scale.
Value scaled(OpBuilder& b, Location loc, Value operand, Value scales, unsigned k, std::int64_t block) {
  Value result = converted(b, loc, operand, b.getBF16Type()), factors = converted(b, loc, scales, b.getF32Type());
  const auto type = cast<tile::BufferType>(result.getType());
  auto window = [&](Value of, std::int64_t extent, OpFoldResult origin) -> Value {
    const auto whole = cast<tile::BufferType>(of.getType());
    SmallVector<std::int64_t> shape(whole.getShape());
    shape[k] = extent;
    SmallVector<OpFoldResult> origins(2, b.getIndexAttr(0));
    origins[k] = origin;
    SmallVector<Value> dynamic;
    SmallVector<std::int64_t> fixed;
    dispatchIndexOpFoldResults(origins, dynamic, fixed);
    return tile::SliceOp::create(b, loc, tile::BufferType::get(shape, whole.getElementType(), tile::Space::Scratch), of,
                                 dynamic, fixed);
  };
  auto scale = [&](std::int64_t extent, OpFoldResult first, OpFoldResult number) {
    Value part = window(result, extent, first);
    auto map = tile::MapOp::create(b, loc, ValueRange{part, window(factors, 1, number)}, ValueRange(part));
    OpBuilder::InsertionGuard guard(b);
    Block* body = b.createBlock(&map.getBody(), {}, {b.getBF16Type(), b.getF32Type()}, {loc, loc});
    Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), body->getArgument(0));
    Value product = arith::MulFOp::create(b, loc, wide, body->getArgument(1));
    tile::YieldOp::create(b, loc, arith::TruncFOp::create(b, loc, b.getBF16Type(), product).getResult());
  };
  const std::int64_t whole = type.getShape()[k] / block, rest = type.getShape()[k] % block;
  auto constant = [&](std::int64_t value) { return arith::ConstantIndexOp::create(b, loc, value).getResult(); };
  if (whole > 0) {
    auto loop = scf::ForOp::create(b, loc, constant(0), constant(whole), constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    scale(block, arith::MulIOp::create(b, loc, number, constant(block)).getResult(), number);
  }
  if (rest > 0) scale(rest, b.getIndexAttr(whole * block), b.getIndexAttr(whole));
  return result;
}

template <typename OpT>
void scaleOperands(OpBuilder& b, OpT op) {
  const std::int64_t block = *op.getScaleBlock();
  const unsigned kOfA = op.getTransposeA() ? 0 : 1, kOfB = op.getTransposeB() ? 1 : 0;
  Value a = scaled(b, op.getLoc(), op.getA(), op.getScaleA(), kOfA, block);
  Value right = scaled(b, op.getLoc(), op.getB(), op.getScaleB(), kOfB, block);
  op.getAMutable().assign(a);
  op.getBMutable().assign(right);
  op.getScaleAMutable().clear();
  op.getScaleBMutable().clear();
  op.removeScaleBlockAttr();
}

}  // namespace

void expandScales(tile::MatmulOp op) {
  OpBuilder builder(op);
  scaleOperands(builder, op);
}

/// The copies live as long as the region that the operation is in, and serve its next execution: so the product is
/// complete here.
void expandScales(tile::MatmulAsyncOp op) {
  OpBuilder builder(op);
  scaleOperands(builder, op);
  builder.setInsertionPointAfter(op);
  auto wait = tile::WaitOp::create(builder, op.getLoc(), op.getToken());
  Value done = tile::ReadyOp::create(builder, op.getLoc());
  op.getToken().replaceAllUsesExcept(done, wait);
}

}  // namespace forerun::passes::semantics
