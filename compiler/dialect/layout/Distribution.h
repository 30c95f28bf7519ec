//===- Distribution.h - who holds an element -------------------------------===//
// The part of a layout that is not memory: what operations of several operands must agree on, and what reductions
// leave.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// The coordinates on all axes but `m`, as a layout of the same size. Fails never.
Layout distribution(const Layout& layout);

/// Layout of a reduction's result, of the shape with extent 1 in `dims`: iterators of the reduced dimensions become
/// replicas (every unit that took part holds the result) or, on `m`, disappear; the memory that is left is packed, its
/// order kept. Fails when the shape does not group the layout or the replicas would fall on one another.
llvm::Expected<Layout> reduced(Shaped view, llvm::ArrayRef<std::int64_t> dims);

}  // namespace forerun::layout
