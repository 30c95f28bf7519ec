//===- Scan.h - running combinations of the reference -----------------------===//
// Elements join one after the other along the dimension, from either end.
#pragma once

#include "compiler/interpreter/Reduce.h"

namespace forerun::interpreter {

struct Scan {
  ReduceKind kind = ReduceKind::Add;  ///< not argmin or argmax
  unsigned dim = 0;
  bool exclusive = false, reverse = false;
};

/// out[.., i, ..] = combination of in's elements before i (and i itself unless exclusive) for all indices of `box`,
/// whose elements take part. Fails on elements that were never written. Valid extents are left to the caller.
llvm::Error runScan(const Scan& scan, const View& in, const View& out, llvm::ArrayRef<Range> box, bool uncertain);

}  // namespace forerun::interpreter
