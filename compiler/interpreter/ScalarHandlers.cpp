//===- ScalarHandlers.cpp - arithmetic on scalars ---------------------------===//
// A scalar operation is the element-wise one over a column of one element.
#include "compiler/interpreter/Handlers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstring>

namespace forerun::interpreter {

namespace {

std::int64_t predicateOf(mlir::Operation* op) {
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op)) return static_cast<std::int64_t>(compare.getPredicate());
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) return static_cast<std::int64_t>(compare.getPredicate());
  return 0;
}

}  // namespace

std::optional<SelectedElementOp> selectElementOp(mlir::Operation* op) {
  const auto row = elementOps().find(op->getName().getStringRef());
  if (row == elementOps().end() || op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumOperands() > 3)
    return std::nullopt;
  const auto operand = elementTypeOf(op->getOperands().back().getType()),
             result = elementTypeOf(op->getResult(0).getType());
  if (!operand || !result) return std::nullopt;
  const ElementFunction function = row->second.select({*operand, *result, predicateOf(op)});
  if (!function) return std::nullopt;
  const bool small = *result == ElementType::F16 || *result == ElementType::BF16;
  return SelectedElementOp{function, row->second.rounds && small, row->second.counts};
}

llvm::LogicalResult runScalarOp(Execution& execution, mlir::Operation* op) {
  const auto selected = selectElementOp(op);
  if (!selected) return op->emitError() << "the interpreter does not define '" << op->getName() << "' on these types";
  ElementCall call;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) call.in[i] = execution.scalar(op->getOperand(i)).bytes;
  Scalar result;
  result.type = *elementTypeOf(op->getResult(0).getType());
  call.out = result.bytes;
  call.count = 1;
  selected->function(call);
  if (selected->rounds) roundColumn(result.type, call.output<float>(), 1);
  execution.set(op->getResult(0), result);
  return llvm::success();
}

std::optional<Scalar> scalarOfAttribute(mlir::Attribute attribute, mlir::Type type) {
  const auto element = elementTypeOf(type);
  if (!element) return std::nullopt;
  std::uint8_t memory[8] = {};
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
    isa::storeFromInt(
        *element, memory,
        integer.getValue().getBitWidth() == 1 ? integer.getValue().getZExtValue() : integer.getValue().getSExtValue());
  } else if (auto real = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    const std::uint64_t bits = real.getValue().bitcastToAPInt().getZExtValue();
    std::memcpy(memory, &bits, sizeof(bits));
  } else {
    return std::nullopt;
  }
  Scalar scalar;
  scalar.type = *element;
  loadColumn(*element, memory, scalar.bytes, 1);
  return scalar;
}

llvm::LogicalResult runConstant(Execution& execution, mlir::Operation* op) {
  auto constant = llvm::cast<mlir::arith::ConstantOp>(op);
  const auto scalar = scalarOfAttribute(constant.getValue(), constant.getType());
  if (!scalar)
    return op->emitError() << "the interpreter knows constants of scalar type only, found " << constant.getType();
  execution.set(constant.getResult(), *scalar);
  return llvm::success();
}

}  // namespace forerun::interpreter
