//===- Strips.h - how element-wise work is cut for the vector unit ---------===//
// A walk handles several strips side by side, so that one waits for its results while another keeps the unit busy.
#pragma once

#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/lowering/Buffers.h"
#include "compiler/backends/lowering/Emit.h"
#include "compiler/backends/lowering/ReduceKinds.h"

#include <functional>

namespace forerun::backends::accelerator {

/// What the code for one element asks of the vector unit.
struct Shape {
  unsigned widestBits = 8;
  unsigned liveValues = 2;  ///< vectors that a strip holds at once, at most
  unsigned constants = 0;   ///< vectors of constants that all strips share
  bool folds = false;       ///< a row's lanes are combined at its end, which takes long
  bool vectorizable = true;
  unsigned scalarsAtOnce = 1;         ///< elements that scalar code loads before it uses the first; without folds
  bool half = false, bfloat = false;  ///< element types that not every vector unit has

  void note(mlir::Type element);  ///< an element type that is loaded, stored or computed
};

/// One strip: neighbouring elements of a row.
struct Piece {
  llvm::SmallVector<Value> values;    ///< an input; a scalar where the input has one element for the whole row
  llvm::SmallVector<Value> position;  ///< i64 a dimension of the window: of the first element
  unsigned inner = 0;                 ///< dimension along which lanes run
  Value length;                       ///< i32: lanes that count; null = all
};

/// Computes the outputs of all pieces, a list for each piece; an output may be a scalar, the same for all lanes.
using Body = std::function<llvm::SmallVector<llvm::SmallVector<Value>>(const Lanes&, llvm::ArrayRef<Piece>)>;

/// Folds output `value` of a body along its row into an element of `out`.
struct Fold {
  ReduceKind kind;
  unsigned value = 0;
  Window out;
  bool accumulate = false;  ///< the old element joins last
};

/// Strips of one step: `rows` x `columns` of them, each `lanes` wide. More than one column needs a rest loop, whose
/// strips are `columns` times as wide.
struct StripPlan {
  Lanes lanes;
  unsigned rows = 1, columns = 1;
  Lanes rest() const { return Lanes{lanes.perGranule * columns}; }
};

/// A team's `rows` rows of `columns` elements.
StripPlan planStrips(const Shape& shape, const ComputeTeams& teams, std::int64_t columns, std::int64_t rows);

}  // namespace forerun::backends::accelerator
