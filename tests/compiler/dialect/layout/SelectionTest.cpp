//===- SelectionTest.cpp - ranges of units ----------------------------------===//
// Golden values of the language's scopes, and every small range against counting.
#include "compiler/dialect/layout/Selection.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace forerun::layout {
namespace {

using Ranges = std::vector<Units>;

Ranges ranges(llvm::StringRef name, std::int64_t low, std::int64_t high, llvm::ArrayRef<Coarser> coarser,
              std::int64_t step = 1) {
  const Units units = llvm::cantFail(unitsOf(low, high, step));
  llvm::Expected<llvm::SmallVector<Units, 4>> parts = split(name, units, coarser);
  if (!parts) {
    llvm::consumeError(parts.takeError());
    return {};
  }
  return {parts->begin(), parts->end()};
}

std::string refusal(llvm::StringRef name, std::int64_t low, std::int64_t high, llvm::ArrayRef<Coarser> coarser) {
  auto parts = split(name, llvm::cantFail(unitsOf(low, high)), coarser);
  return parts ? "" : llvm::toString(parts.takeError());
}

TEST(Selection, GoldenRanges) {
  const Coarser groups[] = {{"group", 4}}, teams[] = {{"team", 32}};
  EXPECT_EQ(ranges("team", 0, 8, groups), (Ranges{{2, 0}, {4, 0}}));
  EXPECT_EQ(ranges("team", 6, 8, groups), (Ranges{{1, 1}, {2, 2}}));
  EXPECT_EQ(refusal("team", 2, 6, groups),
            "team [2 : 6] crosses a boundary between units of 'group', which hold 4 teams each, and does not take the "
            "same of each of them");
  EXPECT_EQ(ranges("lane", 34, 40, teams), (Ranges{{1, 1}, {6, 2}}));
  EXPECT_EQ(refusal("lane", 20, 50, teams),
            "lane [20 : 50] crosses a boundary between units of 'team', which hold 32 lanes each, and does not take "
            "the same of each of them");
  EXPECT_EQ(llvm::cantFail(unitsOf(0, 4, 2)), (Units{2, 0, 2}));
}

TEST(Selection, AnyGroupAndTeamSize) {
  const Coarser amd[] = {{"team", 64}, {"group", 3}};
  EXPECT_EQ(ranges("lane", 192, 384, amd), (Ranges{{1, 1}, {3, 0}, {64, 0}}));
  EXPECT_EQ(ranges("lane", 64, 128, amd), (Ranges{{1, 0}, {1, 1}, {64, 0}}));
  EXPECT_EQ(ranges("lane", 0, 384, amd, 2), (Ranges{{2, 0}, {3, 0}, {32, 0, 2}}));
  EXPECT_EQ(ranges("lane", 5, 384, amd, 64), (Ranges{{2, 0}, {3, 0}, {1, 5}}));
}

TEST(Selection, EverySmallRangeIsTheProductOrRefused) {
  for (std::int64_t holds = 1; holds <= 6; ++holds)
    for (std::int64_t low = 0; low < 12; ++low)
      for (std::int64_t high = low + 1; high <= 13; ++high)
        for (std::int64_t step = 1; step <= 7; ++step) {
          std::set<std::int64_t> expected;
          for (std::int64_t unit = low; unit < high; unit += step) expected.insert(unit);
          // It is a product when every coarser unit has the same of it, and those are a range with a stride.
          std::set<std::set<std::int64_t>> alike;
          std::set<std::int64_t> coarse;
          for (std::int64_t unit : expected) coarse.insert(unit / holds);
          for (std::int64_t outer : coarse) {
            std::set<std::int64_t> inside;
            for (std::int64_t unit : expected)
              if (unit / holds == outer) inside.insert(unit % holds);
            alike.insert(inside);
          }
          const Ranges found = ranges("team", low, high, Coarser{"group", holds}, step);
          const bool isProduct = alike.size() == 1;
          ASSERT_EQ(!found.empty(), isProduct) << holds << ": " << low << " " << high << " " << step;
          if (!isProduct) continue;
          std::set<std::int64_t> units;
          for (std::int64_t i = 0; i < found[0].extent; ++i)
            for (std::int64_t j = 0; j < found[1].extent; ++j)
              units.insert((found[0].offset + i * found[0].stride) * holds + found[1].offset + j * found[1].stride);
          ASSERT_EQ(units, expected) << holds << ": " << low << " " << high << " " << step;
        }
}

TEST(Selection, EmptyAndBackwardRangesAreErrors) {
  EXPECT_EQ(llvm::toString(unitsOf(3, 3).takeError()),
            "[3 : 3 : 1] selects nothing; a range has 0 <= low < high and a step of at least 1");
  EXPECT_EQ(llvm::toString(unitsOf(0, 4, 0).takeError()),
            "[0 : 4 : 0] selects nothing; a range has 0 <= low < high and a step of at least 1");
}

TEST(Selection, DeclaredExtents) {
  EXPECT_FALSE(checkExtents({128}, {{4}, {32}}));
  EXPECT_EQ(llvm::toString(checkExtents({128}, {{2}, {32}})),
            "expected parts whose product is 128 in dimension 0, found 64");
  EXPECT_FALSE(checkExtents({8, 10, 12}, {{4, 5, 12}, {2, 2, 1}}));
  EXPECT_EQ(llvm::toString(checkExtents({8, 10, 12}, {{3, 5, 12}, {2, 2, 1}})),
            "expected parts whose product is 8 in dimension 0, found 6");
}

}  // namespace
}  // namespace forerun::layout
