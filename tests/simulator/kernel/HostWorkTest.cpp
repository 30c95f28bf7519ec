//===- HostWorkTest.cpp - arithmetic beside the simulation ------------------===//
// Order and completeness, whoever runs the work.
#include "simulator/kernel/HostWork.h"

#include "gtest/gtest.h"

#include <chrono>
#include <vector>

namespace forerun::sim {
namespace {

TEST(HostWork, RunsEverythingInOrderWhoeverWaits) {
  for (const std::size_t wakeAt : {0, 1, 9}) {
    std::vector<int> done;  // unguarded: pieces must not overlap
    HostWork work(wakeAt, wakeAt != 0);
    HostWork::Ticket ticket = 0;
    for (int i = 0; i < 20000; ++i) {
      const HostWork::Ticket next = work.add([&done, i] { done.push_back(i); });
      if (i % 7 == 0) ticket = next;
      if (i % 100 == 50) work.wait(ticket);
    }
    work.wait(work.add([&done] { done.push_back(20000); }));
    ASSERT_EQ(done.size(), 20001u);
    for (int i = 0; i <= 20000; ++i) ASSERT_EQ(done[static_cast<std::size_t>(i)], i);
  }
}

TEST(HostWork, WaitsForWorkThatRuns) {
  HostWork work(1, true);
  int value = 0;
  const HostWork::Ticket ticket = work.add([&value] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    value = 1;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  work.wait(ticket);
  EXPECT_EQ(value, 1);
}

TEST(HostWork, FinishesBeforeItEnds) {
  int count = 0;
  {
    HostWork work(1, true);
    for (int i = 0; i < 1000; ++i) work.add([&count] { ++count; });
  }
  EXPECT_EQ(count, 1000);
}

}  // namespace
}  // namespace forerun::sim
