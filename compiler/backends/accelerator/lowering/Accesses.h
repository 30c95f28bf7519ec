//===- Accesses.h - who touches which buffer -------------------------------===//
// What one tile operation reads and writes, and how its work is spread over teams: the input of barrier placement and
// of token waits.
#pragma once

#include "compiler/backends/lowering/BarrierPlacement.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace forerun::backends::accelerator {

/// How element-wise work over a window is shared, and along which dimension lanes run.
struct Split {
  enum Kind {
    Rows,     ///< lanes along the innermost dimension, teams share the others' positions
    Columns,  ///< lanes along the innermost dimension, which teams share
    Strided,  ///< of two dimensions: lanes along the outer one, which teams share
  };
  Kind kind = Rows;
  std::int64_t rank = 1;
  std::int64_t rows = 1;     ///< product of all dimensions but the innermost
  std::int64_t columns = 1;  ///< innermost
  std::int64_t lane() const { return kind == Strided ? rank - 2 : rank - 1; }
  bool sharesLanes() const { return kind != Rows; }
  std::int64_t granule() const { return kind == Columns ? 64 : 1; }  ///< of a share of the lanes
  Partition partition() const { return kind == Columns ? Partition::columns(columns) : Partition::rows(rows); }
};
Split splitFor(llvm::ArrayRef<std::int64_t> shape, unsigned teams);
/// As the operation's variant asks.
Split splitOf(mlir::Operation* op, llvm::ArrayRef<std::int64_t> shape, unsigned teams);

/// How an operation along lines, elements that differ in the dimensions `dims` alone, walks a window.
struct LineWalk {
  bool along = true;         ///< lanes run along a line and are combined, teams share lines; else each lane has a line
  std::int64_t lane = 0;     ///< dimension along which lanes run
  std::int64_t granule = 1;  ///< of a team's share of the lanes, where each has a line
  Partition partition = Partition::mixed();
};
/// `along` must be true where there is one line.
LineWalk lineWalk(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> dims, bool along);
/// As the operation's variant asks; else along lines whose elements are neighbours.
LineWalk lineWalkOf(mlir::Operation* op, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> dims);

/// Accesses of one operation, its regions excluded.
llvm::SmallVector<Access> accessesOf(mlir::Operation* op, unsigned teams);

/// How many teams execute `op` together, of `coreTeams` that make up groups of `groupTeams`.
unsigned teamsTogether(mlir::Operation* op, unsigned coreTeams, unsigned groupTeams);

}  // namespace forerun::backends::accelerator
