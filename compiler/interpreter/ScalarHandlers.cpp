//===- ScalarHandlers.cpp - arithmetic on scalars ---------------------------===//
// A scalar operation is the element-wise one over a column of one element.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Uncertainty.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstring>

namespace forerun::interpreter {

namespace {

std::int64_t predicateOf(mlir::Operation* op) {
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op)) return static_cast<std::int64_t>(compare.getPredicate());
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) return static_cast<std::int64_t>(compare.getPredicate());
  return 0;
}

/// How far the result may lie off when the operands have radii: the operation as a map of one element.
float radiusOfResult(const SelectedElementOp& selected, llvm::ArrayRef<Scalar> operands, ElementType type) {
  MapProgram program;
  MapProgram::Step step;
  for (const Scalar& operand : operands) {
    step.in[program.inputs] = program.inputs;
    program.registers.push_back(operand.type);
    ++program.inputs;
  }
  step.function = selected.function;
  step.inputs = step.out = program.inputs;
  step.type = type;
  step.rounds = selected.rounds;
  program.registers.push_back(type);
  program.outputs = {step.out};
  program.steps = {step};
  MapColumns columns(program);
  for (auto [input, operand] : llvm::enumerate(operands)) {
    std::memcpy(columns.at(static_cast<unsigned>(input)), operand.bytes, sizeof(operand.bytes));
    *columns.radius(static_cast<unsigned>(input)) = operand.radius;
  }
  columns.run(1);
  return columns.outputRadii(1)[0][0];
}

}  // namespace

std::optional<SelectedElementOp> selectElementOp(mlir::Operation* op) {
  const auto row = elementOps().find(op->getName().getStringRef());
  if (row == elementOps().end() || op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumOperands() > 3)
    return std::nullopt;
  const auto operand = elementTypeOf(op->getOperands().back().getType()),
             result = elementTypeOf(op->getResult(0).getType());
  if (!operand || !result) return std::nullopt;
  // The table's conversions saturate; --tile-expand-semantics writes the others out.
  if (auto convert = llvm::dyn_cast<tile::ConvertOp>(op); convert && convert.getOverflow() != tile::Overflow::Saturate)
    return std::nullopt;
  const ElementFunction function = row->second.select({*operand, *result, predicateOf(op)});
  if (!function) return std::nullopt;
  const bool small = *result == ElementType::F16 || *result == ElementType::BF16;
  return SelectedElementOp{function, row->second.rounds && small, row->second.counts};
}

llvm::LogicalResult runScalarOp(Execution& execution, mlir::Operation* op) {
  const auto selected = selectElementOp(op);
  if (!selected) return op->emitError() << "the interpreter does not define '" << op->getName() << "' on these types";
  ElementCall call;
  llvm::SmallVector<Scalar, 3> operands;
  for (mlir::Value operand : op->getOperands()) operands.push_back(execution.scalar(operand));
  for (auto [i, operand] : llvm::enumerate(operands)) call.in[i] = operand.bytes;
  Scalar result;
  result.type = *elementTypeOf(op->getResult(0).getType());
  call.out = result.bytes;
  call.count = 1;
  selected->function(call);
  if (selected->rounds) roundColumn(result.type, call.output<float>(), 1);
  if (llvm::any_of(operands, [](const Scalar& operand) { return operand.radius != 0; }))
    result.radius = radiusOfResult(*selected, operands, result.type);
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
