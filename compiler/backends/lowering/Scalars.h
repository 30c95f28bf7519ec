//===- Scalars.h - scalar code and control flow of a kernel -----------------===//
// What every back end does alike with arith, math and scf: operations are cloned onto emitted values, on scalars or on
// vectors of lanes; index is i64.
#pragma once

#include "compiler/backends/lowering/Emit.h"

#include "mlir/IR/IRMapping.h"

namespace forerun::backends {

/// index and the tile dialect's handles (tokens, barriers) are i64; 8-bit floats are their bits.
mlir::Type scalarType(mlir::Type type);

/// Operations that LLVM's back ends have instructions for, on scalars and on scalable vectors; LLVM aborts or calls a
/// library for others.
bool hasInstruction(mlir::Operation& op);

/// The operation on emitted operands; index casts become extensions and truncations.
mlir::SmallVector<Value> cloneOperation(Emit& emit, mlir::Operation* op, ValueRange operands, const Lanes& lanes);

/// A constant as its `scalarType`.
mlir::TypedAttr constantValue(mlir::TypedAttr value);

/// `tile.cast` of one value or of lanes. Conversions that LLVM rounds twice on the target are the caller's to refuse.
Value convert(Emit& emit, const Lanes& lanes, Value value, mlir::Type from, mlir::Type to);

/// Scalars and control flow of one kernel, onto the values in a map.
class Scalars {
 public:
  using EmitBlock = llvm::function_ref<mlir::LogicalResult(mlir::Block&)>;  ///< all but the terminator

  Scalars(Emit& b, mlir::IRMapping& map) : b_(b), map_(map) {}

  Value value(Value of) const { return map_.lookup(of); }
  mlir::SmallVector<Value> values(ValueRange of) const;
  /// A scalar argument of the kernel from its 64-bit word of the launch.
  void argument(mlir::BlockArgument argument, Value word);
  /// What the body of a map, checked for `hasInstruction`, yields for one element: `arguments` are its inputs, `index`
  /// where it is.
  mlir::SmallVector<Value> mapBody(mlir::Block& body, ValueRange arguments, ValueRange index);
  /// False, with nothing emitted, for an operation that is not of arith or math or has no instruction.
  bool emit(mlir::Operation* op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op, EmitBlock body);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op, EmitBlock body);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op, EmitBlock body);

 private:
  Emit& b_;
  mlir::IRMapping& map_;
};

}  // namespace forerun::backends
