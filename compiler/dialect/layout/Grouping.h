//===- Grouping.h - layouts seen through shapes ----------------------------===//
// Which iterators belong to which dimension, and what follows from it: permuting dimensions and cutting windows.
#pragma once

#include "compiler/dialect/layout/Layout.h"

#include <utility>

namespace forerun::layout {

struct Grouped {
  Layout layout;
  /// Dimension d of the shape is iterators separators[d] up to separators[d + 1] of D; one more entry than dimensions.
  llvm::SmallVector<unsigned, 6> separators;

  llvm::ArrayRef<Iterator> dimension(unsigned d) const {
    return layout.shard().slice(separators[d], separators[d + 1] - separators[d]);
  }
};

/// The same layout with D fused, then cut so that each dimension has iterators of its own (none for extent 1). Fails
/// exactly if the place is no sum of functions of the single indices.
llvm::Expected<Grouped> group(const Layout& layout, llvm::ArrayRef<std::int64_t> shape);

struct Refinement {
  Layout layout;
  llvm::SmallVector<unsigned, 6> first, second;  ///< separators for either shape, as in Grouped
};
/// The coarsest D that both shapes group; fails when their dimensions cut across one another.
llvm::Expected<Refinement> commonRefinement(const Layout& layout, llvm::ArrayRef<std::int64_t> first,
                                            llvm::ArrayRef<std::int64_t> second);

/// Dimension d of the result is dimension permutation[d] of the argument.
llvm::Expected<Layout> permute(Shaped view, llvm::ArrayRef<unsigned> permutation);

/// Half-open index range of one dimension.
using IndexRange = std::pair<std::int64_t, std::int64_t>;

/// Fails unless there is one range a dimension, none empty or outside.
llvm::Error checkWindow(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<IndexRange> window);

/// The window as a layout of its own, over the shape of the window's extents: canonical D, origin in the offset. Fails
/// when a range is empty or outside, when the shape does not group the layout, or when no iterators can walk the window
/// (it then begins inside a run and crosses into further ones; the message names the dimension).
llvm::Expected<Layout> slice(Shaped view, llvm::ArrayRef<IndexRange> window);

}  // namespace forerun::layout
