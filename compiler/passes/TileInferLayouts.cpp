//===- TileInferLayouts.cpp - --tile-infer-layouts -------------------------===//
// Writes inferred layouts into the types of allocations and makes conversions explicit.
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Text.h"
#include "compiler/passes/LayoutInference.h"
#include "compiler/passes/Passes.h"

#define DEBUG_TYPE "tile-infer-layouts"

namespace forerun::passes {
#define GEN_PASS_DEF_TILEINFERLAYOUTS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using tile::BufferType;

namespace {

BufferType withLayout(BufferType type, const layout::Layout& layout) {
  return BufferType::get(type.getContext(), type.getDims(), type.getElementType(), type.getSpace(),
                         tile::LayoutAttr::get(type.getContext(), layout));
}

/// What a type without a layout stands for; dumps and messages then show the type as it was written.
bool isRowMajor(const layout::Layout& layout, BufferType type) {
  auto rowMajor = layout::Layout::rowMajor(type.getShape());
  return layout::compare(layout, llvm::cantFail(std::move(rowMajor))) == layout::Equality::Equal;
}

/// A copy of the operand beside its operation, in the layout that it has to have.
LogicalResult convert(const LayoutConversion& conversion) {
  OpOperand& operand = *conversion.operand;
  Operation* op = operand.getOwner();
  const std::string name = describe(operand), other = describe(*conversion.agreesWith);
  if (!conversion.to)
    return op->emitError() << name << " lies in " << print(conversion.from) << " and cannot agree with " << other
                           << ", which lies in " << print(conversion.decides) << ": " << conversion.whyNot
                           << "; leave one of the layouts out";
  op->emitRemark() << name << " lies in " << print(conversion.from) << " but " << other << " in "
                   << print(conversion.decides) << ": converted to " << print(*conversion.to) << ", "
                   << conversion.bytes() << " bytes copied";
  OpBuilder builder(op);
  Value original = operand.get();
  Value converted = tile::AllocOp::create(
      builder, op->getLoc(), withLayout(llvm::cast<BufferType>(original.getType()), *conversion.to), ValueRange());
  if (conversion.copiesIn) tile::CopyOp::create(builder, op->getLoc(), original, converted);
  operand.set(converted);
  builder.setInsertionPointAfter(op);
  if (conversion.copiesOut) tile::CopyOp::create(builder, op->getLoc(), converted, original);
  return success();
}

struct TileInferLayouts : impl::TileInferLayoutsBase<TileInferLayouts> {
  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      const LayoutPlan plan = inferLayouts(kernel);
      for (const LayoutConversion& conversion : plan.conversions) {
        if (failed(convert(conversion))) signalPassFailure();
        ++numConverted;
      }
      for (const LayoutChoice& choice : plan.choices)
        if (choice.layout && !isRowMajor(*choice.layout, llvm::cast<BufferType>(choice.buffer.getType())))
          Value(choice.buffer).setType(withLayout(llvm::cast<BufferType>(choice.buffer.getType()), *choice.layout));
    });
  }
};

}  // namespace
}  // namespace forerun::passes
