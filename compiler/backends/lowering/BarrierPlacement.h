//===- BarrierPlacement.h - where those who share work must meet -----------===//
// Walks a kernel in program order with the accesses since the last barrier, and asks for one exactly where data moves
// between team sets.
#pragma once

#include "compiler/backends/lowering/Buffers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace forerun::backends {

/// How the teams share the elements of an access.
class Partition {
 public:
  static Partition rows(std::int64_t count) { return Partition(count * 2); }
  static Partition columns(std::int64_t count) { return Partition(count * 2 + 1); }
  static Partition everything() { return Partition(kEverything); }  ///< each team touches all of it
  static Partition mixed() { return Partition(kMixed); }            ///< no two accesses are known to agree
  static Partition none() { return Partition(kNone); }
  bool isNone() const { return key_ == kNone; }
  bool agrees(Partition other) const { return key_ == other.key_ && key_ >= 0; }
  bool operator==(const Partition&) const = default;

 private:
  static constexpr std::int64_t kNone = -1, kEverything = -2, kMixed = -3;
  explicit Partition(std::int64_t key) : key_(key) {}
  std::int64_t key_;
};

enum class Actor { Leader, Teams };

struct Access {
  mlir::Value root;  ///< allocation or kernel argument
  bool write = false;
  Actor actor = Actor::Leader;
  Partition partition = Partition::everything();
};

/// Accesses of one operation, its regions excluded.
using AccessesOf = llvm::function_ref<llvm::SmallVector<Access>(mlir::Operation*)>;

struct BarrierPlan {
  llvm::DenseSet<mlir::Operation*> before;  ///< operations that all meet before
  bool any() const { return !before.empty(); }
};

/// Operations of `body`, its regions included, before which all members of a team set meet; those inside `tile.exec
/// team`, `lane` and `group` excluded, which teams pass on their own and groups meet in by themselves. Before and in
/// those of clusters and chips, all meet anyway. `overlap(a, b)`: whether two roots share bytes (equal, or placed
/// over one another). With `repeats` the body's end is followed by its beginning.
BarrierPlan placeBarriers(mlir::Block& body, bool repeats, AccessesOf accessesOf,
                          llvm::function_ref<bool(mlir::Value, mlir::Value)> overlap);

/// Asynchronous operations whose token `token` may be.
llvm::SmallVector<mlir::Operation*> asyncSources(mlir::Value token);

}  // namespace forerun::backends
