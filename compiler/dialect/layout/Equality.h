//===- Equality.h - when two layouts are the same --------------------------===//
// Equality of functions, not of writings.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

enum class Equality { Equal, Different, Unknown };

/// Equal: for every x the same set of places, that is the same function of D and offset and the same replica set, up to
/// a shift between offset and replicas. Axes of one hierarchy of `axes` (lane of core; team and lane) compare as
/// positions of the finest unit; axes that the set does not know stand alone. Exact without swizzles. Layouts whose
/// swizzles differ in effect are compared place by place up to 65536 places, beyond that the answer is Unknown unless
/// they differ among those; so it is where units of unknown size would have to be compared.
Equality compare(const Layout& a, const Layout& b, const AxisSet& axes = {});

}  // namespace forerun::layout
