//===- ReservationCalendarTest.cpp - booking against a brute force ----------===//
#include "simulator/kernel/ReservationCalendar.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace forerun::sim {
namespace {

/// One flag a cycle; first fit by looking at every cycle.
struct BruteForce {
  Cycles reserve(Cycles at, Cycles duration) {
    for (Cycles start = at;; ++start) {
      bool free = true;
      for (Cycles c = start; c < start + duration && free; ++c) free = !taken[c];
      if (!free) continue;
      for (Cycles c = start; c < start + duration; ++c) taken[c] = true;
      return start;
    }
  }
  std::vector<bool> taken = std::vector<bool>(1 << 17);
};

TEST(ReservationCalendar, TakesTheRequestedCycleWhenItIsFree) {
  ReservationCalendar calendar;
  EXPECT_EQ(calendar.reserve(10, 4), 10u);
  EXPECT_EQ(calendar.reserve(13, 1), 14u);  // last booked cycle is 13
  EXPECT_EQ(calendar.reserve(15, 1), 15u);
  EXPECT_EQ(calendar.busyCycles(), 6u);
  EXPECT_EQ(calendar.lastEnd(), 16u);
}

TEST(ReservationCalendar, BackfillsExactlyFittingGap) {
  ReservationCalendar calendar;
  calendar.reserve(0, 10);
  calendar.reserve(15, 10);
  EXPECT_EQ(calendar.probe(0, 6), 25u);  // the gap has 5 cycles
  EXPECT_EQ(calendar.reserve(0, 5), 10u);
  EXPECT_EQ(calendar.reserve(0, 1), 25u);
}

TEST(ReservationCalendar, DurationZeroBooksNothing) {
  ReservationCalendar calendar;
  calendar.reserve(0, 3);
  EXPECT_EQ(calendar.reserve(1, 0), 1u);
  EXPECT_EQ(calendar.busyCycles(), 3u);
}

TEST(ReservationCalendar, ForgetsBeforeTheHorizonAndClampsToIt) {
  Horizon horizon;
  ReservationCalendar calendar(&horizon);
  for (Cycles t = 0; t < 5'000'000; t += 700) {
    horizon.now = t;
    EXPECT_EQ(calendar.reserve(t, 3), t);
  }
  EXPECT_EQ(calendar.reserve(0, 1), horizon.now + 3);
}

TEST(ReservationCalendar, MatchesBruteForceOnRandomRequests) {
  for (unsigned seed = 0; seed < 36; ++seed) {
    std::mt19937_64 random(seed);
    Horizon horizon;
    ReservationCalendar calendar(&horizon);
    BruteForce expected;
    const Cycles longest = seed % 4 == 0 ? 1 : seed % 4 == 1 ? 7 : seed % 4 == 2 ? 64 : 200;
    const Cycles spread = seed % 3 == 0 ? 100 : 3000;
    for (unsigned i = 0; i < 700; ++i) {
      if (random() % 16 == 0) horizon.now += random() % (2 * longest);
      Cycles at = horizon.now + random() % spread, duration = 1 + random() % longest;
      ASSERT_EQ(calendar.probe(at, duration), calendar.probe(at, duration));
      ASSERT_EQ(calendar.reserve(at, duration), expected.reserve(at, duration))
          << "seed " << seed << " request " << i << " at " << at << " + " << duration;
    }
  }
}

TEST(ReservationCalendar, BulkEqualsSingleRequests) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    std::mt19937_64 random(seed);
    ReservationCalendar bulk, single;
    for (unsigned i = 0; i < 300; ++i) {
      Cycles at = random() % 4000, duration = 1 + random() % (seed % 2 ? 5 : 90);
      std::uint64_t count = 1 + random() % 20;
      auto span = bulk.reserveMany(at, duration, count);
      Cycles start = kNever, end = 0;
      for (std::uint64_t c = 0; c < count; ++c) {
        Cycles s = single.reserve(at, duration);
        start = std::min(start, s);
        end = std::max(end, s + duration);
      }
      ASSERT_EQ(span.start, start);
      ASSERT_EQ(span.end, end);
      ASSERT_EQ(bulk.busyCycles(), single.busyCycles());
    }
  }
}

}  // namespace
}  // namespace forerun::sim
