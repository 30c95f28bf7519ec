//===- DistributionTest.cpp - who holds an element -------------------------===//
// What a reduction leaves, against the set of places of all elements that went into it.
#include "compiler/dialect/layout/Distribution.h"

#include "tests/compiler/dialect/layout/LayoutFixture.h"

#include <set>

namespace forerun::layout {
namespace {

TEST(LayoutDistribution, LeavesMemoryOut) {
  EXPECT_EQ(print(distribution(read("S[(8,2,4,2):(4@lane,1@team,1@lane,1)] + R[2:64] + R[2:2@team] + 3 + 1@core"))),
            "S[(8,2,4,2):(4@lane,1@team,1@lane,0)] + R[2:2@team] + 1@core");
  EXPECT_EQ(print(distribution(read("swizzle(3,3,3) of S[(8,64):(64,1)]"))), "S[(8,64):(0,0)]");
}

TEST(LayoutDistribution, ReducedUnitsBecomeReplicas) {
  const Shape rows{8, 16};
  const Layout fragment = read("S[(8,2,4,2):(4@lane,1@team,1@lane,1)]");
  EXPECT_EQ(text(reduced({fragment, rows}, {1})), "S[8:4@lane] + R[(2,4):(1@team,1@lane)]");
  EXPECT_EQ(text(reduced({fragment, rows}, {0})), "S[(2,4,2):(1@team,1@lane,1)] + R[8:4@lane]");
  EXPECT_EQ(text(reduced({fragment, rows}, {0, 1})), "S[():()] + R[(8,2,4):(4@lane,1@team,1@lane)]");
  EXPECT_EQ(text(reduced({read("S[(8,16):(0@lane,1)] + R[2:1@core] + 1@team"), rows}, {0})),
            "S[16:1] + R[2:1@core] + 1@team");
}

TEST(LayoutDistribution, MemoryThatIsLeftIsPacked) {
  EXPECT_EQ(text(reduced({read("(24,40):(48,1)"), {24, 40}}, {1})), "S[24:1]");
  EXPECT_EQ(text(reduced({read("(2,3,8):(3,1,6) + 5"), {2, 3, 8}}, {2})), "S[(2,3):(3,1)]");
  EXPECT_EQ(text(reduced({read("(2,3,8):(-100,9,300) + 100"), {2, 3, 8}}, {1})), "S[(2,8):(1,2)]");
  EXPECT_EQ(errorOf(reduced({read("(4,9):(9,2)"), {6, 6}}, {1})).substr(0, 27), "shape 6x6 cuts across itera");
}

TEST(LayoutDistribution, EveryUnitThatTookPartHoldsTheResult) {
  const Shape shape{4, 6, 4};
  for (const char* text :
       {"S[(4,2,3,4):(1@team,2@lane,1,6@lane)]", "S[(2,2,6,4):(8,1@lane,2@lane,1@team)] + R[2:4@team]",
        "S[(4,6,2,2):(24@lane,4@lane,1@core,1@lane)] + 3@lane + 2"}) {
    const Layout layout = read(text);
    for (const llvm::SmallVector<std::int64_t>& dims :
         {llvm::SmallVector<std::int64_t>{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
      const Layout result = llvm::cantFail(reduced({layout, shape}, dims));
      Shape kept(shape);
      for (std::int64_t dim : dims) kept[dim] = 1;
      using Units = std::set<std::array<std::int64_t, 3>>;
      std::vector<Units> expected(result.size()), found(result.size());
      const auto add = [](Units& units, const Layout& of, std::int64_t x) {
        for (const Point& point : of.applyAll(x))
          units.insert({point.get(Axis("lane")), point.get(Axis("team")), point.get(Axis("core"))});
      };
      for (std::int64_t x = 0; x < layout.size(); ++x) {
        const std::int64_t index[] = {x / 24, x / 4 % 6, x % 4};
        std::int64_t to = 0;
        for (unsigned d = 0; d < 3; ++d) to = to * kept[d] + (kept[d] == 1 ? 0 : index[d]);
        add(expected[to], layout, x);
      }
      for (std::int64_t x = 0; x < result.size(); ++x) add(found[x], result, x);
      EXPECT_EQ(found, expected) << text << " to " << print(result);
    }
  }
}

}  // namespace
}  // namespace forerun::layout
