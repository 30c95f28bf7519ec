//===- ScratchTimingTest.cpp - banks, ports and races of local memories ----------------===//
// Conflicts at the cycle, backfilling, and what counts as a race.
#include "simulator/kernel/Error.h"
#include "simulator/scratchpad/BankedMemoryTiming.h"
#include "simulator/scratchpad/RaceTracker.h"

#include <gtest/gtest.h>

using namespace forerun;
using namespace forerun::sim;

namespace {

targets::BankedMemorySpec spec(std::uint32_t ports = 1) {
  return {.banks = 4, .bytesPerBank = 4096, .ports = ports, .bankWidthBytes = 8, .latencyCycles = 5};
}

TEST(BankedMemoryTiming, aBankServesOnePortACycle) {
  BankedMemoryTiming memory(spec(), nullptr);
  EXPECT_EQ(memory.read(0, 8, 10).ready, 15u);
  const auto other = memory.read(8, 8, 10);  // another bank
  EXPECT_EQ(other.ready, 15u);
  EXPECT_FALSE(other.conflict);
  const auto same = memory.read(32, 8, 10);  // bank 0 again
  EXPECT_EQ(same.ready, 16u);
  EXPECT_TRUE(same.conflict);
  EXPECT_EQ(memory.read(64, 8, 11).ready, 17u);
}

TEST(BankedMemoryTiming, twoPortsTakeTwo) {
  BankedMemoryTiming memory(spec(2), nullptr);
  EXPECT_EQ(memory.read(0, 8, 10).ready, 15u);
  EXPECT_EQ(memory.read(32, 8, 10).ready, 15u);
  EXPECT_EQ(memory.read(64, 8, 10).ready, 16u);
}

TEST(BankedMemoryTiming, rowsLongerThanAllBanksTakeMoreCycles) {
  BankedMemoryTiming memory(spec(), nullptr);
  EXPECT_EQ(memory.read(0, 32, 0).last, 0u);
  EXPECT_EQ(memory.read(0, 64, 10).last, 11u);
  EXPECT_EQ(memory.read(4, 32, 20).last, 21u);  // unaligned: five words
}

TEST(BankedMemoryTiming, earlierRequestsFillGaps) {
  Horizon horizon;
  BankedMemoryTiming memory(spec(), &horizon);
  EXPECT_EQ(memory.read(0, 8, 1000).last, 1000u);
  EXPECT_EQ(memory.read(0, 8, 10).last, 10u);
  horizon.now = 5000;
  EXPECT_EQ(memory.read(0, 8, 9000).last, 9000u);  // the ring moves on
  EXPECT_EQ(memory.read(0, 8, 5000).last, 5000u);
}

TEST(BankedMemoryTiming, readsAndWritesShareBanksAndAreCountedApart) {
  BankedMemoryTiming memory(spec(), nullptr);
  EXPECT_EQ(memory.read(0, 8, 10).last, 10u);
  EXPECT_EQ(memory.write(32, 8, 10).last, 11u);
  memory.write(0, 64, 20);
  EXPECT_EQ(memory.bytesRead(), 8u);
  EXPECT_EQ(memory.bytesWritten(), 72u);
}

StridedBox box(std::uint64_t first, std::uint64_t bytes) {
  StridedBox b;
  b.first = first;
  b.runBytes = bytes;
  return b;
}

TEST(RaceTracker, findsConflictsUntilRetirement) {
  RaceTracker races(0x1000, 0x1000, 0x8000, 0x1000);
  RaceParty reader{
      .id = 1, .core = 0, .queue = 0, .sequence = 1, .pc = 0x40000000, .name = "xdma.copy", .after = {0, 0}};
  races.add(reader, box(0x1100, 64), false);
  EXPECT_NO_THROW(races.check(0x1100, 4, false, 0x1100));
  EXPECT_NO_THROW(races.check(0x10fc, 4, true, 0x10fc));
  EXPECT_THROW(races.check(0x10fd, 4, true, 0x10fd), Error);
  EXPECT_THROW(races.check(0x113f, 1, true, 0x113f), Error);
  EXPECT_NO_THROW(races.check(0x1140, 1, true, 0x1140));
  RaceParty writer{.id = 2, .core = 0, .queue = 1, .sequence = 1, .pc = 0, .name = "xmm.store", .after = {0, 0}};
  EXPECT_THROW(races.add(writer, box(0x1120, 8), true), Error);
  writer.after = {1, 0};  // passed as `after`
  EXPECT_NO_THROW(races.add(writer, box(0x1120, 8), true));
  EXPECT_THROW(races.check(0x1120, 4, false, 0x1120), Error);
  races.remove(2);
  races.remove(1);
  EXPECT_NO_THROW(races.check(0x1100, 64, true, 0x1100));
  EXPECT_TRUE(races.empty());
}

TEST(RaceTracker, strideBetweenRowsIsFree) {
  RaceTracker races(0, 0x10000, 0x100000, 0x1000);
  StridedBox columns = box(0, 64);
  columns.dimensions = 1;
  columns.count[0] = 16;
  columns.stride[0] = 512;
  RaceParty party{.id = 1, .core = 0, .queue = 0, .sequence = 1, .pc = 0, .name = "xmm.run", .after = {}};
  races.add(party, columns, true);
  EXPECT_THROW(races.check(512, 4, false, 512), Error);
  EXPECT_NO_THROW(races.check(512 + 64, 4, true, 576));
}

}  // namespace
