//===- GoldenTest.cpp - layouts with known values --------------------------===//
// Cases whose values come from public implementations' tests or were checked by an independent model.
#include "compiler/dialect/layout/Banks.h"
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"
#include "compiler/dialect/layout/Storage.h"
#include "compiler/dialect/layout/Tiling.h"
#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

TEST(LayoutGolden, FragmentWithReplicas) {
  const Layout l = read("S[(8,2,4,2):(4@lane,1@warp,1@lane,1)] + R[2:4@warp] + 5@warp");
  EXPECT_EQ(placesAt(l, {8, 16}, {0, 0}), "lane 0, warp 5, m 0; lane 0, warp 9, m 0");
  EXPECT_EQ(placesAt(l, {8, 16}, {1, 0}), "lane 4, warp 5, m 0; lane 4, warp 9, m 0");
  EXPECT_EQ(placesAt(l, {8, 16}, {0, 8}), "lane 0, warp 6, m 0; lane 0, warp 10, m 0");
  EXPECT_EQ(placesAt(l, {8, 16}, {7, 15}), "lane 31, warp 6, m 1; lane 31, warp 10, m 1");
}

TEST(LayoutGolden, CanonicalForm) {
  EXPECT_EQ(print(canonicalize(read("(3,4,5,2):(20,5,1,60)"))), "S[(60,2):(1,60)]");
  EXPECT_EQ(print(canonicalize(read("(8,2,3,6):(6,24,6,1)"))), "S[(8,2,18):(6,24,1)]");
}

TEST(LayoutGolden, Tile) {
  const Layout inner = read("(2,4):(1,2)"), outer = read("(8,8):(8,1)");
  EXPECT_EQ(inner.span(Axis()), 8);
  EXPECT_EQ(text(tile({inner, {2, 4}}, {outer, {8, 8}})), "S[(8,2,32):(64,1,2)]");
}

TEST(LayoutGolden, TileOfFragments) {
  EXPECT_EQ(text(tile({read("(1,2):(2,1)"), {1, 2}}, {read("(8,4):(4@lane,1@lane)"), {8, 4}})), "S[(32,2):(1@lane,1)]");
}

TEST(LayoutGolden, TileOverReplicatedTeams) {
  EXPECT_EQ(text(tile({read("(64,128):(128,1)"), {64, 128}}, {read("S[2:2@warp] + R[2:1@warp]"), {2, 1}})),
            "S[(2,8192):(2@warp,1)] + R[2:1@warp]");
}

TEST(LayoutGolden, DirectSum) {
  EXPECT_EQ(text(directSum({read("(2,2):(8,2)"), {2, 2}}, {read("(2,2):(4,1)"), {2, 2}})), "S[16:1]");
}

TEST(LayoutGolden, Slice) {
  const Layout l = read("(2,8,3,8):(192,8,64,1)");
  llvm::Expected<Layout> window = slice({l, {16, 24}}, {{2, 6}, {4, 12}});
  ASSERT_EQ(text(window ? *window : Layout()), "S[(4,2,4):(8,60,1)] + 20");
  std::string row;
  for (std::int64_t j = 0; j < 8; ++j) row += placesAt(*window, {4, 8}, {0, j}) + " ";
  EXPECT_EQ(row, "m 20 m 21 m 22 m 23 m 80 m 81 m 82 m 83 ");
}

TEST(LayoutGolden, SwizzleSpreadsRowsOverBanks) {
  const Layout l = read("swizzle(3,3,3) of S[(8,64):(64,1)]");
  const BankGeometry banks{32, 4, 1};
  for (std::int64_t i = 0; i < 8; ++i) {
    const std::int64_t address = l.apply(64 * i).get(Axis());
    EXPECT_EQ(address, 72 * i);
    EXPECT_EQ(bankOf(address, 16, banks), 4 * i);
  }
  EXPECT_EQ(placesAt(l, {8, 64}, {3, 20}), "m 204");
}

TEST(LayoutGolden, SplitOverBanks) {
  llvm::Expected<Layout> l = splitAxis(read("S[(1024,8):(1@F,1@P)]"), Axis("F"), 512, Axis("bank"));
  ASSERT_EQ(errorOf(l ? llvm::Error::success() : l.takeError()), "none");
  EXPECT_EQ(placesAt(*l, {1024, 8}, {700, 3}), "bank 1, F 188, P 3");
}

TEST(LayoutGolden, PartitionedMemory) {
  EXPECT_EQ(placesAt(read("S[(32,4,128,512):(512@F,16384@F,1@P,1@F)]"), {32, 512, 512}, {3, 300, 7}), "F 34311, P 44");
}

TEST(LayoutGolden, CommonRefinement) {
  llvm::Expected<Refinement> r = commonRefinement(read("30:1"), {6, 5}, {2, 15});
  ASSERT_TRUE(static_cast<bool>(r));
  EXPECT_EQ(print(r->layout), "S[(2,3,5):(15,5,1)]");
  EXPECT_EQ(llvm::ArrayRef<unsigned>(r->first), llvm::ArrayRef<unsigned>({0, 2, 3}));
  EXPECT_EQ(llvm::ArrayRef<unsigned>(r->second), llvm::ArrayRef<unsigned>({0, 1, 3}));
  EXPECT_EQ(errorOf(commonRefinement(read("12:1"), {3, 4}, {2, 6})),
            "shapes 3x4 and 2x6 have no common refinement: dimensions end after 4 and after 6 elements, and neither "
            "divides the "
            "other");
}

TEST(LayoutGolden, MeshOfDevices) {
  EXPECT_EQ(placesAt(read("S[(2,32,128):(1@gx,128,1)] + R[2:1@gy]"), {64, 128}, {33, 5}),
            "gx 1, m 133, gy 0; gx 1, m 133, gy 1");
}

TEST(LayoutGolden, Span) {
  EXPECT_EQ(read("(8,6):(8,1)").span(Axis()), 62);
  EXPECT_EQ(read("S[(8,8,8):(64@F,1@P,1@F)]").span(Axis("F")), 456);
}

TEST(LayoutGolden, SameReplicaSetWrittenDifferently) {
  EXPECT_EQ(compare(read("S[4:1@lane] + R[(8,4):(4,1)]"), read("S[4:1@lane] + R[32:1]")), Equality::Equal);
}

}  // namespace
}  // namespace forerun::layout
