//===- ReduceKinds.h - what each kind of reduction does to its state --------===//
// The state is one value (two for argmin and argmax) a lane; every step works on scalars and on scalable vectors alike.
#pragma once

#include "compiler/backends/lowering/Emit.h"
#include "compiler/dialect/TileOps.h"

namespace forerun::backends {

class ReduceKind {
 public:
  ReduceKind(tile::ReduceKind kind, mlir::Type input, mlir::Type output);

  explicit ReduceKind(tile::ReduceOp op);

  bool isIndex() const { return kind_ == tile::ReduceKind::ArgMin || kind_ == tile::ReduceKind::ArgMax; }
  bool inOrder() const { return inOrder_; }  ///< `order <tree>`, where that makes a difference
  unsigned stateSize() const { return isIndex() || nanWins() ? 2 : 1; }
  unsigned widestBits() const;
  /// f32 for f16 and bf16 results (one rounding at the end), else the result's type; of argmin and argmax the input's.
  mlir::Type accumulatorType() const { return accumulator_; }

  llvm::SmallVector<Value> initial(Emit& emit, const Lanes& lanes) const;
  Value widen(Emit& emit, const Lanes& lanes, Value element) const;  ///< input element -> accumulator type, exactly
  /// `index`: of the element, for argmin and argmax.
  llvm::SmallVector<Value> combine(Emit& emit, const Lanes& lanes, ValueRange state, Value element, Value index) const;
  /// Joins a value of the output's type; of argmin and argmax: refused by the dialect.
  llvm::SmallVector<Value> combineStored(Emit& emit, const Lanes& lanes, ValueRange state, Value stored) const;
  // One value a lane is enough where NaNs need not be told apart on the way (a scan, a scatter): not for argmin and
  // argmax.
  Value start(Emit& emit, const Lanes& lanes) const { return initial(emit, lanes)[0]; }
  Value join(Emit& emit, Value earlier, Value later) const;         ///< of accumulator type
  Value narrow(Emit& emit, const Lanes& lanes, Value value) const;  ///< accumulator type -> output's, one rounding

  llvm::SmallVector<Value> acrossLanes(Emit& emit, const Lanes& lanes, ValueRange state) const;
  Value result(Emit& emit, const Lanes& lanes, ValueRange state) const;  ///< of the output's type
  /// Indices of the elements of a strip: `first` + lane along the row, else `first` everywhere.
  Value laneIndices(Emit& emit, const Lanes& lanes, Value first, bool ascending) const;

 private:
  bool isFloat() const { return mlir::isa<mlir::FloatType>(accumulator_); }
  mlir::TypedAttr identity(Emit& emit) const;
  Value better(Emit& emit, const Lanes& lanes, Value candidate, Value best) const;
  bool nanWins() const;  ///< the state then has a second value, of magnitudeType
  mlir::Type magnitudeType(Emit& emit) const;
  Value productAcrossLanes(Emit& emit, const Lanes& lanes, Value vector) const;
  Value isNan(Emit& emit, Value value) const;

  tile::ReduceKind kind_;
  bool inOrder_ = false;
  mlir::Type input_, output_, accumulator_;
};

}  // namespace forerun::backends
