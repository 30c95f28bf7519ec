//===- AccountTest.cpp - stall accounts, occupancy and statistics -----------===//
#include "simulator/kernel/OccupancyCalendar.h"
#include "simulator/kernel/StallAccount.h"
#include "simulator/kernel/Statistics.h"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

enum class Why { Operand, Output };

TEST(StallAccount, FirstOwnerKeepsACycleAndTheRestIsIdle) {
  StallAccount<Why, 2> account;
  account.busyUntil(10);
  account.stallUntil(Why::Operand, 8);   // already accounted
  account.stallUntil(Why::Operand, 15);
  account.addBusy(5);
  account.addStall(Why::Output, 1);
  account.finish(30, "unit");
  EXPECT_EQ(account.busy(), 15u);
  EXPECT_EQ(account.stalled(Why::Operand), 5u);
  EXPECT_EQ(account.stalled(Why::Output), 1u);
  EXPECT_EQ(account.idle(), 9u);
}

TEST(StallAccount, ResidualIsAModelBug) {
  StallAccount<Why, 2> account;
  account.busyUntil(11);
  try {
    account.finish(10, "core 0 matrix");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::ModelBug);
    EXPECT_EQ(error.component, "core 0 matrix");
  }
}

TEST(OccupancyCalendar, DelaysWhenAllEntriesAreInUse) {
  OccupancyCalendar pool(nullptr, 2);
  pool.occupy(0, 100);
  EXPECT_EQ(pool.firstFree(5), 5u);
  pool.occupy(5, 64);
  EXPECT_EQ(pool.firstFree(6), 64u);   // slots of 16 cycles: 0..3 are full
  EXPECT_EQ(pool.firstFree(63), 64u);
  EXPECT_EQ(pool.firstFree(64), 64u);
  pool.occupy(64, 65);
  EXPECT_EQ(pool.firstFree(64), 80u);
}

TEST(OccupancyCalendar, GrowsAndForgets) {
  Horizon horizon;
  OccupancyCalendar pool(&horizon, 1);
  for (Cycles t = 0; t < 10'000'000; t += 1'000) {
    horizon.now = t;
    ASSERT_EQ(pool.firstFree(t), t);
    pool.occupy(t, t + 5'000 * (t % 3'000 == 0));
    if (t % 3'000 == 0) {
      ASSERT_EQ(pool.firstFree(t), (t + 5'000 + 15) / 16 * 16);
      horizon.now = t += 6'000;
    }
  }
}

TEST(StatisticsTree, FindsFiguresByPath) {
  StatisticsTree tree;
  tree.child("dram").child("channel0").count("rowHits", "bursts", 7);
  tree.child("dram").real("rowHitRate", "", 0.5);
  EXPECT_EQ(tree.find("dram.channel0.rowHits")->count, 7u);
  EXPECT_EQ(tree.find("dram.rowHitRate")->value(), 0.5);
  EXPECT_EQ(tree.find("dram.channel1.rowHits"), nullptr);
  EXPECT_EQ(tree.find("cache"), nullptr);
}

}  // namespace
}  // namespace forerun::sim
