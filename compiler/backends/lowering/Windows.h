//===- Windows.h - addresses and valid extents ------------------------------===//
// What every back end does alike with the buffers of a kernel: lists and places them, follows windows, keeps valid
// extents in private words. Addresses are bytes from where the back end counts.
#pragma once

#include "compiler/backends/lowering/Buffers.h"
#include "compiler/backends/lowering/Emit.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"

#include <memory>
#include <vector>

namespace forerun::backends {

class Windows {
 public:
  /// Reports an operation that the back end does not take.
  using Unsupported = llvm::function_ref<mlir::LogicalResult(mlir::Operation*, const llvm::Twine&)>;
  /// The target's axes, for elements of this many bits.
  using Axes = llvm::function_ref<layout::AxisSet(unsigned elementBits)>;
  struct Needs {
    std::int64_t scratchBytes = 0, accBytes = 0;
  };

  /// `scalars`: the values that emitted code has for the kernel's scalars.
  Windows(Emit& b, const mlir::IRMapping& scalars) : b_(b), scalars_(scalars) {}

  // Before emission.
  /// Lists arguments and allocations; `teams`, `groups`: copies of what is allocated inside `tile.exec team`, `group`.
  /// Layouts are checked. Buffers in `reg` are refused unless `takesReg`.
  mlir::LogicalResult collect(tile::KernelOp kernel, unsigned teams, unsigned groups, Axes axes,
                              Unsupported unsupported, bool takesReg = false);
  /// Fixes on-chip offsets: buffers of a region stack on those of the regions around it, so siblings share bytes
  /// unless they run at the same time.
  Needs place(mlir::Region& region);
  /// The error when a memory is too small, with the buffer that takes most of it.
  mlir::LogicalResult requireSpace(tile::KernelOp kernel, tile::Space space, std::int64_t neededBytes,
                                   std::int64_t hasBytes, llvm::StringRef memory, llvm::StringRef target);
  llvm::ArrayRef<std::unique_ptr<Buffer>> buffers() const { return buffers_; }
  Buffer* buffer(Value root) const { return bufferOf_.lookup(root); }
  /// Whether two roots share bytes: equal, or placed over one another.
  bool overlap(Value a, Value b) const;

  // While emitting.
  /// Words for the valid extents of on-chip buffers, at the insertion point (the function's entry).
  void allocateExtents();
  /// Extents from the type where none are set, and strides: the layout's, row-major in global memory. Moves the address
  /// from where the buffer begins to element 0.
  void setStrides(Buffer& buffer);
  /// The whole buffer as a window; its address, extents and strides are set.
  void define(Buffer& buffer);
  void slice(tile::SliceOp op);
  const Window& at(Value value) const { return windows_.find(value)->second; }
  llvm::SmallVector<Range> validRanges(const Window& window);
  /// Where a write to the window may put elements: all of a whole on-chip buffer (or leading index), else what is
  /// valid.
  llvm::SmallVector<Range> writableRanges(const Window& window);
  void setValid(const Window& window, ValueRange extents);
  /// Of those who execute what is emitted from now on, who writes the words of `partWritten` buffers; null: all.
  void setWriter(Value isWriter) { isWriter_ = isWriter; }
  /// What an element-wise operation covers, by dimension of the outputs, and gives to the outputs as valid extents.
  /// Input dimensions that broadcast do not limit it unless they are empty; nor does what a whole output held before.
  /// `limits`, where given, do.
  llvm::SmallVector<Range> elementwiseRanges(llvm::ArrayRef<Window> inputs, llvm::ArrayRef<Window> outputs,
                                             llvm::ArrayRef<Range> limits = {});
  /// `high`, or 0 where `count` elements, which an operand repeats along a dimension, are none.
  Value whereAny(Value count, Value high);
  Value elementAddress(const Window& window, ValueRange indices);

 private:
  Emit& b_;
  const mlir::IRMapping& scalars_;
  Value isWriter_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  llvm::DenseMap<Value, Buffer*> bufferOf_;
  llvm::DenseMap<Value, Window> windows_;
};

}  // namespace forerun::backends
