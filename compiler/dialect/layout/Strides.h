//===- Strides.h - layouts that one stride a dimension describes -----------===//
// The layouts that address arithmetic and the descriptors of engines can walk: row-major, padded, permuted, strided.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// Element (i...) is at `offset` + sum i_d * strides[d]. All in elements.
struct Strides {
  std::int64_t offset = 0;
  llvm::SmallVector<std::int64_t, 4> strides;  ///< one a dimension
  std::int64_t extent = 1;                     ///< places from 0 to the last that an element takes, gaps included
};

/// Fails on layouts that need more: swizzles, replicas, other axes than `m`, dimensions that take several steps, places
/// below 0, places that elements share. The error names what the layout has, as the end of "a layout with ...".
llvm::Expected<Strides> stridesOf(Shaped view);

}  // namespace forerun::layout
