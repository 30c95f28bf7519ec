//===- Slicing.cpp - windows of layouts ------------------------------------===//
// Finds the iterators that walk a window, or shows that there are none.
#include "compiler/dialect/layout/Arithmetic.h"
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Grouping.h"

#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace forerun::layout {

namespace {

void addPlace(Point& point, llvm::ArrayRef<Iterator> digits, std::int64_t x, std::int64_t sign) {
  for (const Iterator& iterator : llvm::reverse(digits)) {
    point.add(iterator.axis, sign * (x % iterator.extent) * iterator.stride);
    x /= iterator.extent;
  }
}

/// f(to) - f(from), as one step of an iterator; nothing when it moves on several axes.
std::optional<Iterator> stepBetween(llvm::ArrayRef<Iterator> digits, std::int64_t from, std::int64_t to) {
  Point difference;
  addPlace(difference, digits, to, 1);
  addPlace(difference, digits, from, -1);
  Iterator step;
  for (const Coordinate& c : difference.coordinates()) {
    if (c.value == 0) continue;
    if (step.stride != 0) return std::nullopt;
    step.stride = c.value;
    step.axis = c.axis;
  }
  return step;
}

bool sameStep(const std::optional<Iterator>& step, std::int64_t stride, Axis axis) {
  return step && step->stride == stride && (stride == 0 || step->axis == axis);
}

/// Canonical iterators of y -> f(begin + y) - f(begin) for 0 <= y < length, f given by canonical `digits`; nothing when
/// there are none. Why these cases are all: the innermost iterator of the answer is the first run of equal steps. A
/// window that starts and ends with whole runs of f's innermost iterator is a window of the outer ones. Any other
/// either stays within one run, or crosses only into runs that continue it, or starts p elements before the end of a
/// run (0 < p < e): then its second run is at least as long as the first and ends inside a run of f, so that either the
/// window ends there, or p is half a run and the outer steps are all alike.
std::optional<Iterators> walk(llvm::ArrayRef<Iterator> digits, std::int64_t begin, std::int64_t length) {
  if (length == 1) return Iterators();
  const Iterator& inner = digits.back();
  const llvm::ArrayRef<Iterator> outer = digits.drop_back();
  const std::int64_t first = begin / inner.extent, last = (begin + length - 1) / inner.extent;
  const std::int64_t low = begin % inner.extent;
  const Iterator run{length, inner.stride, inner.axis};
  if (first == last) return Iterators{run};

  if (low == 0 && length % inner.extent == 0) {
    std::optional<Iterators> result = walk(outer, first, length / inner.extent);
    if (!result) return result;
    result->push_back(inner);
    return canonicalShard(*result);
  }
  const auto continues = [&](std::int64_t block) {
    return sameStep(stepBetween(outer, block, block + 1), inner.extent * inner.stride, inner.axis);
  };
  const std::optional<Iterators> blocks = walk(outer, first, last - first + 1);
  const bool alike = blocks && blocks->size() == 1;  // every step from run to run is the same
  if (alike && continues(first)) return Iterators{run};
  if (low == 0) return std::nullopt;

  const std::int64_t before = inner.extent - low;
  const bool joined = continues(first);  // two neighbouring steps never both continue: digits are canonical
  const std::int64_t piece = before + (joined ? inner.extent : 0);
  const std::optional<Iterator> step = stepBetween(digits, begin, begin + piece);
  if (!step) return std::nullopt;
  const Iterator second{2, step->stride, step->axis}, third{piece, inner.stride, inner.axis};
  if (length == 2 * piece && (!joined || continues(first + 2))) return canonicalShard({second, third});
  if (!joined && alike && 2 * before == inner.extent && length % inner.extent == 0)
    return canonicalShard({{length / inner.extent, (*blocks)[0].stride, (*blocks)[0].axis}, second, third});
  return std::nullopt;
}

struct Dimension {
  std::int64_t extent, begin, length;
  std::size_t index;  ///< of the shape's dimension, for messages
};

/// Dimensions of which the window takes one index, or outer ones of whole inner ones, are one range of the flat
/// coordinate.
llvm::SmallVector<Dimension, 6> joinDimensions(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<IndexRange> window) {
  llvm::SmallVector<Dimension, 6> result;  // innermost first
  for (std::size_t d = shape.size(); d-- > 0;) {
    const Dimension outer{shape[d], window[d].first, window[d].second - window[d].first, d};
    if (!result.empty()) {
      Dimension& inner = result.back();
      const bool whole = inner.length == inner.extent;
      if (whole || outer.length == 1) {
        inner = {outer.extent * inner.extent, outer.begin * inner.extent + inner.begin,
                 whole ? outer.length * inner.extent : inner.length, inner.index};
        continue;
      }
    }
    result.push_back(outer);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

llvm::Error checkWindow(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<IndexRange> window) {
  if (window.size() != shape.size())
    return llvm::createStringError("expected " + llvm::Twine(shape.size()) + " index ranges, one a dimension of " +
                                   describeShape(shape) + ", found " + llvm::Twine(window.size()));
  for (std::size_t d = 0; d < window.size(); ++d)
    if (window[d].first < 0 || window[d].first >= window[d].second || window[d].second > shape[d])
      return llvm::createStringError("range " + llvm::Twine(window[d].first) + ":" + llvm::Twine(window[d].second) +
                                     " of dimension " + llvm::Twine(d) +
                                     " is empty or outside; expected part of 0:" + llvm::Twine(shape[d]));
  return llvm::Error::success();
}

llvm::Expected<Layout> slice(Shaped view, llvm::ArrayRef<IndexRange> window) {
  if (llvm::Error error = checkShape(view.layout, view.shape)) return error;
  if (llvm::Error error = checkWindow(view.shape, window)) return error;
  const llvm::SmallVector<Dimension, 6> dimensions = joinDimensions(view.shape, window);
  llvm::SmallVector<std::int64_t, 6> shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.extent);
  llvm::Expected<Grouped> grouped = group(view.layout, shape);
  if (!grouped) return grouped.takeError();

  Iterators shard;
  Point offset(view.layout.offset());
  for (unsigned d = 0; d < dimensions.size(); ++d) {
    const Dimension& dimension = dimensions[d];
    const std::optional<Iterators> digits = walk(grouped->dimension(d), dimension.begin, dimension.length);
    if (!digits)
      return llvm::createStringError("no iterators walk the window in dimension " + llvm::Twine(dimension.index) +
                                     ": it takes " + llvm::Twine(dimension.length) + " elements from " +
                                     llvm::Twine(dimension.begin) +
                                     " of a run structure that they do not fit; move or resize it "
                                     "to whole runs of the layout");
    llvm::append_range(shard, *digits);
    addPlace(offset, grouped->dimension(d), dimension.begin, 1);
  }
  return Layout::make(canonicalShard(shard), Iterators(view.layout.replicas()), offset.coordinates(),
                      view.layout.swizzle());
}

}  // namespace forerun::layout
