//===- AccountTest.cpp - stall accounts and statistics ----------------------===//
#include "simulator/kernel/StallAccount.h"
#include "simulator/kernel/Statistics.h"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

enum class Why { Operand, Output };

TEST(StallAccount, FirstOwnerKeepsACycleAndTheRestIsIdle) {
  StallAccount<Why, 2> account;
  account.busyUntil(10);
  account.stallUntil(Why::Operand, 8);  // already accounted
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
