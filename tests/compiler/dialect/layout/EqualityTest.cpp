//===- EqualityTest.cpp - layouts as functions -----------------------------===//
// Shifts between offset and replicas, axes that subdivide one another, swizzles, and what stays unknown.
#include "compiler/dialect/layout/Equality.h"

#include "compiler/dialect/layout/Canonical.h"
#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

Equality compared(const char* a, const char* b, const AxisSet& axes = {}) {
  const Equality result = compare(read(a), read(b), axes);
  EXPECT_EQ(compare(read(b), read(a), axes), result) << a << " and " << b << " the other way round";
  return result;
}

TEST(LayoutEquality, IsThatOfFunctionsAndSets) {
  EXPECT_EQ(compared("(2,2):(2,1)", "4:1"), Equality::Equal);
  EXPECT_EQ(compared("(2,1,2):(2,77,1)", "4:1"), Equality::Equal);
  EXPECT_EQ(compared("(2,2):(1,2)", "4:1"), Equality::Different);
  EXPECT_EQ(compared("4:1", "5:1"), Equality::Different);
  EXPECT_EQ(compared("S[4:0@lane]", "S[4:0]"), Equality::Equal);  // stride 0 is on no axis
  EXPECT_EQ(compared("S[4:1] + 1", "S[4:1]"), Equality::Different);
  EXPECT_EQ(compared("S[4:1@lane]", "S[4:1@team]"), Equality::Different);
}

TEST(LayoutEquality, ShiftsBetweenOffsetAndReplicas) {
  EXPECT_EQ(compared("S[4:1@lane] + R[4:-8@team] + 24@team", "S[4:1@lane] + R[4:8@team]"), Equality::Equal);
  EXPECT_EQ(compared("S[4:1@lane] + R[4:-8@team]", "S[4:1@lane] + R[4:8@team]"), Equality::Different);
  EXPECT_EQ(compared("S[4:1] + R[(2,3):(100,200)]", "S[4:1] + R[6:100]"), Equality::Equal);
  EXPECT_EQ(compared("S[4:1] + R[(3,2):(100,300)]", "S[4:1] + R[(2,3):(100,200)]"), Equality::Equal);
  // Sets that cannot be fused to one iterator, written in two ways: {0,3} + {0,2,4} + {0,6} + ...
  EXPECT_EQ(compared("S[4:1] + R[(2,3,2):(3,2,6)]", "S[4:1] + R[(4,3):(3,2)]"), Equality::Equal);
  EXPECT_EQ(compared("S[4:1] + R[(2,3,2):(3,2,6)]", "S[4:1] + R[(2,6):(3,2)]"), Equality::Equal);
  EXPECT_EQ(compared("S[4:1] + R[(4,3):(3,2)]", "S[4:1] + R[12:1]"), Equality::Different);
}

TEST(LayoutEquality, AxesThatSubdivideOneAnother) {
  AxisSet axes;
  llvm::cantFail(axes.addHierarchy({{Axis("lane"), 32, Axis("team")},
                                    {Axis("team"), 4, Axis("core")},
                                    {Axis("group"), 2, Axis("core")},
                                    {Axis("core"), 0, Axis("chip")},
                                    {Axis("chip"), 2, Axis("chip")}}));
  EXPECT_EQ(compared("S[(8,32):(1@team,1@lane)]", "S[256:1@lane_of_core]", axes), Equality::Equal);
  EXPECT_EQ(compared("S[(8,32):(1@team,1@lane)]", "S[256:1@lane_of_core]"),
            Equality::Different);  // axes unknown: they stand alone
  EXPECT_EQ(compared("S[(2,4):(1@group,1@team_of_group)]", "S[8:1@team]", axes), Equality::Equal);
  EXPECT_EQ(compared("S[32:1@lane] + R[4:1@team] + 1@group", "S[32:1@lane] + R[4:32@lane_of_core] + 4@team", axes),
            Equality::Equal);
  EXPECT_EQ(compared("S[(8,32):(1@team,1@lane)]", "S[(32,8):(1@lane,1@team)]", axes), Equality::Different);
  // How many lanes a chip has is not known.
  EXPECT_EQ(compared("S[2:1@chip]", "S[2:512@lane_of_chip]", axes), Equality::Unknown);
  EXPECT_EQ(compared("S[2:1@chip]", "S[2:1@chip] + R[1:5@lane]", axes), Equality::Equal);
}

TEST(LayoutEquality, SwizzlesByWhatTheyDo) {
  EXPECT_EQ(compared("swizzle(3,3,3) of S[(8,64):(64,1)]", "swizzle(3,3,3) of S[512:1]"), Equality::Equal);
  EXPECT_EQ(compared("swizzle(3,3,3) of S[(8,64):(64,1)]", "S[512:1]"), Equality::Different);
  EXPECT_EQ(compared("swizzle(3,3,3) of S[64:1]", "S[64:1]"), Equality::Equal);  // no address reaches bit 6
  EXPECT_EQ(compared("swizzle(3,3,3) of S[128:1]", "swizzle(3,1,3) of S[128:1]"), Equality::Equal);
  EXPECT_EQ(compared("swizzle(0,1,3) of S[2:8]", "S[2:9]"), Equality::Equal);  // a swizzle that is linear here
  EXPECT_EQ(compared("swizzle(0,1,3) of S[2:8@m] + 8", "S[2:9]"), Equality::Different);
  EXPECT_EQ(compared("swizzle(3,3,3) of S[512:1]", "S[(8,64):(64@lane,1)]"), Equality::Different);
  EXPECT_EQ(compared("swizzle(0,1,30) of S[(2,131072):(1073741824,0)]", "S[(2,131072):(1073741825,0)]"),
            Equality::Unknown);
}

TEST(LayoutEquality, PositionsTooFarToFlattenStayUnknown) {
  AxisSet axes;
  llvm::cantFail(axes.addHierarchy({{Axis("lane"), 1 << 20, Axis("core")}, {Axis("core"), 4, Axis("core")}}));
  EXPECT_EQ(compared("S[2:1125899906842624@core]", "S[2:1@lane]", axes), Equality::Unknown);
}

TEST(LayoutEquality, Injectivity) {
  EXPECT_EQ(isInjective(read("(4,8):(8,1)")), Distinct::Yes);
  EXPECT_EQ(isInjective(read("(4,8):(7,1)")), Distinct::No);
  EXPECT_EQ(isInjective(read("(4,8):(4,1)")), Distinct::No);
  EXPECT_EQ(isInjective(read("S[(2,3):(3,2)]")), Distinct::Yes);  // 0 2 4 3 5 7
  EXPECT_EQ(isInjective(read("S[(4,4):(1@lane,1)]")), Distinct::Yes);
  EXPECT_EQ(isInjective(read("S[(4,4):(1@lane,0)]")), Distinct::No);
  EXPECT_EQ(isInjective(read("S[4:1@lane] + R[4:2@lane]")), Distinct::No);
  EXPECT_EQ(isInjective(read("S[(1000,1000):(1001,999)]")), Distinct::Unknown);
}

}  // namespace
}  // namespace forerun::layout
