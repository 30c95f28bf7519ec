//===- Ordering.h - sorts, top-k and histograms of the reference ------------===//
// Whole lines at a time, by the order of docs/language.md: signed integers, -0 < +0, NaNs equal and last.
#pragma once

#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

/// The first elements along `dim` of in's `box` in ascending or descending order, equal ones by index, into `values`,
/// and their indices into `positions` unless that is null; as many as `keep` says at most. Fails on elements that were
/// never written.
llvm::Error runOrdering(const View& in, const View& values, const View* positions, unsigned dim, bool descending,
                        llvm::ArrayRef<Range> box, std::int64_t keep);

/// Adds to out[b] the number of elements of `box` that equal b as unsigned integers. Fails on elements that were never
/// written.
llvm::Error runHistogram(const View& in, const View& out, llvm::ArrayRef<Range> box);

}  // namespace forerun::interpreter
