//===- IndexedMove.h - gathers and scatters of the reference ----------------===//
// Moves whose positions along one dimension come from a buffer. Boxes are worked out by the caller; valid extents are
// the caller's too.
#pragma once

#include "compiler/interpreter/Reduce.h"

#include <optional>

namespace forerun::interpreter {

/// out[i...] = src[i... with indices[i...] along dim] for all i of `box`, 0 where that is not a valid element of src.
/// Fails on elements that were never written.
llvm::Error runGather(const View& src, const View& indices, const View& out, unsigned dim, llvm::ArrayRef<Range> box);

/// dst[i... with indices[i...] along dim] = src[i...], or its combination with that, for all i of `box` in row-major
/// order; dropped where that is not a valid element of dst. Fails on elements that were never written.
llvm::Error runScatter(const View& src, const View& indices, const View& dst, unsigned dim,
                       std::optional<ReduceKind> kind, llvm::ArrayRef<Range> box);

}  // namespace forerun::interpreter
