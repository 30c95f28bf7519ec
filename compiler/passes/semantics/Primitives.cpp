//===- Primitives.cpp - whole-tile operations that others say -------------===//
// Each becomes the operations that its description names, so that back ends and interpreter need not know it.
#include "compiler/dialect/Scopes.h"
#include "compiler/passes/semantics/Expansions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::passes::semantics {

namespace {

/// output = body(input), `input` may be null; the body's value is converted to output's element type.
void replaceByMap(Operation* op, Value input, Value output, llvm::function_ref<Value(OpBuilder&, ValueRange)> body,
                  tile::Overflow overflow = tile::Overflow::Saturate) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  const auto inputs = input ? ValueRange(input) : ValueRange();
  auto map = tile::MapOp::create(builder, loc, inputs, ValueRange(output));
  Block* block = builder.createBlock(&map.getBody());
  for (Value each : inputs) block->addArgument(cast<tile::BufferType>(each.getType()).getElementType(), loc);
  Value value = body(builder, block->getArguments());
  const Type element = cast<tile::BufferType>(output.getType()).getElementType();
  if (value.getType() != element) value = tile::ConvertOp::create(builder, loc, element, value, overflow);
  tile::YieldOp::create(builder, loc, value);
  op->erase();
}

/// Conversions between on-chip buffers that LLVM rounds twice on the way or does not know (8-bit floats) become maps.
/// What the DMA engine or the matrix unit moves is converted there, packed elements always.
template <typename OpT>
void expandMove(OpT op) {
  const tile::BufferType source = op.getSrc().getType(), target = op.getDst().getType();
  const Type from = source.getElementType(), to = target.getElementType();
  const bool wide = from.isInteger(64) || (to.isBF16() && (from.isInteger(32) || from.isF64()));
  const bool twice = wide && (to.isF16() || to.isBF16());
  const bool eight = from != to && (tile::isSmallFloat(from) || tile::isSmallFloat(to));
  if (tile::isPacked(from) || tile::isPacked(to) || (!twice && !eight) || source.getSpace() != tile::Space::Scratch ||
      !target.isOnChip())
    return;
  replaceByMap(op, op.getSrc(), op.getDst(), [](OpBuilder&, ValueRange in) { return in[0]; }, op.getOverflow());
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

/// Teams that act together let one of them do it: after a meeting of all where it releases, and the others go on when
/// it is done where they need its result or it acquires.
template <typename OpT>
void expandAtomic(OpT op) {
  if (tile::scopeOf(op) <= tile::Scope::Team) return;
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  const bool used = !op.getOld().use_empty();
  if (op.releases()) tile::SyncOp::create(builder, loc);
  Value word;
  if (used)
    word = tile::AllocOp::create(builder, loc, tile::BufferType::get({1}, op.getOld().getType(), tile::Space::Scratch),
                                 ValueRange());
  auto exec = tile::ExecOp::create(builder, loc, tile::Scope::Team, ValueRange(), ArrayRef<std::int64_t>{0});
  Block* body = builder.createBlock(&exec.getBody());
  if (used) {
    builder.setInsertionPointAfter(exec);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
    Value old = tile::LoadOp::create(builder, loc, op.getOld().getType(), word, ValueRange{zero});
    op.getOld().replaceAllUsesWith(old);
  } else if (op.acquires()) {
    builder.setInsertionPointAfter(exec);
    tile::SyncOp::create(builder, loc);
  }
  op->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  if (used) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
    tile::StoreOp::create(builder, loc, op.getOld(), word, ValueRange{zero});
  }
  tile::YieldOp::create(builder, loc);
}

}  // namespace

void expandPrimitives(Operation* root) {
  root->walk([](Operation* op) {
    llvm::TypeSwitch<Operation*>(op)
        .Case<tile::CastOp, tile::CopyOp>([](auto move) { expandMove(move); })
        .Case<tile::MatmulOp, tile::MatmulAsyncOp>([](auto product) {
          if (product.getScaleA()) expandScales(product);
        })
        .Case([](tile::IotaOp iota) {
          replaceByMap(iota, Value(), iota.getDst(), [&](OpBuilder& builder, ValueRange) {
            return tile::IndexOp::create(builder, iota.getLoc(), builder.getI64Type(), iota.getDim()).getResult();
          });
        })
        .Case([](tile::BroadcastOp broadcast) {
          replaceByMap(broadcast, broadcast.getSrc(), broadcast.getDst(),
                       [](OpBuilder&, ValueRange in) { return in[0]; });
        })
        .Case([](tile::HistogramOp histogram) { expandHistogram(histogram); })
        .Case<tile::AtomicRmwOp, tile::CasOp>([](auto atomic) { expandAtomic(atomic); });
  });
}

}  // namespace forerun::passes::semantics
