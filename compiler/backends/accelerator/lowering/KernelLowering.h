//===- KernelLowering.h - one tile kernel to xfr, scf, arith and llvm ------===//
// Holds what lowering knows while it walks a kernel; the groups of operations are implemented in files of their own.
#pragma once

#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/accelerator/lowering/Accesses.h"
#include "compiler/backends/accelerator/lowering/IndexRanges.h"
#include "compiler/backends/accelerator/lowering/Strips.h"
#include "compiler/backends/lowering/Scalars.h"
#include "compiler/backends/lowering/Windows.h"
#include "compiler/dialect/TileOps.h"
#include "targets/TargetSpec.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/UniqueVector.h"

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace forerun::backends::accelerator {

/// Addresses of a core's own memories: docs/machine-contract.md.
inline constexpr std::int64_t kScratchBase = 0x10000000, kAccBase = 0x20000000;

/// What the kernels of a module need of a target beyond its harts.
struct EngineNeeds {
  bool dma = false, matrix = false;
  std::set<std::string> matrixTypes;
  std::int64_t scratchBytes = 0, accBytes = 0;
  unsigned teams = 1;
};

/// Texts of all kernels of a module, equal ones once; a text's number is its place from 0.
class NumberedTexts {
 public:
  std::int64_t number(const std::string& text) { return static_cast<std::int64_t>(texts_.insert(text)) - 1; }
  std::vector<std::string> all() const { return {texts_.begin(), texts_.end()}; }

 private:
  llvm::UniqueVector<std::string> texts_;
};

/// What a program says at run time.
struct ProgramTexts {
  NumberedTexts checks;  ///< of checks that fail
  NumberedTexts marks;   ///< names of profiled regions
};

/// A command that may still run when its work item ends, and what it touches.
struct Carried {
  llvm::SmallVector<mlir::Value> reads, writes;  ///< roots
  llvm::SmallVector<int> queues;                 ///< see KernelLowering::Pending
  bool operator==(const Carried&) const = default;
};

/// The part of a kernel that one of its roles executes (Roles.h): which teams do, and what was fixed for all parts.
struct RolePart {
  unsigned number = 0, roles = 1;  ///< of the role, counted from 0, and how many there are
  ComputeTeams teams;
  Windows::Needs memory;                      ///< of the whole kernel
  llvm::ArrayRef<unsigned> pipelineBarriers;  ///< first barrier of each pipeline, in the order of the kernel
};

/// How an operation along lines (elements that differ in one dimension) walks a window.
struct LinePlan {
  bool alongLine = false;  ///< lanes run along the line, lines are shared; else across lines, lanes are shared
  std::int64_t lane = 0;   ///< dimension along which lanes run
  llvm::SmallVector<std::int64_t> others;  ///< dimensions that number lines, that of the lanes excepted
  Value columnLow, columnHigh;             ///< this team's lanes, where they run across lines
};

class KernelLowering {
 public:
  /// `carried`: commands that a work item leaves behind for the next one to wait for where it must, as an earlier
  /// lowering of the same kernel found them. `part`: null for a kernel without roles.
  KernelLowering(tile::KernelOp kernel, const targets::TargetSpec& target, EngineNeeds& needs, ProgramTexts& texts,
                 llvm::ArrayRef<Carried> carried = {}, const RolePart* part = nullptr);
  /// Emits the entry function `name` before the kernel. Failures have been reported at their operation.
  mlir::LogicalResult run(llvm::StringRef name);
  llvm::ArrayRef<Carried> leftBehind() const { return leftBehind_; }
  mlir::Operation* function() const { return function_; }
  /// Instead of `run`, for a kernel with roles: fixes the places of its buffers for the lowering of every role.
  mlir::LogicalResult planRoles(tile::RolesOp roles, Windows::Needs& memory);
  /// After the run that is kept: harts that do not compute leave before they enter the function. Code for harts with a
  /// vector unit may use it anywhere, spills in the prologue included.
  void guardEntry();

 private:
  /// Who executes the operations being emitted.
  struct Scope {
    Value teamId;          ///< i64, within the computing teams of the core, the role or the group
    Value coreTeam;        ///< the same within the core or role
    unsigned teams = 1;    ///< that share element-wise work
    Value isLeader;        ///< null: every executing hart issues commands (a scope of one team)
    unsigned joined = 1;   ///< teams that meet at `barrier`
    Value barrier;         ///< number of it
    bool allTeams = true;  ///< all teams that `barrier` joins execute the region
    Value group, laneId;   ///< i64, where there is one
  };
  /// A command issued and not waited for yet; the operations behind it may not be disturbed.
  struct Pending {
    Value token;
    llvm::SmallVector<mlir::Value> reads, writes;  ///< roots
    llvm::SmallVector<int> queues;    ///< later commands of these start only after it; its own queue comes first
    bool covered = false;             ///< a later command completes only after it
    Value by;                         ///< that command's token
    mlir::Operation* from = nullptr;  ///< where it became pending; null when it did before this region
    bool carried = false;             ///< left behind by the last work item
  };
  /// What may still run at the end of a loop or branch, behind a command whose token is its result `result`.
  struct Left {
    Pending pending;
    unsigned result;
  };
  static constexpr int kNoQueue = -1, kMatrixQueue = -2;  ///< DMA queues count from 0
  struct Descriptor {
    unsigned number = 0;
    bool shared = false;  ///< reused by other sites: every field is set at every use
  };
  struct Field {
    unsigned field;
    Value value;
  };

  // KernelLowering.cpp: the walk.
  mlir::LogicalResult collectBuffers();
  mlir::LogicalResult placeBuffers();
  mlir::LogicalResult requireMemory(const Windows::Needs& memory);
  void findAlwaysFull();
  mlir::LogicalResult findPartWritten();
  mlir::LogicalResult emitEntry(llvm::StringRef name);
  void emitArguments(Value argumentBlock);
  mlir::LogicalResult emitBlock(mlir::Block& block);
  /// With a pending list of its own; all is waited for but what is appended to `left`.
  mlir::LogicalResult emitRegionBody(mlir::Block& block, llvm::SmallVectorImpl<Left>& left);
  mlir::LogicalResult emitOperation(mlir::Operation* op);
  mlir::LogicalResult emitCopy(mlir::Operation* op, Value src, Value dst);
  mlir::LogicalResult emitScalar(mlir::Operation* op);
  Value scalar(Value value) const { return scalars_.value(value); }
  mlir::LogicalResult unsupported(mlir::Operation* op, const llvm::Twine& why);

  // KernelElements.cpp: allocations and single elements.
  void emitAlloc(tile::AllocOp op);
  const Window& window(Value value) const { return windows_.at(value); }
  bool rotates(Value root) const;  ///< alternate work items use different bytes for it
  Value loadElement(Value address, mlir::Type element);
  void storeElement(Value value, Value address);
  mlir::LogicalResult emitLoad(tile::LoadOp op);
  mlir::LogicalResult emitStore(tile::StoreOp op);

  // Scopes.cpp: regions of units.
  std::int64_t lanes() const;
  std::int64_t teamsPerGroup() const { return target_.computingTeamsPerGroup(); }
  std::int64_t groups() const { return teams_.count == 0 ? 1 : teams_.count / teamsPerGroup(); }
  unsigned teamsTogether(mlir::Operation* op) const;
  void placeBarriersOfScopes();
  mlir::LogicalResult reserveGroupBarriers();
  mlir::LogicalResult emitExec(tile::ExecOp op);
  mlir::LogicalResult emitTeams(tile::ExecOp op);
  mlir::LogicalResult emitGroups(tile::ExecOp op);
  mlir::LogicalResult emitLanes(tile::ExecOp op);
  mlir::LogicalResult emitCores(tile::ExecOp op);
  mlir::LogicalResult emitSync(tile::SyncOp sync);
  void enter(const Scope& scope);
  /// The region in `scope`, by those for whom `inside` (null: all).
  mlir::LogicalResult emitInside(Value inside, const Scope& scope, mlir::Block& body);
  mlir::LogicalResult emitInside(Value inside, const Scope& scope, llvm::function_ref<mlir::LogicalResult()> body);
  llvm::SmallVector<Value> boundsOf(tile::ExecOp op);  ///< low and high of the range; empty without one
  /// Refuses a range that is seen to reach past the `count` units that there are: "the cores".
  mlir::LogicalResult checkRange(tile::ExecOp op, std::int64_t count, const llvm::Twine& what);
  Value isAmong(Value unit, Value low, Value high, std::int64_t step);
  /// Whether `unit` is in the range (null: all are), checked as above.
  mlir::FailureOr<Value> insideRange(tile::ExecOp op, Value unit, std::int64_t count, const llvm::Twine& what);
  /// All teams of the cores of a cluster or the chip.
  void meetCores(bool cluster);
  /// Work items of the launch, one a core; this core, and the first and one past the last of those that meet.
  struct Cores {
    Value items, own, first, end;
  };
  Cores coresOf(bool cluster);

  // Checks.cpp: what a run finds wrong.
  /// Stops the program where `wrong`; `text` is what the message says, with `value` in place of "{value}".
  void stopWhere(Value wrong, const llvm::Twine& text, Value value);
  void checkElement(mlir::Operation* op, Value buffer, ValueRange indices);
  void checkSlice(tile::SliceOp op);

  // Ordering.cpp: tokens, barriers, scopes.
  void barrier();
  void leader(llvm::function_ref<void()> body);
  Value leaderToken(llvm::function_ref<Value()> body);
  /// Makes sure that what conflicts with `accesses` is complete before the operation about to be emitted, or the next
  /// command of `queue`, touches it. Returns up to `tokens` tokens for the command's `after` operands.
  llvm::SmallVector<Value> settle(llvm::ArrayRef<Access> accesses, int queue = kNoQueue, unsigned tokens = 0);
  void settleBeforeRegion(mlir::Operation* op);
  bool conflicts(const Pending& pending, llvm::ArrayRef<Access> accesses) const;
  bool supersedes(const Pending& later, const Pending& earlier) const;
  void addPending(mlir::Operation* from, Value token, llvm::ArrayRef<Access> accesses, int queue);
  void coverWith(Value token, int queue);  ///< tells what the last `settle` covered which command does
  bool disturbs(const Pending& pending, mlir::Operation* op);
  void leaveRegion(mlir::Block& block, llvm::SmallVectorImpl<Left>& left);
  mlir::LogicalResult inherit(mlir::Operation* op, mlir::LogicalResult emitted, llvm::ArrayRef<Left> left);
  int queueOf(mlir::Operation* op);      ///< that executes it, or kNoQueue
  int dmaQueueFor(mlir::Operation* op);  ///< by buffer, so that copies into one buffer keep their order
  void leaveBehind();
  void flushPending();  ///< waits for all that is pending
  void waitFor(llvm::ArrayRef<Value> tokens);
  mlir::LogicalResult emitWait(tile::WaitOp op);

  // Commands.cpp: descriptors and DMA.
  Descriptor newDescriptor();
  void setDescriptor(const Descriptor& descriptor, llvm::ArrayRef<Field> fields);
  mlir::LogicalResult emitDmaCopy(mlir::Operation* op, Value src, Value dst, llvm::ArrayRef<std::int64_t> permutation);
  mlir::LogicalResult emitDmaFill(tile::FillOp op);
  mlir::LogicalResult emitDmaGather(tile::GatherOp op);

  // MatrixUnit.cpp, VectorProduct.cpp
  template <typename OpT>
  mlir::LogicalResult emitProduct(OpT op);
  mlir::LogicalResult emitVectorProduct(mlir::Operation* op, Value a, Value b, Value acc, Value accumulateIf,
                                        bool accumulate, bool transposeA, bool transposeB);
  mlir::LogicalResult emitMatmul(mlir::Operation* op, Value a, Value b, Value acc, Value accumulateIf, bool accumulate,
                                 bool transposeA, bool transposeB);

  mlir::LogicalResult emitMatrixStore(mlir::Operation* op, Value src, Value dst);

  // Lines.cpp
  /// Address of the window's element at `position`; null indices and dimensions of extent 1 count as 0.
  Value lineAddress(const Window& window, llvm::ArrayRef<Value> position);
  /// Calls `body` for each index of the dimensions `dims` that lies in `ranges`, the others null; `shared`: for this
  /// team's part of them.
  void forEachPosition(const Window& window, llvm::ArrayRef<std::int64_t> dims, llvm::ArrayRef<Range> ranges,
                       bool shared, llvm::function_ref<void(llvm::SmallVector<Value>)> body);
  LinePlan planLines(mlir::Operation* op, const Window& window, std::int64_t dim, llvm::ArrayRef<Range> ranges);
  /// Calls `body` with the first column and the length (null: one) of each strip of this team's columns.
  void forEachColumnStrip(const LinePlan& plan, const Lanes& lanes, llvm::function_ref<void(Value, Value)> body);

  // Scan.cpp, IndexedMoves.cpp, Sorting.cpp
  mlir::LogicalResult emitScan(tile::ScanOp op);
  mlir::LogicalResult emitGather(tile::GatherOp op);
  mlir::LogicalResult emitScatter(tile::ScatterOp op);
  mlir::LogicalResult emitHistogram(tile::HistogramOp op);
  mlir::LogicalResult emitSort(tile::SortOp op);
  mlir::LogicalResult emitTopk(tile::TopkOp op);
  Value indexWithin(const Lanes& width, Value index, const Range& range);  ///< i64
  /// base + the sum of index * strideBytes over the terms, a pointer a lane.
  Value lanePointers(const Lanes& lanes, Value base, llvm::ArrayRef<std::pair<Value, Value>> terms);
  Value gatherLanes(const Lanes& lanes, Value pointers, mlir::Type bits, Value mask, Value length);
  void scatterLanes(const Lanes& lanes, Value value, Value pointers, Value mask, Value length);

  // Atomics.cpp
  template <typename OpT>
  mlir::LogicalResult emitAtomic(OpT op, llvm::function_ref<Value(Value)> atomic);
  mlir::LogicalResult emitAtomicRmw(tile::AtomicRmwOp op);
  mlir::LogicalResult emitCas(tile::CasOp op);

  // Elementwise.cpp
  /// Walks all elements of the outputs (without outputs: of the first input); what is folded, is folded along rows,
  /// which teams then share. `limits`, where given and not null, bound the outputs' indices as inputs do.
  void elementwise(llvm::ArrayRef<Window> inputs, llvm::ArrayRef<Window> outputs, const Split& split,
                   const Shape& shape, const Body& body, llvm::ArrayRef<Fold> folds = {},
                   llvm::ArrayRef<Range> limits = {});
  Value loadLanes(const Lanes& lanes, Value address, Value strideBytes, mlir::Type element, Value lengths);
  void storeLanes(const Lanes& lanes, Value value, Value address, Value strideBytes, mlir::Type element, Value length,
                  Value mask = Value());
  std::pair<Value, Value> share(std::int64_t count, std::int64_t granule);  ///< this team's part of 0..count

  // Maps.cpp
  mlir::LogicalResult emitMap(tile::MapOp op);
  /// Reductions right behind a map that can be folded while it is walked.
  llvm::SmallVector<tile::ReduceOp> reductionsBehind(tile::MapOp op, const Shape& shape);
  Value bodyValue(Value value, const Lanes& lanes, const mlir::IRMapping& values);
  void emitBodyOperation(mlir::Operation& op, const Lanes& lanes, const Piece& piece, mlir::IRMapping& values,
                         mlir::LogicalResult& result);
  Value laneIndices(const Lanes& lanes, const Piece& piece, mlir::Type type);
  Value compareIndex(mlir::arith::CmpIOp op, const Lanes& lanes, const Piece& piece, std::int64_t extent,
                     bool laneIsLeft, Value bound);

  // Conversions.cpp
  mlir::LogicalResult emitConversion(mlir::Operation* op, Value src, Value dst);
  mlir::LogicalResult emitFill(tile::FillOp op);
  mlir::LogicalResult emitTranspose(tile::TransposeOp op);
  /// `from`: the source as the destination walks it.
  void transposeByWords(const Window& from, const Window& to);
  mlir::LogicalResult checkConversion(mlir::Operation* op, mlir::Type from, mlir::Type to);

  // Roles.cpp: places that a kernel with roles gave its buffers.
  void takePlaces();
  void findSharedExtents();

  // Pipelines.cpp: stages between roles.
  /// Private words of a pipeline: the next stage to acquire or wait for and the phase of its barrier, the oldest stage
  /// that was not handed on yet, and the token that has to be complete for it to be.
  struct Pipeline {
    unsigned firstBarrier = 0;  ///< stage s: barrier firstBarrier + 2s says that it is filled, the next that it is free
    std::int64_t stages = 1;
    Value words;
    llvm::SmallVector<Value> roots;  ///< buffers whose stages this role takes from it
  };
  enum PipelineWord : std::int64_t { kNextStage, kPhase, kOldestStage, kOldestToken, kPipelineWords };
  void collectReleases();
  mlir::LogicalResult emitPipeline(tile::PipelineOp op);
  void emitStage(Value pipeline, Value stage, bool free);
  void emitCommit(tile::ProducerCommitOp op);
  void emitRelease(tile::ConsumerReleaseOp op);
  void handOn(Pipeline& pipeline, bool free, Value expectedBytes);  ///< the oldest stage, by the leader
  void settleStages(mlir::Operation* op, const Pipeline& pipeline, ValueRange tokens);
  void finishRelease(Pipeline& pipeline);
  /// The deferred part of releases, where `op` touches what their operations do (null: anywhere).
  void finishReleases(mlir::Operation* op);
  /// The commit that a copy's bytes count for, when the barrier can count them.
  tile::ProducerCommitOp creditedCommit(tile::CopyAsyncOp copy);
  Value creditOf(tile::ProducerCommitOp commit, tile::CopyAsyncOp copy);

  // Reduce.cpp
  mlir::LogicalResult emitReduce(tile::ReduceOp op);
  Value treeChains();  ///< private memory for the chains of `order <tree>`

  tile::KernelOp kernel_;
  const targets::TargetSpec& target_;
  EngineNeeds& needs_;
  ProgramTexts& texts_;
  IndexRanges ranges_;
  ComputeTeams teams_;
  Emit b_;
  mlir::IRMapping map_;
  Scalars scalars_{b_, map_};
  Windows windows_{b_, map_};
  BarrierPlan barriers_;
  llvm::DenseSet<mlir::Operation*> done_;  ///< emitted together with an operation before them
  Scope scope_{};
  llvm::SmallVector<Pending> pending_;
  llvm::DenseSet<Value> issued_;  ///< tokens that are results of commands, not passed on by a loop or branch
  llvm::SmallVector<Carried> carried_, leftBehind_;
  llvm::SmallVector<Value> carrySlots_;  ///< private words that hold the tokens of `carried_`
  /// Bytes between the two places of a memory's buffers that work items take in turn; 0 = one place.
  std::int64_t scratchTurnBytes_ = 0, accTurnBytes_ = 0;
  const RolePart* part_;
  llvm::MapVector<Buffer*, std::int64_t> sharedExtents_;  ///< scratch offset of the words, or -1
  llvm::MapVector<Value, Pipeline> pipelines_;
  /// What operations do whose completion releases a stage, and on which queue.
  struct Release {
    llvm::SmallVector<Access> accesses;
    int queue;
    Value pipeline;
  };
  llvm::SmallVector<Release> releases_;
  llvm::DenseMap<mlir::Operation*, Value> expectedBytes_;  ///< of commits, so far
  Value turn_;                                             ///< 0, 1, 0, 1... by work item
  llvm::DenseMap<Value, int> dmaQueueOf_;
  mlir::Operation* function_ = nullptr;
  llvm::SmallVector<Value> gridExtents_;
  bool failed_ = false;
  Value treeChains_;
  mlir::Block* entry_ = nullptr;  ///< of the function; allocas go to its front
  unsigned nextDescriptor_ = 0;
  unsigned dmaQueues_ = 0;
  unsigned nextBarrier_ = 1;
  std::int64_t groupBarrier_ = 0;         ///< of the first group; 0: no region of groups
  Value clusterMeetings_, chipMeetings_;  ///< private word: how often the cores have met
  bool usesBarriers_ = false;
};

}  // namespace forerun::backends::accelerator
