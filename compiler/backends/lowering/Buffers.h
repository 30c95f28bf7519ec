//===- Buffers.h - buffers and windows as lowering sees them ---------------===//
// Where a tile buffer lies, and what part of it a window names.
#pragma once

#include "compiler/dialect/TileOps.h"
#include "compiler/dialect/layout/Strides.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace forerun::backends {

/// A kernel argument or an allocation.
struct Buffer {
  unsigned id = 0;   ///< position in the list of the kernel's buffers
  mlir::Value root;  ///< the tile value
  tile::BufferType type;
  std::int64_t offset = -1;  ///< on chip: bytes from the base of its memory
  std::int64_t bytes = 0;    ///< on chip
  layout::Strides strides;   ///< on chip: where the elements lie
  /// Inside whose region it is allocated: of a team (or its lanes) or group, there are `copies`, one after the other.
  tile::Scope scope = tile::Scope::Core;
  std::int64_t copies = 1;
  bool leadingIndexed = false;  ///< some window is one whole leading index: valid extents are kept for each
  bool alwaysFull = false;      ///< on chip: no operation leaves it partly valid, so that no extents are kept
  bool partWritten = false;     ///< in regions of some teams only: `validWords` are where all see them
  bool shared = false;          ///< roles that run at the same time hand its leading indices to each other
  // Set while emitting:
  mlir::Value address;                         ///< i64, of element 0: bytes from where the back end counts
  llvm::SmallVector<mlir::Value> extents;      ///< i64
  llvm::SmallVector<mlir::Value> strideBytes;  ///< i64
  mlir::Value validWords;  ///< on chip: memory, private but for shared buffers, that holds the valid extents, `rank`
                           ///< words (for each leading index when `leadingIndexed`)

  bool onChip() const { return type.isOnChip(); }
  /// Of `validWords`.
  std::int64_t extentWords() const { return type.getRank() * (leadingIndexed ? type.getShape().front() : 1); }
};

/// What a buffer-typed value names.
struct Window {
  Buffer* buffer = nullptr;
  tile::BufferType type;
  mlir::Value address;  ///< i64, of the window's element 0; may lie outside the buffer when it overhangs
  llvm::SmallVector<mlir::Value> strideBytes;  ///< a window dimension; 0 of a packed type's innermost
  llvm::SmallVector<mlir::Value> extents;  ///< static extents of the window (run-time ones of a whole global buffer)
  llvm::SmallVector<mlir::Value> origins;  ///< in the buffer, a window dimension
  llvm::SmallVector<mlir::Value> droppedOrigins;
  bool whole = false;                         ///< the whole buffer
  mlir::Value leadingIndex;                   ///< set when it is one whole leading index
  bool filled = false;                        ///< valid extents are set already
  llvm::SmallVector<mlir::Value> globalHigh;  ///< of global windows: first index past the valid ones
  llvm::SmallVector<mlir::Value> globalLow;   ///< of global windows: null where the origin cannot be negative

  std::int64_t rank() const { return type.getRank(); }
  std::int64_t extent(std::int64_t dim) const { return type.getShape()[dim]; }
  /// Whether this input's dimension stands for every index of an output of these extents.
  bool broadcasts(llvm::ArrayRef<std::int64_t> outputExtents, std::int64_t dim) const {
    return extent(dim) == 1 && outputExtents[dim] != 1;
  }
};

/// Valid index range of a window, a dimension.
struct Range {
  mlir::Value low, high;
};

unsigned storageBytes(mlir::Type element);  ///< of one; i1 takes a byte, and so does a packed element that is alone
std::int64_t storageBytes(mlir::Type element, std::int64_t elements);  ///< of a row

/// The allocation or argument behind a buffer value.
mlir::Value rootOf(mlir::Value buffer);
bool isWholeOrLeadingIndex(mlir::Value buffer);

}  // namespace forerun::backends
