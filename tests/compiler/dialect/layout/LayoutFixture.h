//===- LayoutFixture.h - layouts in tests ----------------------------------===//
// Short ways to read a layout and to look at a result or its error.
#pragma once

#include "compiler/dialect/layout/Text.h"

#include "gtest/gtest.h"

#include <string>

namespace forerun::layout {

using Shape = llvm::SmallVector<std::int64_t, 6>;

/// The layout that `text` writes.
inline Layout read(llvm::StringRef text) {
  llvm::Expected<Layout> layout = parse(text);
  if (layout) return std::move(*layout);
  ADD_FAILURE() << text.str() << ": " << llvm::toString(layout.takeError());
  return {};
}

/// What the result prints as, or its error.
inline std::string text(llvm::Expected<Layout> result) {
  return result ? print(*result) : "error: " + llvm::toString(result.takeError());
}

template <typename Value>
std::string errorOf(llvm::Expected<Value> result) {
  return result ? "none" : llvm::toString(result.takeError());
}
inline std::string errorOf(llvm::Error error) { return error ? llvm::toString(std::move(error)) : "none"; }

/// "lane 4, warp 5, m 0"
inline std::string text(const Point& point) {
  std::string result;
  for (const Coordinate& c : point.coordinates())
    result += (result.empty() ? "" : ", ") + c.axis.name().str() + " " + std::to_string(c.value);
  return result;
}

/// Places of the element at `indices`, "; " between replicas.
inline std::string placesAt(const Layout& layout, const Shape& shape, const Shape& indices) {
  llvm::Expected<std::int64_t> x = flatten(indices, shape);
  if (!x) return "error: " + llvm::toString(x.takeError());
  std::string result;
  for (const Point& point : layout.applyAll(*x)) result += (result.empty() ? "" : "; ") + text(point);
  return result;
}

}  // namespace forerun::layout
