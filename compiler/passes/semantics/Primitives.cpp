//===- Primitives.cpp - whole-tile operations that others say -------------===//
// Each becomes the operations that its description names, so that back ends and interpreter need not know it.
#include "compiler/dialect/TileOps.h"
#include "compiler/passes/semantics/Expansions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::passes::semantics {

namespace {

/// output = body(input), `input` may be null; the body's value is converted to output's element type.
void replaceByMap(Operation* op, Value input, Value output, llvm::function_ref<Value(OpBuilder&, ValueRange)> body) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  const auto inputs = input ? ValueRange(input) : ValueRange();
  auto map = tile::MapOp::create(builder, loc, inputs, ValueRange(output));
  Block* block = builder.createBlock(&map.getBody());
  for (Value each : inputs) block->addArgument(cast<tile::BufferType>(each.getType()).getElementType(), loc);
  Value value = body(builder, block->getArguments());
  const Type element = cast<tile::BufferType>(output.getType()).getElementType();
  if (value.getType() != element) value = tile::ConvertOp::create(builder, loc, element, value);
  tile::YieldOp::create(builder, loc, value);
  op->erase();
}

/// Conversions between on-chip buffers that LLVM rounds twice on the way become maps, whose bodies round once. What the
/// DMA engine or the matrix unit moves is converted there.
void expandMove(Operation* op) {
  const auto source = cast<tile::BufferType>(op->getOperand(0).getType()),
             target = cast<tile::BufferType>(op->getOperand(1).getType());
  const Type from = source.getElementType(), to = target.getElementType();
  const bool wide = from.isInteger(64) || (to.isBF16() && (from.isInteger(32) || from.isF64()));
  if (!wide || !(to.isF16() || to.isBF16()) || source.getSpace() != tile::Space::Scratch || !target.isOnChip()) return;
  replaceByMap(op, op->getOperand(0), op->getOperand(1), [](OpBuilder&, ValueRange in) { return in[0]; });
}

/// Counts start from the old ones: a fill makes them 0 first.
void expandHistogram(tile::HistogramOp op) {
  if (op.getAccumulate()) return;
  OpBuilder builder(op);
  const Type element = op.getOutput().getType().getElementType();
  Value zero = arith::ConstantOp::create(builder, op.getLoc(), builder.getIntegerAttr(element, 0));
  tile::FillOp::create(builder, op.getLoc(), op.getOutput(), zero);
  op.setAccumulate(true);
}

}  // namespace

void expandPrimitives(Operation* root) {
  root->walk([](Operation* op) {
    llvm::TypeSwitch<Operation*>(op)
        .Case<tile::CastOp, tile::CopyOp>([](Operation* move) { expandMove(move); })
        .Case([](tile::IotaOp iota) {
          replaceByMap(iota, Value(), iota.getDst(), [&](OpBuilder& builder, ValueRange) {
            return tile::IndexOp::create(builder, iota.getLoc(), builder.getI64Type(), iota.getDim()).getResult();
          });
        })
        .Case([](tile::BroadcastOp broadcast) {
          replaceByMap(broadcast, broadcast.getSrc(), broadcast.getDst(),
                       [](OpBuilder&, ValueRange in) { return in[0]; });
        })
        .Case([](tile::HistogramOp histogram) { expandHistogram(histogram); });
  });
}

}  // namespace forerun::passes::semantics
