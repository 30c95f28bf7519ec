//===- Checks.cpp - what a run finds wrong ----------------------------------===//
// Compare and stop.
#include "compiler/backends/host/Abi.h"
#include "compiler/backends/host/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::host {

std::int64_t KernelLowering::stopNumber(Operation* op, const Twine& text) {
  lowered_.stops.push_back({op->getLoc(), text.str()});
  return static_cast<std::int64_t>(lowered_.stops.size()) - 1;
}

void KernelLowering::stopWhere(Operation* op, Value wrong, const Twine& text, Value value) {
  if (constantOf(wrong) == 0) return;
  b_.when(wrong, [&] {
    if (!value) value = b_.constant(0);
    if (value.getType() != b_.getI64Type()) value = arith::ExtSIOp::create(b_, b_.getI64Type(), value);
    callRuntime(kStopFunction, {context_, b_.constant(stopNumber(op, text)), value}, /*returns=*/false);
  });
}

void KernelLowering::checkElement(Operation* op, Value buffer, ValueRange indices) {
  const Window& named = window(buffer);
  const bool onChip = named.buffer->onChip();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value low = onChip ? Value() : named.globalLow[dim], high = onChip ? named.extents[dim] : named.globalHigh[dim];
    Value found = scalars_.value(index);
    // Unsigned: also what is negative.
    Value wrong = b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge, found, high);
    if (low) wrong = b_.createOrFold<arith::OrIOp>(wrong, b_.less(found, low));
    std::string type;
    llvm::raw_string_ostream(type) << named.type;
    stopWhere(op, wrong, "index {value} of dimension " + Twine(dim) + " is outside " + type, found);
  }
}

void KernelLowering::checkSlice(tile::SliceOp op) {
  const Window &source = window(op.getSource()), &slice = window(op.getResult());
  if (!slice.buffer->onChip()) return;  // global windows may overhang
  const ArrayRef<std::int64_t> shape = slice.buffer->type.getShape().take_back(source.rank());
  const std::int64_t dropped = op.getDroppedDims();
  for (std::int64_t dim = 0; dim < source.rank(); ++dim) {
    const std::int64_t last = shape[dim] - (dim < dropped ? 1 : slice.extent(dim - dropped));
    Value at =
        dim < dropped ? ArrayRef<Value>(slice.droppedOrigins).take_back(dropped)[dim] : slice.origins[dim - dropped];
    std::string type;
    llvm::raw_string_ostream(type) << slice.buffer->type;
    stopWhere(op, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ugt, at, b_.constant(last)),
              "the window at {value} of dimension " + Twine(dim) + " reaches outside its on-chip buffer " + type, at);
  }
}

}  // namespace forerun::backends::host
