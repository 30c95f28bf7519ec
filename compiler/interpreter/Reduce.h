//===- Reduce.h - reductions of the reference -------------------------------===//
// Elements join in row-major order of the reduced dimensions (order any), or in the fixed tree of docs/language.md.
#pragma once

#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

enum class ReduceKind : std::uint8_t { Add, Mul, Min, Max, MinNum, MaxNum, And, Or, Xor, ArgMin, ArgMax };

struct Reduction {
  ReduceKind kind = ReduceKind::Add;
  llvm::SmallVector<bool, 4> reduced;  ///< one a dimension
  bool tree = false;
  bool accumulate = false;
};

/// Reduces the valid elements of `in` into `out` (extent 1 in reduced dimensions); out elements of kept indices in [0,
/// valid high) are written. Valid extents are left to the caller.
llvm::Error runReduce(const Reduction& reduction, const View& in, const View& out, bool uncertain);

}  // namespace forerun::interpreter
