//===- Accesses.h - who touches which buffer -------------------------------===//
// What one tile operation reads and writes, and how its work is spread over teams: the input of barrier placement and
// of token waits.
#pragma once

#include "compiler/backends/lowering/BarrierPlacement.h"

#include "llvm/ADT/SmallVector.h"

namespace forerun::backends::accelerator {

/// How element-wise work over a window of this type is shared.
struct Split {
  bool byRows = true;
  std::int64_t rows = 1;      ///< product of all dimensions but the innermost (trailing unit dimensions moved out)
  std::int64_t columns = 1;   ///< innermost
  bool trailingUnit = false;  ///< innermost dimension has extent 1 and rows are walked as elements
  Partition partition() const { return byRows ? Partition::rows(rows) : Partition::columns(columns); }
};
Split splitFor(llvm::ArrayRef<std::int64_t> shape, unsigned teams);

/// Accesses of one operation, its regions excluded.
llvm::SmallVector<Access> accessesOf(mlir::Operation* op, unsigned teams);

/// True when a copy moves data between memories that only the DMA engine should connect (global on either side).
bool usesDma(tile::BufferType source, tile::BufferType destination);

/// True when a copy drains accumulators to scratch, which the matrix unit does on its way.
bool usesMatrixStore(tile::BufferType source, tile::BufferType destination);

}  // namespace forerun::backends::accelerator
