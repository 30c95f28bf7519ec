//===- Handlers.h - one function an operation -------------------------------===//
// The groups of handlers, as an explicit list; arith and math operations have one handler for all (ScalarHandlers).
#pragma once

#include "compiler/interpreter/Execution.h"
#include "compiler/interpreter/Reduce.h"

#include "llvm/ADT/StringMap.h"

namespace forerun::interpreter {

using OpHandler = llvm::LogicalResult (*)(Execution&, mlir::Operation*);
using HandlerTable = llvm::StringMap<OpHandler>;

/// Adds rows; duplicates are errors (asserted).
void addMemoryHandlers(HandlerTable& table);
void addComputeHandlers(HandlerTable& table);
void addCollectHandlers(HandlerTable& table);
void addAtomicHandlers(HandlerTable& table);
void addOrderHandlers(HandlerTable& table);
void addControlHandlers(HandlerTable& table);
void addStructureHandlers(HandlerTable& table);
void addScopeHandlers(HandlerTable& table);
void addRoleHandlers(HandlerTable& table);

void addHandler(HandlerTable& table, llvm::StringRef name, OpHandler handler);

/// Handler of arith, math and tile.convert operations on scalars.
llvm::LogicalResult runScalarOp(Execution& execution, mlir::Operation* op);
llvm::LogicalResult runConstant(Execution& execution, mlir::Operation* op);

ReduceKind kindOf(tile::ReduceKind kind);

/// Linear storage index of an element, whose box is appended to `box`, or nothing after a diagnostic.
std::optional<std::int64_t> elementAt(Execution& execution, mlir::Operation* op, const View& view,
                                      mlir::ValueRange indices, llvm::SmallVectorImpl<Range>& box);

/// Value of an arith.constant of scalar type.
std::optional<Scalar> scalarOfAttribute(mlir::Attribute attribute, mlir::Type type);

/// The row of the element-wise table for an operation with its types, or nothing.
struct SelectedElementOp {
  ElementFunction function = nullptr;
  bool rounds = false, counts = true;
};
std::optional<SelectedElementOp> selectElementOp(mlir::Operation* op);

/// `op` takes the tokens: their operations are no longer in flight. An error when one was taken before.
llvm::LogicalResult completeTokens(Execution& execution, mlir::Operation* op, mlir::ValueRange tokens);

/// Wraps a function that takes the op class.
template <typename Op, llvm::LogicalResult (*function)(Execution&, Op)>
llvm::LogicalResult handler(Execution& execution, mlir::Operation* op) {
  return function(execution, llvm::cast<Op>(op));
}

}  // namespace forerun::interpreter
