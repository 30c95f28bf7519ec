//===- View.h - a window of a buffer ----------------------------------------===//
// What buffer values are at run time: a storage, an origin, extents, and the box that enclosing windows leave.
#pragma once

#include "compiler/interpreter/Storage.h"

#include <memory>

namespace forerun::interpreter {

/// Indices low <= i < high of one window dimension; empty when high <= low.
struct Range {
  std::int64_t low = 0, high = 0;
  std::int64_t size() const { return high > low ? high - low : 0; }
};

struct View {
  std::shared_ptr<Storage> storage;
  Index origin, extent;  ///< of every storage dimension; extent is 1 in dropped ones
  Index low, high;       ///< storage coordinates that windows around this one leave: low <= x < high
  unsigned dropped = 0;  ///< leading storage dimensions that the window's type does not have

  /// All of a storage.
  static View of(std::shared_ptr<Storage> storage);
  /// A window of this one: `origins` an entry a dimension of this view, `extents` of the result (its leading dimensions
  /// may be missing).
  View slice(llvm::ArrayRef<std::int64_t> origins, llvm::ArrayRef<std::int64_t> extents) const;

  unsigned rank() const { return static_cast<unsigned>(extent.size()) - dropped; }
  std::int64_t extentOf(unsigned d) const { return extent[dropped + d]; }
  std::int64_t stride(unsigned d) const { return storage->stride(dropped + d); }
  /// Linear storage index of the window's element (0, 0, ...); may lie outside the storage when the window overhangs.
  std::int64_t base() const;
  bool isGlobal() const { return storage->space == Space::Global; }

  /// What can be read: window and storage's valid extents intersected. All empty when a dropped dimension is outside.
  llvm::SmallVector<Range, 4> validRanges() const;
  /// What can be written: inside the storage.
  llvm::SmallVector<Range, 4> boundRanges() const;
  /// True when each dimension lies inside the storage.
  bool isInside() const;

  /// After a write of [0, extents): sets the valid extents when this is a whole on-chip buffer or one leading index of
  /// it.
  void setValid(llvm::ArrayRef<std::int64_t> extents) const;

  /// True when the boxes of the two windows share an element of one storage.
  bool overlaps(const View& other) const;

 private:
  llvm::SmallVector<Range, 4> clamp(llvm::ArrayRef<std::int64_t> limits) const;
  Index prefix() const;
};

}  // namespace forerun::interpreter
