//===- Checks.cpp - what a run finds wrong ----------------------------------===//
// Compare and stop, where the kernel does not say already that an index lies inside.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forerun::backends::accelerator {

void KernelLowering::stopWhere(Value wrong, const Twine& text, Value value) {
  if (constantOf(wrong) == 0) return;
  b_.when(wrong, [&] { xfr::TrapOp::create(b_, b_.constant(texts_.checks.number(text.str())), value); });
}

void KernelLowering::checkElement(Operation* op, Value buffer, ValueRange indices) {
  const Window& named = window(buffer);
  const bool onChip = named.buffer->onChip();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value low = onChip ? Value() : named.globalLow[dim], high = onChip ? named.extents[dim] : named.globalHigh[dim];
    const auto extent = constantOf(high);
    if (!low && extent && ranges_.isWithin(index, 0, *extent - 1)) continue;
    Value found = scalar(index);
    // Unsigned: also what is negative.
    Value wrong = b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge, found, high);
    if (low) wrong = b_.createOrFold<arith::OrIOp>(wrong, b_.less(found, low));
    std::string type;
    llvm::raw_string_ostream(type) << named.type;
    stopWhere(wrong,
              op->getName().getStringRef() + ": index {value} of dimension " + Twine(dim) + " is outside " + type,
              found);
  }
}

namespace {

/// Cheap proof; false means "unknown".
bool isEven(OpFoldResult index, unsigned depth = 0) {
  if (auto constant = getConstantIntValue(index)) return *constant % 2 == 0;
  Value value = cast<Value>(index);
  if (depth > 8) return false;
  auto even = [&](Value operand) { return isEven(operand, depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && even(loop.getLowerBound()) && even(loop.getStep());
  }
  Operation* op = value.getDefiningOp();
  if (isa<arith::MulIOp>(op)) return even(op->getOperand(0)) || even(op->getOperand(1));
  return isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op) && even(op->getOperand(0)) &&
         even(op->getOperand(1));
}

}  // namespace

void KernelLowering::checkSlice(tile::SliceOp op) {
  const Window &source = window(op.getSource()), &slice = window(op.getResult());
  if (const OpFoldResult origin = op.getMixedOrigins().back();
      tile::isPacked(slice.type.getElementType()) && !isEven(origin)) {
    Value at = scalar(cast<Value>(origin));
    Value odd = b_.createOrFold<arith::TruncIOp>(b_.getI1Type(), at);
    std::string type;
    llvm::raw_string_ostream(type) << slice.type.getElementType();
    stopWhere(odd,
              "the window has the innermost origin {value}; two elements of " + type +
                  " share a byte, at which a window begins",
              at);
  }
  if (!slice.buffer->onChip()) return;  // global windows may overhang
  const ArrayRef<std::int64_t> shape = slice.buffer->type.getShape().take_back(source.rank());
  const std::int64_t dropped = op.getDroppedDims();
  for (auto [position, origin] : llvm::enumerate(op.getMixedOrigins())) {
    const auto dim = static_cast<std::int64_t>(position);
    const std::int64_t last = shape[dim] - (dim < dropped ? 1 : slice.extent(dim - dropped));
    if (const auto base = constantOf(source.origins[dim]); base && ranges_.isWithin(origin, -*base, last - *base))
      continue;
    Value at =
        dim < dropped ? ArrayRef<Value>(slice.droppedOrigins).take_back(dropped)[dim] : slice.origins[dim - dropped];
    Value wrong = b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ugt, at, b_.constant(last));
    std::string type;
    llvm::raw_string_ostream(type) << slice.buffer->type;
    stopWhere(wrong, "the window at {value} of dimension " + Twine(dim) + " reaches outside its on-chip buffer " + type,
              at);
  }
}

}  // namespace forerun::backends::accelerator
