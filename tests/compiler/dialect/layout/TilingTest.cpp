//===- TilingTest.cpp - layouts put together and taken apart ---------------===//
// Sums, tiles, compositions, inverses, storage units, permutations: results, ways back, and what is refused.
#include "compiler/dialect/layout/Tiling.h"

#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"
#include "compiler/dialect/layout/Inverse.h"
#include "compiler/dialect/layout/Storage.h"
#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

TEST(LayoutTiling, PartsOfASumComeBack) {
  const Layout left = read("S[(2,2):(8,2)] + R[2:64] + 1"), right = read("S[(2,2):(4,1)] + R[2:32] + 2");
  llvm::Expected<Layout> sum = directSum({left, {2, 2}}, {right, {2, 2}});
  ASSERT_EQ(text(sum ? *sum : Layout()), "S[16:1] + R[(2,2):(64,32)] + 3");
  EXPECT_EQ(text(leftOf({*sum, {4, 4}}, {right, {2, 2}})), "S[(2,2):(8,2)] + R[2:64] + 1");
  EXPECT_EQ(text(rightOf({*sum, {4, 4}}, {left, {2, 2}})), "S[(2,2):(4,1)] + R[2:32] + 2");
  EXPECT_EQ(
      text(leftOf({*sum, {4, 4}}, {read("(2,2):(4,2)"), {2, 2}})),
      "error: the layout is not made of the given one: the iterators of S differ; compare both with forerun layout");
  EXPECT_EQ(text(leftOf({*sum, {4, 4}}, {read("S[(2,2):(4,1)] + R[2:16]"), {2, 2}})),
            "error: the layout is not made of the given one: the replicas differ; compare both with forerun layout");
  EXPECT_EQ(text(leftOf({*sum, {4, 4}}, {read("(3,2):(4,1)"), {3, 2}})),
            "error: shape 3x2 does not divide 4x4 in dimension 0");
  EXPECT_EQ(text(directSum({left, {4}}, {right, {2, 2}})),
            "error: expected shapes of one rank, found 4 and 2x2; add extents of 1");
}

TEST(LayoutTiling, PartsOfATileComeBack) {
  const Layout inner = read("S[(2,4):(1,2)] + R[2:1@team]"), outer = read("S[(8,8):(8,1)] + R[4:1@team] + 2@team");
  llvm::Expected<Layout> tiled = tile({inner, {2, 4}}, {outer, {8, 8}});
  ASSERT_EQ(text(tiled ? *tiled : Layout()), "S[(8,2,32):(64,1,2)] + R[(4,2):(2@team,1@team)] + 4@team");
  EXPECT_EQ(text(outerOf({*tiled, {16, 32}}, {inner, {2, 4}})), "S[64:1] + R[4:1@team] + 2@team");
  // What the span on team was cannot be read off the tiles: with 1, the outer replicas would make these too.
  EXPECT_EQ(
      text(innerOf({read("(16,32):(32,1)"), {16, 32}}, {read("(8,8):(8,1)"), {8, 8}})),
      "error: the layout is not made of the given one: the iterators of S differ; compare both with forerun layout");
  const Layout plain = read("(2,4):(1,2)"), teams = read("S[(2,1):(1@team,0)]");
  llvm::Expected<Layout> overTeams = tile({plain, {2, 4}}, {teams, {2, 1}});
  ASSERT_TRUE(static_cast<bool>(overTeams));
  EXPECT_EQ(text(innerOf({*overTeams, {4, 4}}, {teams, {2, 1}})), "S[(2,4):(1,2)]");
}

TEST(LayoutTiling, SwizzledTilesBeginAtWholePeriods) {
  const Layout inner = read("swizzle(3,3,3) of S[(8,64):(64,1)]");
  llvm::Expected<Layout> tiled = tile({inner, {8, 64}}, {read("(2,2):(2,1)"), {2, 2}});
  ASSERT_EQ(text(tiled ? *tiled : Layout()), "swizzle(3,3,3) of S[(2,8,2,64):(1024,64,512,1)]");
  EXPECT_EQ(text(outerOf({*tiled, {16, 128}}, {inner, {8, 64}})), "S[4:1]");
  EXPECT_EQ(text(innerOf({*tiled, {16, 128}}, {read("4:1"), {2, 2}})), "swizzle(3,3,3) of S[512:1]");
  EXPECT_EQ(text(tile({read("swizzle(3,3,3) of S[(4,64):(64,1)]"), {4, 64}}, {read("2:1"), {2, 1}})),
            "error: tiles of 256 elements would begin within a period of the swizzle, 512 elements; expected "
            "multiples, pad the "
            "inner layout or swizzle the result");
  EXPECT_EQ(text(tile({read("4:1"), {4}}, {inner, {512}})),
            "error: the outer layout is swizzled; expected none there, swizzle the result instead");
}

TEST(LayoutTiling, Composition) {
  EXPECT_EQ(text(compose(read("(4,8):(1,4)"), read("(8,4):(1,8)"))), "S[32:1]");
  EXPECT_EQ(text(compose(read("S[(4,8):(1@lane,100)]"), read("S[(2,4):(16,2)] + 1"))), "S[(2,4):(2@lane,200)] + 100");
  EXPECT_EQ(text(compose(read("(4,8):(1,4)"), read("S[4:0] + R[2:8] + 9"))), "S[4:0] + R[2:1] + 5");
  EXPECT_EQ(text(compose(read("swizzle(3,3,3) of S[512:1]"), read("(64,8):(1,64)"))),
            "swizzle(3,3,3) of S[(64,8):(1,64)]");
  EXPECT_EQ(text(compose(read("S[(4,3):(10,1)]"), read("S[(2,3):(3,2)]"))),
            "error: the second layout does not walk the first digit by digit; expected strides that are products of "
            "whole extents "
            "of the first, or parts of one of them");
  EXPECT_EQ(text(compose(read("12:1"), read("13:1"))),
            "error: the second layout reaches from 0 to 12; the first has elements 0 to 11");
  EXPECT_EQ(text(compose(read("12:1"), read("S[4:1@lane]"))),
            "error: the second layout gives places on other axes than m; expected flat coordinates of the first");
  EXPECT_EQ(text(compose(read("64:1"), read("swizzle(0,1,1) of S[4:1]"))),
            "error: the second layout is swizzled; expected flat coordinates without a swizzle");
}

std::string inverted(const char* written) {
  llvm::Expected<Inverse> inverse = Inverse::of(read(written));
  return inverse ? text(inverse->layout()) : "error: " + llvm::toString(inverse.takeError());
}

TEST(LayoutTiling, Inverses) {
  EXPECT_EQ(inverted("(4,8):(1,4)"), "S[(8,4):(1,8)]");
  // lane 0-31, then m 0-1: element of (lane, m).
  EXPECT_EQ(inverted("S[(8,2,4):(4@lane,1,1@lane)]"), "S[(8,4,2):(8,1,4)]");
  EXPECT_EQ(inverted("S[(4,8):(-8,1)] + 24"), "S[(4,8):(-8,1)] + 24");
  EXPECT_EQ(inverted("S[4:1] + R[2:4]"), "S[(2,4):(0,1)]");  // both replicas lead back
  EXPECT_EQ(inverted("S[(4,4):(1,1)]"),
            "error: two elements share a place, so that the layout has no inverse; expected distinct places");
  EXPECT_EQ(
      inverted("S[(1000,1000):(1001,999)]"),
      "error: it cannot be shown that all elements have places of their own; use strides that step over each other");
  EXPECT_EQ(
      inverted("S[(4,8):(10,1)]"),
      "error: the layout leaves places of axis 'm' empty, so that its inverse is no layout; ask for single places");
  EXPECT_EQ(inverted("swizzle(3,3,3) of S[512:1]"),
            "error: the inverse of a swizzled layout undoes the swizzle first and is no layout; ask for single places");
}

TEST(LayoutTiling, InversesOfSinglePlaces) {
  const Inverse padded = llvm::cantFail(Inverse::of(read("S[(4,8):(10,1)] + 3")));
  EXPECT_EQ(padded.element(Point({{Axis(), 3 + 27}})), 23);
  EXPECT_EQ(padded.element(Point({{Axis(), 3 + 28}})), std::nullopt);  // padding
  EXPECT_EQ(padded.element(Point({{Axis(), 2}})), std::nullopt);
  EXPECT_EQ(padded.element(Point({{Axis(), 3}, {Axis("lane"), 1}})), std::nullopt);
  const Inverse swizzled = llvm::cantFail(Inverse::of(read("swizzle(3,3,3) of S[(8,64):(64,1)]")));
  EXPECT_EQ(swizzled.element(Point({{Axis(), 204}})), 3 * 64 + 20);
  EXPECT_EQ(swizzled.element(Point({{Axis(), -1}})), std::nullopt);
}

TEST(LayoutTiling, StorageUnits) {
  EXPECT_EQ(text(unpack(read("S[(8,4):(1@lane,3)] + 5"), 2)), "S[(8,4,2):(1@lane,6,1)] + 10");
  EXPECT_EQ(text(pack(read("S[(8,4,2):(1@lane,6,1)] + 10"), 2)), "S[(8,4):(1@lane,3)] + 5");
  EXPECT_EQ(text(unpack(read("swizzle(3,3,3) of S[512:1]"), 2)), "swizzle(4,3,3) of S[1024:1]");
  EXPECT_EQ(text(pack(read("swizzle(4,3,3) of S[1024:1]"), 2)), "swizzle(3,3,3) of S[512:1]");
  EXPECT_EQ(text(pack(read("S[8:2]"), 2)),
            "error: expected 2 neighbouring elements of m innermost, to become one; the innermost run is another");
  EXPECT_EQ(text(pack(read("S[(4,8):(9,1)]"), 2)),
            "error: expected strides and offset on m in multiples of 2; some element of the packed layout would begin "
            "within a unit");
  EXPECT_EQ(text(pack(read("swizzle(0,3,3) of S[512:1]"), 2)),
            "error: the swizzle moves single elements of a unit of 2; expected a base of at least 1");
  EXPECT_EQ(text(unpack(read("swizzle(0,3,3) of S[512:1]"), 3)),
            "error: a swizzled layout is packed by powers of two, found 3");
  EXPECT_EQ(text(unpack(read("4:1"), 0)), "error: expected a positive count, found 0");
}

TEST(LayoutTiling, SplitAxes) {
  const Axis f("F"), bank("bank");
  EXPECT_EQ(text(splitAxis(read("S[(4,256):(512@F,1@F)] + 700@F"), f, 512, bank)),
            "S[(4,256):(1@bank,1@F)] + 188@F + 1@bank");
  EXPECT_EQ(text(splitAxis(read("S[(4,256):(256@F,1@F)] + 100@F"), f, 512, bank)),
            "error: the sum of the runs on axis 'F' straddles pieces of 512; expected runs that lie in one piece or "
            "fill whole ones");
  EXPECT_EQ(text(splitAxis(read("S[768:1@F]"), f, 512, bank)),
            "error: iterator 768:1 on axis 'F' straddles pieces of 512; expected runs that lie in one piece or fill "
            "whole ones");
  EXPECT_EQ(text(splitAxis(read("S[4:1@F] + 1@bank"), f, 512, bank)),
            "error: axis 'bank' is in use already; name another for the pieces");
}

TEST(LayoutTiling, Permutations) {
  EXPECT_EQ(text(permute({read("(4,2,3):(6,3,1)"), {4, 6}}, {1, 0})), "S[(6,4):(1,6)]");
  EXPECT_EQ(text(permute({read("24:1"), {4, 6}}, {0, 0})),
            "error: expected a permutation of the 2 dimensions of 4x6; name each once, from 0");
}

TEST(LayoutTiling, WindowsThatCannotBeWalked) {
  const Layout l = read("(4,8):(100,1)");
  EXPECT_EQ(text(slice({l, {32}}, {{4, 28}})), "S[(3,2,4):(100,96,1)] + 4");  // half runs
  EXPECT_EQ(text(slice({l, {32}}, {{5, 11}})), "S[(2,3):(95,1)] + 5");
  EXPECT_EQ(text(slice({l, {32}}, {{5, 12}})),
            "error: no iterators walk the window in dimension 0: it takes 7 elements from 5 of a run structure that "
            "they do not "
            "fit; move or resize it to whole runs of the layout");
  EXPECT_EQ(text(slice({l, {4, 8}}, {{1, 2}, {3, 3}})),
            "error: range 3:3 of dimension 1 is empty or outside; expected part of 0:8");
  EXPECT_EQ(text(slice({l, {4, 8}}, {{1, 2}})), "error: expected 2 index ranges, one a dimension of 4x8, found 1");
  EXPECT_EQ(text(slice({l, {5, 8}}, {{1, 2}, {0, 8}})),
            "error: expected a shape of 32 elements, as the layout has, found 5x8 with 40; change the extents of S or "
            "the shape");
  EXPECT_EQ(text(slice({l, {2, 16}}, {{0, 2}, {0, 8}})), "S[(2,8):(200,1)]");
  EXPECT_EQ(errorOf(group(read("(3,4):(100,1)"), {2, 6})),
            "shape 2x6 cuts across iterator 4:1@m: of the 4 steps left of it a dimension needs 6; expected a multiple "
            "or a divisor");
}

}  // namespace
}  // namespace forerun::layout
