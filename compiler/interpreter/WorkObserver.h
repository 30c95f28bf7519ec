//===- WorkObserver.h - what an execution does, as it is seen from outside ----//
// The interpreter tells an observer of every operation's size; counts of work are built on it (compiler/analysis).
#pragma once

#include "compiler/interpreter/MapProgram.h"
#include "compiler/interpreter/View.h"

namespace forerun::interpreter {

/// Elements are valid ones only. All members do nothing by default.
class WorkObserver {
 public:
  virtual ~WorkObserver() = default;

  /// A whole-tile or scalar operation reads or writes `box` (indices of the window; they may lie below the storage's
  /// low edge).
  virtual void access(const View& view, llvm::ArrayRef<Range> box, bool write) {}
  virtual void matmul(ElementType type, std::int64_t m, std::int64_t n, std::int64_t k) {}
  virtual void map(const MapProgram& program, std::int64_t elements) {}
  /// `elements` of the input are combined in `type`.
  virtual void reduce(ElementType type, std::int64_t elements) {}
  /// Copies, casts, fills, transposes: `elements` written.
  virtual void move(const View& destination, std::int64_t elements) {}
};

/// Product of the ranges' sizes.
inline std::int64_t elementsOf(llvm::ArrayRef<Range> box) {
  std::int64_t count = 1;
  for (const Range& range : box) count *= range.size();
  return count;
}

}  // namespace forerun::interpreter
