//===- Conversions.cpp - conversions of buffers as maps ---------------------===//
// See Conversions.h.
#include "compiler/backends/host/lowering/Conversions.h"

#include "compiler/dialect/TileOps.h"
#include "compiler/passes/semantics/Expansions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

Type elementOf(Value buffer) { return cast<tile::BufferType>(buffer.getType()).getElementType(); }

void convertByMap(OpBuilder& builder, Location loc, Value from, Value to, bool saturates = true) {
  OpBuilder::InsertionGuard guard(builder);
  auto map = tile::MapOp::create(builder, loc, ValueRange(from), ValueRange(to));
  Block* block = builder.createBlock(&map.getBody(), {}, {elementOf(from)}, {loc});
  passes::semantics::ScalarBuilder scalars(builder, loc);
  Value converted = passes::semantics::convertElement(scalars, block->getArgument(0), elementOf(to), saturates);
  tile::YieldOp::create(builder, loc, converted);
}

template <typename OpT>
void expandCopy(OpT op) {
  if (elementOf(op.getSrc()) == elementOf(op.getDst())) return;
  OpBuilder builder(op);
  convertByMap(builder, op.getLoc(), op.getSrc(), op.getDst(), op.getOverflow() == tile::Overflow::Saturate);
  if constexpr (std::is_same_v<OpT, tile::CopyAsyncOp>)
    op.getToken().replaceAllUsesWith(tile::ReadyOp::create(builder, op.getLoc(), op.getToken().getType()).getToken());
  op.erase();
}

/// f16 holds every 8-bit float.
template <typename OpT>
void widenOperands(OpT op) {
  OpBuilder builder(op);
  for (OpOperand* operand : {&op.getAMutable(), &op.getBMutable()}) {
    auto type = cast<tile::BufferType>(operand->get().getType());
    if (!tile::isFloat8(type.getElementType())) continue;
    Value wide = tile::AllocOp::create(
        builder, op.getLoc(), tile::BufferType::get(type.getShape(), builder.getF16Type(), tile::Space::Scratch),
        ValueRange());
    convertByMap(builder, op.getLoc(), operand->get(), wide);
    operand->set(wide);
  }
}

}  // namespace

void expandConversions(ModuleOp module) {
  SmallVector<Operation*> worklist;
  module.walk([&](tile::KernelOp kernel) {
    kernel.walk([&](Operation* op) {
      if (llvm::isa<tile::CopyOp, tile::CastOp, tile::CopyAsyncOp, tile::MatmulOp, tile::MatmulAsyncOp>(op))
        worklist.push_back(op);
    });
  });
  for (Operation* op : worklist)
    llvm::TypeSwitch<Operation*>(op)
        .Case<tile::CopyOp, tile::CastOp, tile::CopyAsyncOp>([](auto copy) { expandCopy(copy); })
        .Case<tile::MatmulOp, tile::MatmulAsyncOp>([](auto product) { widenOperands(product); });
}

}  // namespace forerun::backends::host
