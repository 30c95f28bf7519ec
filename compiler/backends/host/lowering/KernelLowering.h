//===- KernelLowering.h - one tile kernel to a function of the CPU ----------===//
// One thread does what a core does, an operation after the other: loops that LLVM vectorises. Teams take turns.
#pragma once

#include "compiler/backends/host/Backend.h"
#include "compiler/backends/lowering/ReduceKinds.h"
#include "compiler/backends/lowering/Scalars.h"
#include "compiler/backends/lowering/Windows.h"
#include "targets/HostSpec.h"

#include <functional>
#include <optional>

namespace forerun::backends::host {

class KernelLowering {
 public:
  KernelLowering(tile::KernelOp kernel, const targets::HostSpec& target, Lowered& lowered);
  /// Emits the function `name` before the kernel. Failures have been reported at their operation.
  mlir::LogicalResult run(llvm::StringRef name);

 private:
  using Values = llvm::SmallVector<Value>;
  using Ranges = llvm::SmallVector<Range>;
  using Body = llvm::function_ref<Values(ValueRange inputs, ValueRange index)>;

  // KernelLowering.cpp: the walk.
  mlir::LogicalResult unsupported(mlir::Operation* op, const llvm::Twine& why);
  void emitEntry(llvm::StringRef name);
  mlir::LogicalResult emitBlock(mlir::Block& block);
  mlir::LogicalResult emitOperation(mlir::Operation* op);
  void emitAlloc(tile::AllocOp op);
  Value contextWord(std::int64_t word);
  /// Calls one of the functions of Abi.h.
  void callRuntime(llvm::StringRef function, ValueRange arguments, bool returns = true);
  Value stackWords(std::int64_t words);  ///< private to the function, for all of its run

  // Checks.cpp: what a run finds wrong.
  std::int64_t stopNumber(mlir::Operation* op, const llvm::Twine& text);
  void stopWhere(mlir::Operation* op, Value wrong, const llvm::Twine& text, Value value = Value());
  void checkElement(mlir::Operation* op, Value buffer, ValueRange indices);
  void checkSlice(tile::SliceOp op);

  // Elements.cpp: element-wise work, single elements.
  const Window& window(Value value) const { return windows_.at(value); }
  Value pointer(const Window& window, Value address);
  Value load(const Window& window, ValueRange indices);
  void store(const Window& window, ValueRange indices, Value value);
  /// Typed access to memory that is not a tile buffer's; no other access overlaps it.
  Value loadTemporary(mlir::Type type, Value byteOffset);
  void storeTemporary(Value value, Value byteOffset);
  void needTemporary(std::int64_t bytes) { temporaryBytes_ = std::max(temporaryBytes_, bytes); }
  void tag(mlir::Operation* access, const Buffer* buffer);
  /// body(index) in row-major order. `independent`: no iteration of the innermost loop depends on another.
  void forEach(llvm::ArrayRef<Range> ranges, bool independent, llvm::function_ref<void(ValueRange)> body);
  void independentLoop(Value low, Value high, llvm::function_ref<void(Value)> body);
  /// body(elements of the inputs, index) for all that is valid in all operands: tile.map's rule.
  void elementwise(llvm::ArrayRef<Window> inputs, llvm::ArrayRef<Window> outputs, Body body);
  /// The element of a window that may overhang a low edge, where there are zeros; `ranges`: what is valid.
  Value loadAboveLow(const Window& window, llvm::ArrayRef<Range> ranges, ValueRange indices);
  /// body(index, whether some input has no element there, below a low edge); `inputs`: what is valid of each, by
  /// dimension of the outputs.
  void forEachOutput(llvm::ArrayRef<Range> ranges, llvm::ArrayRef<Ranges> inputs,
                     llvm::function_ref<void(ValueRange, bool)> body);
  void limitByInput(Ranges& ranges, const Window& input, llvm::ArrayRef<std::int64_t> extents);
  void setValid(llvm::ArrayRef<Window> outputs, llvm::ArrayRef<Range> ranges);
  mlir::LogicalResult emitMap(tile::MapOp op);
  void emitMove(Value src, Value dst, llvm::ArrayRef<std::int64_t> permutation);
  void emitFill(tile::FillOp op);
  mlir::LogicalResult emitAtomic(mlir::Operation* op, Value buffer, ValueRange indices, tile::MemoryOrder order,
                                 llvm::function_ref<Value(Value address, mlir::LLVM::AtomicOrdering)> atomic);
  mlir::LogicalResult emitRmw(tile::AtomicRmwOp op);

  // Reduce.cpp, Scan.cpp
  /// `count` states of a reduction side by side in temporary memory.
  struct States {
    llvm::SmallVector<mlir::Type> types;  ///< of a state's values
    std::int64_t count = 0;
    std::int64_t bytes() const;
  };
  Values loadState(const States& states, Value number);
  void storeState(const States& states, ValueRange state, Value number);
  /// The state after `element`; sums and products of `order <any>` may be taken in any order.
  Values combine(const ReduceKind& kind, ValueRange state, Value element, Value index, bool anyOrder, bool roundEach);
  void emitReduce(tile::ReduceOp op);
  void reduceRows(tile::ReduceOp op, const ReduceKind& kind, llvm::ArrayRef<Range> ranges,
                  llvm::ArrayRef<Range> written);
  void reduceColumns(tile::ReduceOp op, const ReduceKind& kind, llvm::ArrayRef<Range> ranges,
                     llvm::ArrayRef<Range> written);
  void foldChains(const ReduceKind& kind, const States& chains, std::int64_t columns, bool roundEach);
  void storeReduced(tile::ReduceOp op, const ReduceKind& kind, ValueRange index, ValueRange state, bool roundEach);
  void emitScan(tile::ScanOp op);

  // Indexed.cpp
  void emitGather(tile::GatherOp op);
  void emitScatter(tile::ScatterOp op);
  void emitHistogram(tile::HistogramOp op);
  void emitOrdering(mlir::Operation* op, Value input, ValueRange outputs, std::int64_t dim, bool descending);

  // Products.cpp
  template <typename OpT>
  mlir::LogicalResult emitProduct(OpT op);
  void emitMicroTile(std::int64_t rows, Value row, Value column, const struct ProductPlan& plan);
  Value widened(const Window& window, ValueRange index, const struct ProductPlan& plan);
  Value vectorOf(Value scalar, std::int64_t lanes);

  // Teams.cpp: scopes, roles and what they wait for.
  mlir::LogicalResult emitExec(tile::ExecOp op);
  mlir::LogicalResult emitRoles(tile::RolesOp op);
  /// body(i) for 0 <= i < count, as functions that take turns where they wait.
  mlir::LogicalResult together(Value count, llvm::function_ref<mlir::LogicalResult(Value)> body);
  void wait(mlir::Operation* op, Value words, std::int64_t word, Value least, const llvm::Twine& text);
  void emitSync(tile::SyncOp op);
  void emitBarrierInit(tile::BarrierInitOp op);
  void emitBarrierArrive(tile::BarrierArriveOp op);
  void emitBarrierWait(tile::BarrierWaitOp op);
  void emitPipeline(tile::PipelineOp op);
  Value emitStage(mlir::Operation* op, Value pipeline, bool producer);
  void emitStageEnd(mlir::Operation* op, Value pipeline, bool producer);

  tile::KernelOp kernel_;
  const targets::HostSpec& target_;
  Lowered& lowered_;
  Emit b_;
  mlir::IRMapping map_;
  Scalars scalars_{b_, map_};
  Windows windows_{b_, map_};
  mlir::Operation* function_ = nullptr;  ///< being emitted
  mlir::Block* entry_ = nullptr;         ///< of that function
  Value context_;                        ///< pointer
  Value arena_;                          ///< pointer to on-chip memory
  Value temporary_;                      ///< pointer to memory that lasts for one operation
  Value teamId_;                         ///< i64; null outside `tile.exec team`
  std::int64_t teams_ = 1;               ///< of the core, or of the role
  Value laneId_;                         ///< i64; null outside `tile.exec lane`
  Value syncWords_;                      ///< inside `tile.exec team` whose teams take turns: arrivals at tile.sync
  std::int64_t temporaryBytes_ = 0;
  llvm::DenseMap<const Buffer*, Value> bases_;
  llvm::DenseMap<const Buffer*, Value> teamExtents_;       ///< of buffers that each team has: words of all teams
  llvm::DenseMap<const Buffer*, mlir::Attribute> scopes_;  ///< for alias analysis
  mlir::Attribute temporaryScope_;
  mlir::Attribute accessGroup_;  ///< of the innermost independent loop
};

}  // namespace forerun::backends::host
