//===- Canonical.h - normal forms of layouts -------------------------------===//
// Fewest iterators for the same function; what equality, grouping and slicing work on.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// D without unit extents, with neighbours fused that continue one another; stride 0 counts on `m`. Two lists stand for
/// the same function exactly if their canonical lists are equal: the innermost extent is the length of the first run of
/// equal steps, and what remains is again such a list.
Iterators canonicalShard(llvm::ArrayRef<Iterator> shard);

/// Replicas without unit extents, with positive strides (what that shifts goes to `offset`), ordered by axis and
/// stride, fused where one continues another.
Iterators canonicalReplicas(llvm::ArrayRef<Iterator> replicas, Point& offset);

/// Same function and replica set, canonical D and R.
Layout canonicalize(const Layout& layout);

enum class Distinct { Yes, No, Unknown };
/// Whether different digits give different places. Exact where strides step over each other, where two fall together at
/// once, and up to 65536 places an axis; unknown beyond.
Distinct distinctPlaces(llvm::ArrayRef<Iterator> iterators);
/// Whether no two elements or replicas of the layout share a place.
Distinct isInjective(const Layout& layout);

}  // namespace forerun::layout
