//===- KernelLowering.h - one tile kernel to the threads of a CTA -----------===//
// Every thread runs the same code: scalars are computed by each, elements of whole-tile operations are shared out.
#pragma once

#include "compiler/backends/lowering/BarrierPlacement.h"
#include "compiler/backends/lowering/Scalars.h"
#include "compiler/backends/lowering/Windows.h"
#include "targets/GpuSpec.h"

#include <functional>

namespace forerun::backends::nvptx {

class KernelLowering {
 public:
  KernelLowering(tile::KernelOp kernel, const targets::GpuSpec& target);
  /// Emits the entry `name` before the kernel; `shared` is the module's array of dynamic shared memory. Failures have
  /// been reported at their operation.
  mlir::LogicalResult run(llvm::StringRef name, mlir::LLVM::GlobalOp shared);

 private:
  /// Who executes the operations being emitted: the threads of a CTA, or those of a warp (then `warps` is 1).
  struct Scope {
    Value thread;  ///< i64, within the scope
    std::int64_t threads = 0;
    Value warp;  ///< i64, within the scope
    std::int64_t warps = 0;
  };
  /// An accumulator in the registers of the scope that allocated it: see Fragments.cpp.
  struct Fragments {
    Value storage;                       ///< private f32 words that LLVM turns into registers
    std::int64_t rows = 0, columns = 0;  ///< of fragments
    std::int64_t warps = 0, perWarp = 0;
  };
  using Body = std::function<llvm::SmallVector<Value>(ValueRange inputs, ValueRange index)>;

  // KernelLowering.cpp: the walk.
  mlir::LogicalResult unsupported(mlir::Operation* op, const llvm::Twine& why);
  void emitEntry(llvm::StringRef name, std::int64_t sharedBytes, mlir::LLVM::GlobalOp shared);
  mlir::LogicalResult emitBlock(mlir::Block& block);
  mlir::LogicalResult emitOperation(mlir::Operation* op);
  mlir::LogicalResult emitExec(tile::ExecOp op);
  mlir::LogicalResult emitAlloc(tile::AllocOp op);
  void barrier();

  // Elements.cpp: element-wise work, single elements.
  void elementwise(llvm::ArrayRef<Window> inputs, llvm::ArrayRef<Window> outputs, const Body& body);
  /// body(index) for every element of this thread's share whose index lies in the ranges.
  void forEachElement(llvm::ArrayRef<std::int64_t> extents, llvm::ArrayRef<Range> ranges,
                      llvm::function_ref<void(ValueRange)> body);
  /// body(address in `from`, address in `to`) for every element of this thread's share of a copy.
  void forEachCopied(const Window& from, const Window& to, llvm::function_ref<void(Value, Value)> body);
  mlir::LogicalResult emitMap(tile::MapOp op);
  mlir::LogicalResult emitFill(tile::FillOp op);
  mlir::LogicalResult emitCopy(mlir::Operation* op, Value src, Value dst);
  mlir::LogicalResult emitCopyAsync(tile::CopyAsyncOp op);
  void emitWait(tile::WaitOp op);
  mlir::LogicalResult checkConversion(mlir::Operation* op, mlir::Type from, mlir::Type to);
  Value pointer(const Window& window, Value address);
  Value load(const Window& window, Value address);
  void store(const Window& window, Value address, Value value);

  // Fragments.cpp: accumulators and matrix products.
  mlir::LogicalResult allocateFragments(tile::AllocOp op, const Buffer& buffer);
  /// The fragments behind a buffer value, or null after a diagnostic at `op`.
  const Fragments* fragmentsOf(mlir::Operation* op, Value acc);
  /// body(number of the fragment in its warp, row and column of its first element), for each that this warp holds.
  void forEachFragment(const Fragments& fragments, llvm::function_ref<void(std::int64_t, Value, Value)> body);
  Value fragmentWord(const Fragments& fragments, std::int64_t fragment, std::int64_t element);  ///< its pointer
  /// Row and column of element `element` of a fragment that begins at (row, column).
  std::pair<Value, Value> elementPosition(Value row, Value column, std::int64_t element);
  mlir::LogicalResult emitFragmentFill(tile::FillOp op);
  mlir::LogicalResult emitFragmentCopy(mlir::Operation* op, Value src, Value dst);
  mlir::LogicalResult emitMatmul(tile::MatmulOp op);
  mlir::LogicalResult emitMatmul(tile::MatmulAsyncOp op);
  template <typename Op>
  mlir::LogicalResult emitProduct(Op op);

  tile::KernelOp kernel_;
  const targets::GpuSpec& target_;
  Emit b_;
  mlir::IRMapping map_;
  Scalars scalars_{b_, map_};
  Windows windows_{b_, map_};
  BarrierPlan barriers_;
  Scope scope_, cta_;
  Value lane_;    ///< i64, within its warp
  Value shared_;  ///< pointer to dynamic shared memory
  llvm::DenseMap<const Buffer*, Value> bases_;
  llvm::DenseMap<const Buffer*, Fragments> fragments_;
  mlir::Block* entry_ = nullptr;
};

}  // namespace forerun::backends::nvptx
