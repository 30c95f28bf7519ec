//===- Strides.cpp - layouts that one stride a dimension describes ---------===//
// See Strides.h.
#include "compiler/dialect/layout/Strides.h"

#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Grouping.h"

namespace forerun::layout {

llvm::Expected<Strides> stridesOf(Shaped view) {
  const Layout layout = canonicalize(view.layout);
  if (layout.swizzle()) return llvm::createStringError("a swizzle");
  if (!layout.replicas().empty())
    return llvm::createStringError(llvm::Twine(layout.replicaCount()) + " places for each element");
  if (!layout.memoryOnly())
    for (Axis axis : layout.axes())
      if (axis != Axis()) return llvm::createStringError("axis '" + axis.name() + "'");
  llvm::Expected<Grouped> grouped = group(layout, view.shape);
  if (!grouped) return grouped.takeError();
  Strides result;
  result.offset = layout.offset(Axis());
  result.strides.resize(view.shape.size());
  std::int64_t unit = 1;  // of a dimension of extent 1: what leaves a dense layout dense
  for (unsigned d = view.shape.size(); d-- > 0;) {
    const llvm::ArrayRef<Iterator> steps = grouped->dimension(d);
    if (steps.size() > 1)
      return llvm::createStringError("dimension " + llvm::Twine(d) + " in " + llvm::Twine(steps.size()) +
                                     " different steps (" + llvm::Twine(steps[0].extent) + ":" +
                                     llvm::Twine(steps[0].stride) + " over " + llvm::Twine(steps[1].extent) + ":" +
                                     llvm::Twine(steps[1].stride) + ")");
    result.strides[d] = steps.empty() ? unit : steps.front().stride;
    unit = result.strides[d] * view.shape[d];
  }
  const Range range = layout.range(Axis());
  if (range.low < 0)
    return llvm::createStringError("places from " + llvm::Twine(range.low) + "; add an offset so that they begin at 0");
  if (isInjective(layout) != Distinct::Yes) return llvm::createStringError("places that elements share");
  result.extent = range.high + 1;
  return result;
}

}  // namespace forerun::layout
