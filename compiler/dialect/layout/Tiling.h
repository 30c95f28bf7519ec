//===- Tiling.h - layouts put together from layouts ------------------------===//
// Sums, tiles and compositions of layouts, and the ways back.
#pragma once

#include "compiler/dialect/layout/Layout.h"

namespace forerun::layout {

/// Over shape (a_d * b_d): index i_d * b_d + j_d lies at left(i) + right(j). Ranks are equal; no operand is swizzled.
/// The results of this header have canonical D.
llvm::Expected<Layout> directSum(Shaped left, Shaped right);
/// The layout with directSum(it, right) = sum, over the shape of sum divided by that of right; fails when there is
/// none.
llvm::Expected<Layout> leftOf(Shaped sum, Shaped right);
/// The layout with directSum(left, it) = sum.
llvm::Expected<Layout> rightOf(Shaped sum, Shaped left);

/// `outer` says where each tile lies, in tiles; `inner` what a tile looks like. Directly summed after the outer
/// layout's strides, replicas and offset were multiplied by the inner span on their axis. A swizzle of `inner` stays
/// when tiles begin at multiples of its period.
llvm::Expected<Layout> tile(Shaped inner, Shaped outer);
/// The layout with tile(inner, it) = tiled; fails when there is none.
llvm::Expected<Layout> outerOf(Shaped tiled, Shaped inner);
/// The layout with tile(it, outer) = tiled; fails when there is none, or when replicas leave open which span was meant.
llvm::Expected<Layout> innerOf(Shaped tiled, Shaped outer);

/// x -> first(second(x)), `second` giving flat coordinates of `first` on `m`. Fails when a place of `second` lies
/// outside, when its strides carry between digits of `first`, or when it is swizzled.
llvm::Expected<Layout> compose(const Layout& first, const Layout& second);

}  // namespace forerun::layout
