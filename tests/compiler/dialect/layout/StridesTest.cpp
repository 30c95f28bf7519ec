//===- StridesTest.cpp - layouts that one stride a dimension describes -----===//
// Each kind that is taken, and each reason for which one is not.
#include "compiler/dialect/layout/Strides.h"

#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

/// "offset + strides; extent", or the error.
std::string strides(llvm::StringRef layout, const Shape& shape) {
  llvm::Expected<Strides> result = stridesOf({read(layout), shape});
  if (!result) return llvm::toString(result.takeError());
  std::string text = std::to_string(result->offset) + " +";
  for (std::int64_t stride : result->strides) text += " " + std::to_string(stride);
  return text + "; " + std::to_string(result->extent);
}

TEST(LayoutStrides, ElementsLieWhereTheLayoutPutsThem) {
  const Shape shape{3, 4, 5};
  for (const char* layout : {"60:1", "(3,4,5):(24,6,1)", "(3,4,5):(5,15,1) + 9", "(3,4,5):(40,-10,2) + 30"}) {
    const Layout placed = read(layout);
    const Strides strides = llvm::cantFail(stridesOf({placed, shape}));
    std::int64_t last = 0;
    for (std::int64_t x = 0; x < placed.size(); ++x) {
      const std::int64_t at =
          strides.offset + x / 20 * strides.strides[0] + x / 5 % 4 * strides.strides[1] + x % 5 * strides.strides[2];
      EXPECT_EQ(at, placed.apply(x).get(Axis())) << layout << " " << x;
      last = std::max(last, at);
    }
    EXPECT_EQ(strides.extent, last + 1) << layout;
  }
}

TEST(LayoutStrides, UnitDimensionsLeaveADenseLayoutDense) {
  EXPECT_EQ(strides("12:1", {3, 1, 4}), "0 + 4 4 1; 12");
  EXPECT_EQ(strides("12:1", {3, 4, 1}), "0 + 4 1 1; 12");
  EXPECT_EQ(strides("(3,4):(8,2)", {1, 3, 4}), "0 + 24 8 2; 23");
  EXPECT_EQ(strides("1:0", {1, 1}), "0 + 1 1; 1");
}

TEST(LayoutStrides, WhatNeedsMoreIsNamed) {
  EXPECT_EQ(strides("swizzle(3,3,3) of S[(8,64):(64,1)]", {8, 64}), "a swizzle");
  EXPECT_EQ(strides("S[8:1] + R[(2,3):(8,16)]", {8}), "6 places for each element");
  EXPECT_EQ(strides("S[(4,8):(1@lane,1)]", {4, 8}), "axis 'lane'");
  EXPECT_EQ(strides("S[8:1] + 2@core", {8}), "axis 'core'");
  EXPECT_EQ(strides("(4,2,8):(16,64,1)", {8, 8}), "dimension 0 in 2 different steps (4:16 over 2:64)");
  EXPECT_EQ(
      strides("(4,9):(9,2)", {6, 6}),
      "shape 6x6 cuts across iterator 9:2@m: of the 9 steps left of it a dimension needs 6; expected a multiple or "
      "a divisor");
  EXPECT_EQ(strides("(4,8):(8,-1)", {4, 8}), "places from -7; add an offset so that they begin at 0");
  EXPECT_EQ(strides("(4,8):(0,1)", {4, 8}), "places that elements share");
  EXPECT_EQ(strides("(4,8):(4,1)", {4, 8}), "places that elements share");
}

}  // namespace
}  // namespace forerun::layout
