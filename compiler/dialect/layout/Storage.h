//===- Storage.h - layouts in other units ----------------------------------===//
// Several elements a storage unit, and axes cut into banks.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// The layout in units of `1 / count` element: each element becomes `count` neighbours on `m`, innermost. A swizzle
/// needs a power of two.
llvm::Expected<Layout> unpack(const Layout& layout, std::int64_t count);
/// The way back: `count` innermost elements become one. Fails unless they are neighbours on `m` and all else lies at
/// multiples.
llvm::Expected<Layout> pack(const Layout& layout, std::int64_t count);

/// Coordinates of `axis` as coarse * size + fine: `coarse` goes to the axis of that name, fine stays. Fails when the
/// layout already uses `coarse` or when a run of it would straddle pieces.
llvm::Expected<Layout> splitAxis(const Layout& layout, Axis axis, std::int64_t size, Axis coarse);

}  // namespace forerun::layout
