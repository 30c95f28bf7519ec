//===- SyncTest.cpp - barriers, semaphores, tokens, work items ---------------===//
#include "simulator/kernel/Error.h"
#include "simulator/sync/Barriers.h"
#include "simulator/sync/Semaphores.h"
#include "simulator/sync/Tokens.h"
#include "simulator/sync/WorkItems.h"

#include <gtest/gtest.h>

namespace forerun::sim::sync {
namespace {

const targets::SyncSpec kSpec{
    .barriers = 4, .semaphores = 4, .barrierCycles = 7, .semaphoreCycles = 5, .tokenCycles = 3};
const HartId kA{0, 0}, kB{0, 1};

TEST(Barriers, WakesBarrierCyclesAfterTheLastArrival) {
  Barriers barriers(kSpec);
  std::vector<Wake> woken;
  barriers.init(kA, 1, 2, 0);
  Outcome first = barriers.arrive(kA, 1, 0, 10, woken);
  EXPECT_EQ(first.value, 0u);
  EXPECT_FALSE(barriers.wait(kA, 1, 0, 11).done);
  EXPECT_TRUE(woken.empty());
  EXPECT_EQ(barriers.arrive(kB, 1, 0, 20, woken).value, 0u);
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_EQ(woken[0].at, 27u);
  EXPECT_EQ(barriers.wait(kB, 1, 0, 20).at, 27u);
  EXPECT_EQ(barriers.wait(kB, 1, 0, 26).at, 27u);
  EXPECT_EQ(barriers.wait(kB, 1, 0, 28).at, 28u);
  EXPECT_EQ(barriers.arrive(kA, 1, 0, 30, woken).value, 1u);
}

TEST(Barriers, NeedsBytesAsWellInAnyOrder) {
  for (bool early : {false, true}) {
    Barriers barriers(kSpec);
    std::vector<Wake> woken;
    barriers.init(kA, 0, 1, 0);
    if (early) barriers.credit(0, 256, 5, woken);
    barriers.arrive(kA, 0, 256, 10, woken);
    Outcome outcome = barriers.wait(kA, 0, 0, 10);
    EXPECT_EQ(outcome.done, early);
    if (early) {
      EXPECT_EQ(outcome.at, 17u);
      continue;
    }
    barriers.credit(0, 255, 90, woken);
    EXPECT_TRUE(woken.empty());
    EXPECT_THROW(barriers.arrive(kB, 0, 0, 95, woken), Error);
    barriers.credit(0, 1, 100, woken);
    ASSERT_EQ(woken.size(), 1u);
    EXPECT_EQ(woken[0].at, 107u);
  }
}

TEST(Barriers, RefusesWhatDoesNotExist) {
  Barriers barriers(kSpec);
  std::vector<Wake> woken;
  EXPECT_THROW(barriers.init(kA, 4, 1, 0), Error);
  EXPECT_THROW(barriers.init(kA, 0, 0, 0), Error);
  EXPECT_THROW(barriers.arrive(kA, 0, 0, 0, woken), Error);
  EXPECT_THROW(barriers.wait(kA, 0, 0, 0), Error);
  barriers.init(kA, 0, 2, 0);
  barriers.wait(kA, 0, 0, 5);
  EXPECT_THROW(barriers.init(kA, 0, 2, 6), Error);
}

TEST(Barriers, DescribeWhoWaitsForWhat) {
  Barriers barriers(kSpec);
  std::vector<Wake> woken;
  barriers.init(kA, 2, 4, 0);
  barriers.arrive(kB, 2, 64, 1, woken);
  barriers.wait(kB, 2, 0, 12);
  std::vector<Waiting> waiting;
  barriers.describe(waiting);
  EXPECT_EQ(describeDeadlock(waiting),
            "nothing can go on; waiting:\n  core 0 team 1 since cycle 12 for barrier 2 phase 0 (phase 0 is open: 3 of "
            "4 arrivals, 64 bytes missing)");
}

TEST(Semaphores, CountSemaphoreCyclesAfterTheAddition) {
  Semaphores semaphores(kSpec);
  std::vector<Wake> woken;
  EXPECT_TRUE(semaphores.wait(kA, 0, 0, 4).done);
  EXPECT_FALSE(semaphores.wait(kA, 0, 3, 4).done);
  semaphores.add(0, 2, 10, woken);
  EXPECT_TRUE(woken.empty());
  semaphores.add(0, 1, 20, woken);
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_EQ(woken[0].at, 25u);
  EXPECT_EQ(semaphores.wait(kB, 0, 2, 14).at, 15u);
  EXPECT_EQ(semaphores.wait(kB, 0, 2, 16).at, 16u);
  EXPECT_EQ(semaphores.wait(kB, 0, 3, 16).at, 25u);
  EXPECT_THROW(semaphores.add(4, 1, 0, woken), Error);
}

TEST(Semaphores, TimeDoesNotDependOnTheOrderOfCalls) {
  Semaphores semaphores(kSpec);
  std::vector<Wake> woken;
  semaphores.add(1, 1, 50, woken);
  semaphores.add(1, 1, 10, woken);
  EXPECT_EQ(semaphores.wait(kA, 1, 1, 0).at, 15u);
  EXPECT_EQ(semaphores.wait(kA, 1, 2, 0).at, 55u);
  for (int i = 0; i < 1000; ++i) semaphores.add(1, 1, 100 + i, woken);
  EXPECT_EQ(semaphores.value(1), 1002u);
  EXPECT_EQ(semaphores.wait(kA, 1, 1002, 0).at, 1099u + 5);
}

TEST(Tokens, AreSeenTokenCyclesAfterRetirement) {
  Tokens tokens(kSpec, {"dma0", "matrix"});
  std::vector<Wake> woken;
  std::uint64_t first = tokens.issue(1), second = tokens.issue(1);
  EXPECT_EQ(first, (std::uint64_t{1} << 56) + 1);
  EXPECT_FALSE(tokens.wait(kA, second, 5).done);
  EXPECT_EQ(tokens.test(first, 5).value, 0u);
  EXPECT_EQ(tokens.retiredAt(first), kNever);
  tokens.retire(1, 40, woken);
  EXPECT_TRUE(woken.empty());
  EXPECT_EQ(tokens.test(first, 42).value, 0u);
  EXPECT_EQ(tokens.test(first, 43).value, 1u);
  tokens.retire(1, 30, woken);  // retires in order: not before its predecessor
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_EQ(woken[0].at, 43u);
  EXPECT_EQ(tokens.retiredAt(second), 40u);
  EXPECT_EQ(tokens.wait(kB, first, 41).at, 43u);
  EXPECT_EQ(tokens.wait(kB, 0, 41).at, 41u);
}

TEST(Tokens, RefuseForeignOnesAndReportUnwaitedCommands) {
  Tokens tokens(kSpec, {"dma0", "matrix"});
  std::uint64_t token = tokens.issue(0);
  tokens.issue(0);
  tokens.issue(0);
  EXPECT_THROW(tokens.wait(kA, token + 3, 0), Error);
  EXPECT_THROW(tokens.test(std::uint64_t{1} << 56, 0), Error);
  EXPECT_THROW(tokens.wait(kA, (std::uint64_t{2} << 56) + 1, 0), Error);
  EXPECT_EQ(tokens.neverWaitedFor(0), 3u);
  tokens.wait(kA, token + 1, 0);
  EXPECT_EQ(tokens.neverWaitedFor(0), 1u);
  tokens.tie(token + 2);
  EXPECT_EQ(tokens.neverWaitedFor(0), 0u);
  std::vector<Waiting> waiting;
  tokens.describe(waiting);
  EXPECT_EQ(waiting.at(0).reason, "command 2 of queue dma0 (0 of 3 retired)");
}

TEST(WorkItems, StaticItemsStrideOverCores) {
  WorkItems items({.dynamic = false, .nextItemCycles = 4}, 2, 2, 5);
  EXPECT_EQ(items.next({1, 0}, 10).value, 1u);
  EXPECT_EQ(items.next({1, 0}, 10).at, 14u);
  EXPECT_EQ(items.next({1, 1}, 10).value, 1u);
  EXPECT_EQ(items.next({1, 1}, 10).value, 3u);
  EXPECT_EQ(items.next({1, 1}, 10).value, ~0ull);
  EXPECT_EQ(items.next({0, 0}, 10).value, 0u);
}

TEST(WorkItems, DynamicItemsGoToWhoAsksFirstAndStayWithTheCore) {
  WorkItems items({.dynamic = true}, 2, 2, 3);
  EXPECT_EQ(items.next({1, 0}, 0).value, 0u);
  EXPECT_EQ(items.next({0, 1}, 0).value, 1u);
  EXPECT_EQ(items.next({1, 0}, 0).value, 2u);
  EXPECT_EQ(items.next({1, 1}, 0).value, 0u);
  EXPECT_EQ(items.next({1, 1}, 0).value, 2u);
  EXPECT_EQ(items.next({1, 1}, 0).value, ~0ull);
  EXPECT_EQ(items.next({0, 0}, 0).value, 1u);
  EXPECT_EQ(items.next({0, 0}, 0).value, ~0ull);
  EXPECT_EQ(items.handedOut(), 3u);
}

TEST(WorkItems, DynamicHandsOutEachItemOnceInLongRuns) {
  WorkItems items({.dynamic = true}, 3, 2, 1000);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0;; ++i) {
    std::uint64_t item = items.next({i % 3, 0}, i).value;
    if (item == ~0ull) break;
    EXPECT_EQ(items.next({i % 3, 1}, i).value, item);
    sum += item;
  }
  EXPECT_EQ(sum, 999u * 500);
}

}  // namespace
}  // namespace forerun::sim::sync
