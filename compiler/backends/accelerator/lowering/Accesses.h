//===- Accesses.h - who touches which buffer -------------------------------===//
// What one tile operation reads and writes, and how its work is spread over teams: the input of barrier placement and
// of token waits.
#pragma once

#include "compiler/dialect/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace forerun::backends::accelerator {

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

/// How element-wise work over a window of this type is shared.
struct Split {
  bool byRows = true;
  std::int64_t rows = 1;      ///< product of all dimensions but the innermost (trailing unit dimensions moved out)
  std::int64_t columns = 1;   ///< innermost
  bool trailingUnit = false;  ///< innermost dimension has extent 1 and rows are walked as elements
  Partition partition() const { return byRows ? Partition::rows(rows) : Partition::columns(columns); }
};
Split splitFor(llvm::ArrayRef<std::int64_t> shape, unsigned teams);

/// The allocation or argument behind a buffer value.
mlir::Value rootOf(mlir::Value buffer);
bool isWholeOrLeadingIndex(mlir::Value buffer);

/// Accesses of one operation, its regions excluded.
llvm::SmallVector<Access> accessesOf(mlir::Operation* op, unsigned teams);
/// Accesses of an operation and everything inside it.
llvm::SmallVector<Access> accessesWithin(mlir::Operation* op, unsigned teams);

/// Asynchronous operations whose token `token` may be.
llvm::SmallVector<mlir::Operation*> asyncSources(mlir::Value token);

/// True when a copy moves data between memories that only the DMA engine should connect (global on either side).
bool usesDma(tile::BufferType source, tile::BufferType destination);

/// True when a copy drains accumulators to scratch, which the matrix unit does on its way.
bool usesMatrixStore(tile::BufferType source, tile::BufferType destination);

}  // namespace forerun::backends::accelerator
