//===- Execution.h - the state of a running function ------------------------===//
// Values, operations in flight and the identity of who executes; handlers of single operations work on it.
#pragma once

#include "compiler/dialect/TileOps.h"
#include "compiler/interpreter/MapProgram.h"
#include "compiler/interpreter/PendingAccesses.h"
#include "compiler/interpreter/View.h"
#include "compiler/interpreter/WorkObserver.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <functional>
#include <memory>
#include <variant>

namespace forerun::interpreter {

struct Token {
  std::uint64_t id = 0;  ///< 0: complete already
};

/// Counts arrivals; phases complete in order.
struct BarrierState {
  std::int64_t count = 1, arrived = 0, phase = 0;

  /// One arrival; returns the phase that it counts for.
  std::int64_t arrive() {
    const std::int64_t own = phase;
    if (++arrived == count) {
      arrived = 0;
      ++phase;
    }
    return own;
  }
};

/// How often each end of a pipeline did its part; a stage's number is a count modulo `stages`.
struct PipelineState {
  std::int64_t stages = 1, acquired = 0, committed = 0, waited = 0, released = 0;
};

using RuntimeValue =
    std::variant<std::monostate, Scalar, View, Token, std::shared_ptr<BarrierState>, std::shared_ptr<PipelineState>>;

class Parties;

/// A launch of a kernel from a host function.
struct Launch {
  tile::KernelOp kernel;
  mlir::Location location;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<RuntimeValue> arguments;  ///< scalars and views
};

/// How many units of each kind a machine has.
struct Machine {
  unsigned cores = 1, coresPerCluster = 1;  ///< of the chip, of a cluster
  unsigned teams = 1;                       ///< of a core: ranges of roles count them
  unsigned computing = 1, perGroup = 1;     ///< of those, the ones that execute kernels, and those of a group
  unsigned lanes = 1;                       ///< of a team
};

struct Options {
  Machine machine;
  bool data = true;  ///< false: only count (buffers other than inputs hold no data)
  Radii radii = Radii::None;
  std::uint64_t maxOperations = 0;  ///< stop with an error after so many; 0 = no limit
  WorkObserver* observer = nullptr;
};

/// A map body, translated.
struct CompiledMap {
  MapProgram program;
  std::vector<std::pair<mlir::Value, std::size_t>> outer;  ///< scalars from outside -> index into program.captured
};

class Execution {
 public:
  explicit Execution(const Options& options) : options(options), teams(options.machine.computing) {}
  /// A team or role beside others: with the values of `outer` so far, and what is in flight in its core.
  Execution(const Execution& outer) = default;

  /// Executes the operations of a block but its terminator; failure has been diagnosed.
  llvm::LogicalResult runBlock(mlir::Block& block);
  llvm::LogicalResult runOperation(mlir::Operation* op);

  void set(mlir::Value value, RuntimeValue runtime) { values_[value] = std::move(runtime); }
  const RuntimeValue& get(mlir::Value value) const;
  const View& view(mlir::Value value) const { return std::get<View>(get(value)); }
  const Scalar& scalar(mlir::Value value) const { return std::get<Scalar>(get(value)); }
  std::int64_t integer(mlir::Value value) const { return scalar(value).asInt(); }
  std::int64_t integer(mlir::OpFoldResult value) const;
  void clear() { values_.clear(); }

  /// Reports accesses to the observer and refuses those that an operation in flight forbids.
  llvm::LogicalResult reads(mlir::Operation* op, const View& view, llvm::ArrayRef<Range> box);
  llvm::LogicalResult writes(mlir::Operation* op, const View& view, llvm::ArrayRef<Range> box,
                             bool joinsMatmul = false);
  /// Error at `op` with the text of a core routine.
  llvm::LogicalResult check(mlir::Operation* op, llvm::Error error);

  Token issue(mlir::Operation* op, llvm::ArrayRef<View> reads, const View& write, bool isMatmul);
  /// Translated body of a map, cached; null after a diagnostic.
  CompiledMap* mapOf(tile::MapOp op);

  const Options& options;
  std::shared_ptr<PendingAccesses> pending = std::make_shared<PendingAccesses>();
  std::int64_t core = 0, group = -1, team = -1, lane = -1;  ///< -1: those of the next coarser unit act together
  std::int64_t teams;                                       ///< of the core, or of the role or group that runs
  bool inRole = false;                                      ///< inside tile.roles
  Parties* parties = nullptr;                               ///< of roles or teams, of which this is one
  Parties* items = nullptr;                                 ///< of work items that are on the chip together
  std::shared_ptr<BarrierState> teamMeeting, clusterMeeting, chipMeeting;  ///< where tile.sync joins them
  std::function<llvm::LogicalResult(const Launch&)> launch;                ///< host functions only

 private:
  using Handler = llvm::LogicalResult (*)(Execution&, mlir::Operation*);

  llvm::DenseMap<mlir::Value, RuntimeValue> values_;
  llvm::DenseMap<mlir::OperationName, Handler> handlers_;
  using MapCache = llvm::DenseMap<mlir::Operation*, std::unique_ptr<CompiledMap>>;
  std::shared_ptr<MapCache> maps_ = std::make_shared<MapCache>();
  std::shared_ptr<std::uint64_t> operations_ = std::make_shared<std::uint64_t>(0);
};

/// Element type of a buffer element or scalar (index as i64); nothing for others.
std::optional<ElementType> elementTypeOf(mlir::Type type);
/// "file:line" of a location, or "an unknown place".
std::string placeOf(mlir::Location location);
Space spaceOf(tile::Space space);

}  // namespace forerun::interpreter
