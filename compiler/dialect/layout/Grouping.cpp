//===- Grouping.cpp - grouping, common refinement, permutation -------------===//
// Cuts iterators at the boundaries of dimensions.
#include "compiler/dialect/layout/Grouping.h"

#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::layout {

llvm::Expected<Grouped> group(const Layout& layout, llvm::ArrayRef<std::int64_t> shape) {
  if (llvm::Error error = checkShape(layout, shape)) return error;
  const Iterators shard = canonicalShard(layout.shard());
  Iterators pieces;  // innermost first
  llvm::SmallVector<unsigned, 6> ends{0};
  std::size_t at = shard.size();  // shard[at - 1] is being cut
  std::int64_t taken = 1;         // of it, innermost part
  for (std::int64_t extent : llvm::reverse(shape)) {
    for (std::int64_t need = extent; need > 1;) {
      const Iterator& source = shard[at - 1];
      const std::int64_t left = source.extent / taken;
      const std::int64_t piece = need % left == 0 ? left : need;
      if (left % piece != 0)
        return llvm::createStringError(
            "shape " + describeShape(shape) + " cuts across iterator " + llvm::Twine(source.extent) + ":" +
            llvm::Twine(source.stride) + "@" + source.axis.name() + ": of the " + llvm::Twine(left) +
            " steps left of it a dimension needs " + llvm::Twine(need) + "; expected a multiple or a divisor");
      pieces.push_back({piece, multiply(source.stride, taken), source.axis});
      need /= piece;
      taken *= piece;
      if (taken == source.extent) {
        --at;
        taken = 1;
      }
    }
    ends.push_back(static_cast<unsigned>(pieces.size()));
  }
  std::reverse(pieces.begin(), pieces.end());
  Grouped result{layout.rewritten(std::move(pieces)), {}};
  for (unsigned end : llvm::reverse(ends)) result.separators.push_back(ends.back() - end);
  return result;
}

llvm::Expected<Refinement> commonRefinement(const Layout& layout, llvm::ArrayRef<std::int64_t> first,
                                            llvm::ArrayRef<std::int64_t> second) {
  for (llvm::ArrayRef<std::int64_t> shape : {first, second})
    if (llvm::Error error = checkShape(layout, shape)) return error;
  llvm::SmallVector<std::int64_t, 12> boundaries;  // flat strides of the dimensions
  for (llvm::ArrayRef<std::int64_t> shape : {first, second}) {
    std::int64_t stride = 1;
    for (std::int64_t extent : llvm::reverse(shape)) boundaries.push_back(stride *= extent);
  }
  llvm::sort(boundaries);
  llvm::SmallVector<std::int64_t, 12> shape;  // innermost first
  std::int64_t below = 1;
  for (std::int64_t boundary : boundaries) {
    if (boundary % below != 0)
      return llvm::createStringError("shapes " + describeShape(first) + " and " + describeShape(second) +
                                     " have no common refinement: dimensions end after " + llvm::Twine(below) +
                                     " and after " + llvm::Twine(boundary) +
                                     " elements, and neither divides the other");
    if (boundary != below) shape.push_back(boundary / below);
    below = boundary;
  }
  std::reverse(shape.begin(), shape.end());
  llvm::Expected<Grouped> grouped = group(layout, shape);
  if (!grouped) return grouped.takeError();
  Refinement result{std::move(grouped->layout), {}, {}};
  const auto separators = [&](llvm::ArrayRef<std::int64_t> of, llvm::SmallVectorImpl<unsigned>& into) {
    unsigned next = 0;
    into.push_back(0);
    for (std::int64_t extent : of) {
      for (std::int64_t covered = 1; covered < extent; ++next) covered *= result.layout.shard()[next].extent;
      into.push_back(next);
    }
  };
  separators(first, result.first);
  separators(second, result.second);
  return result;
}

llvm::Expected<Layout> permute(Shaped view, llvm::ArrayRef<unsigned> permutation) {
  llvm::SmallVector<unsigned, 6> sorted(permutation);
  llvm::sort(sorted);
  bool valid = sorted.size() == view.shape.size();
  for (unsigned d = 0; valid && d < sorted.size(); ++d) valid = sorted[d] == d;
  if (!valid)
    return llvm::createStringError("expected a permutation of the " + llvm::Twine(view.shape.size()) +
                                   " dimensions of " + describeShape(view.shape) + "; name each once, from 0");
  llvm::Expected<Grouped> grouped = group(view.layout, view.shape);
  if (!grouped) return grouped.takeError();
  Iterators shard;
  for (unsigned d : permutation) llvm::append_range(shard, grouped->dimension(d));
  return grouped->layout.rewritten(std::move(shard));  // invariants do not depend on the order of D
}

}  // namespace forerun::layout
