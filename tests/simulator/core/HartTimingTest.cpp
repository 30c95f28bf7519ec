//===- HartTimingTest.cpp - cycles of short sequences -----------------------===//
// Where each cycle of a hart goes, checked on sequences whose time can be counted by hand.
#include "simulator/core/StreamBuffer.h"
#include "simulator/core/Timing.h"

#include "tests/simulator/core/ScalarAssembler.h"
#include "tests/simulator/core/TestMachine.h"

#include <gtest/gtest.h>

#include <numeric>

namespace forerun::sim::core {
namespace {

using namespace assembly;

/// No cache misses and no branch penalty, so that a test sees only what it is about.
targets::TeamSpec plainTeam() {
  targets::TeamSpec team = testTeam();
  team.icacheBytes = team.icachePrefetchLines = 0;
  team.latencies.branchTaken = 0;
  return team;
}

struct Measured {
  Cycles total = 0;
  HartCycles cycles;
  std::uint64_t instructions = 0;
  std::uint64_t stalled(StallCause cause) const { return cycles.stalls[static_cast<std::size_t>(cause)]; }
};

/// Runs the words and a return; the return's own cycle is not counted.
Measured timeOf(std::vector<std::uint32_t> words, const targets::TeamSpec& team = plainTeam(),
                Cycles quantum = kNever) {
  words.push_back(ret());
  TestMachine machine(HartMode::Timed, team);
  machine.start(words);
  while (machine.hart().status() != HartStatus::Exited)
    machine.hart().runUntil(quantum == kNever ? kNever : machine.hart().now() + quantum);
  Measured run;
  run.total = machine.hart().now();
  run.cycles = machine.hart().cycles(run.total);
  run.instructions = machine.hart().instructions();
  EXPECT_EQ(std::accumulate(run.cycles.stalls.begin(), run.cycles.stalls.end(), run.cycles.busy + run.cycles.idle),
            run.total);
  --run.total;
  return run;
}

TEST(TimingFormulas, IssueSlotsFitUpToTheLimitOfEachClass) {
  const std::uint64_t free =
      timing::freeSlots({.total = 3, .scalar = 2, .vector = 1, .load = 1, .store = 1, .engine = 1});
  const std::uint64_t scalar = timing::slotsOf(timing::Slot::Scalar), load = timing::slotsOf(timing::Slot::Load);
  EXPECT_TRUE(timing::slotsFit(free, scalar));
  EXPECT_TRUE(timing::slotsFit(free - scalar, scalar));
  EXPECT_FALSE(timing::slotsFit(free - 2 * scalar, scalar)) << "two scalar slots";
  EXPECT_TRUE(timing::slotsFit(free - 2 * scalar, load));
  EXPECT_FALSE(timing::slotsFit(free - 2 * scalar - load, timing::slotsOf(timing::Slot::Store)))
      << "three slots in total";
}

TEST(TimingFormulas, BranchPenaltyFollowsTheStaticPrediction) {
  const targets::HartLatencies l{.branchTaken = 2, .branchMiss = 6};
  EXPECT_EQ(timing::branchPenalty(true, true, l), 2u);
  EXPECT_EQ(timing::branchPenalty(true, false, l), 6u);
  EXPECT_EQ(timing::branchPenalty(false, true, l), 6u);
  EXPECT_EQ(timing::branchPenalty(false, false, l), 0u);
  EXPECT_EQ(timing::indirectPenalty(0, 1, l), 2u);
  EXPECT_EQ(timing::indirectPenalty(1, 10, l), 6u);
}

TEST(TimingFormulas, VectorOccupancyCountsBitsThroughTheDatapath) {
  EXPECT_EQ(timing::vectorOccupancy(0, 32, 256), 1u);
  EXPECT_EQ(timing::vectorOccupancy(8, 32, 256), 1u);
  EXPECT_EQ(timing::vectorOccupancy(9, 32, 256), 2u);
  EXPECT_EQ(timing::vectorOccupancy(64, 32, 256), 8u);
  EXPECT_EQ(timing::vectorDivideOccupancy(8, 32, 256, 5), 5u);
  EXPECT_EQ(timing::vectorDivideOccupancy(9, 32, 256, 5), 10u);
  EXPECT_EQ(timing::crossLaneLatency(32, 256, 2), 6u) << "8 lanes, 3 steps";
  EXPECT_EQ(timing::crossLaneLatency(64, 64, 2), 0u) << "one lane";
  EXPECT_EQ(timing::vectorMemoryOccupancy(16, 64, true, 256), 2u);
  EXPECT_EQ(timing::vectorMemoryOccupancy(16, 64, false, 256), 16u);
}

TEST(TimingFormulas, ChainedResultStartsAfterTheLatencyAndEndsAfterItsSources) {
  const timing::VectorReady fast = timing::vectorResult(10, 4, 8, 0);
  EXPECT_EQ(fast.first, 14u);
  EXPECT_EQ(fast.last, 21u);
  const timing::VectorReady bounded = timing::vectorResult(15, 4, 8, 40);
  EXPECT_EQ(bounded.first, 19u);
  EXPECT_EQ(bounded.last, 44u);
}

TEST(HartTiming, IndependentInstructionsIssueOneACycle) {
  const Measured run = timeOf({addi(a0, zero, 1), addi(a1, zero, 2), addi(a2, zero, 3), addi(a3, zero, 4)});
  EXPECT_EQ(run.total, 4u);
  EXPECT_EQ(run.cycles.busy, 5u);
  EXPECT_EQ(run.instructions, 5u);
}

TEST(HartTiming, TwoSlotsIssueTwoACycle) {
  targets::TeamSpec team = plainTeam();
  team.issue = {.total = 2, .scalar = 2, .vector = 1, .load = 1, .store = 1, .engine = 1};
  EXPECT_EQ(timeOf({addi(a0, zero, 1), addi(a1, zero, 2), addi(a2, zero, 3), addi(a3, zero, 4)}, team).total, 2u);
  // Dependent ones do not pair: cycles 0 to 3, the return beside the last.
  EXPECT_EQ(timeOf({addi(a0, zero, 1), addi(a0, a0, 2), addi(a0, a0, 3), addi(a0, a0, 4)}, team).total, 3u);
}

TEST(HartTiming, ADependentInstructionWaitsForTheLatencyAndNotLonger) {
  for (const std::uint32_t latency : {1u, 2u, 3u, 7u}) {
    targets::TeamSpec team = plainTeam();
    team.latencies.mul = latency;
    // mul in cycle 0; the dependent add in cycle `latency`.
    const Measured dependent = timeOf({mul(a0, a1, a1), add(a2, a0, a0)}, team);
    EXPECT_EQ(dependent.total, latency + 1);
    EXPECT_EQ(dependent.stalled(StallCause::RawScalar), latency - 1);
    // With latency - 1 instructions in between it is ready just in time.
    std::vector<std::uint32_t> filled{mul(a0, a1, a1)};
    for (std::uint32_t i = 1; i < latency; ++i) filled.push_back(addi(a3, zero, 1));
    filled.push_back(add(a2, a0, a0));
    EXPECT_EQ(timeOf(filled, team).stalled(StallCause::RawScalar), 0u);
    if (latency > 1) {
      filled.erase(filled.begin() + 1);
      EXPECT_EQ(timeOf(filled, team).stalled(StallCause::RawScalar), 1u);
    }
  }
}

TEST(HartTiming, TheDividerIsNotPipelined) {
  targets::TeamSpec team = plainTeam();
  team.latencies.div = 12;
  const Measured run = timeOf({div(a0, a1, a1), div(a2, a3, a3), addi(a4, zero, 0)}, team);
  EXPECT_EQ(run.stalled(StallCause::Structural), 11u);
  EXPECT_EQ(run.total, 14u);
}

TEST(HartTiming, LoadsFromPrivateMemoryTakePrivateCycles) {
  targets::TeamSpec team = plainTeam();
  team.privateCycles = 5;
  const Measured run = timeOf({ld(a0, sp, 0), addi(a0, a0, 1)}, team);
  EXPECT_EQ(run.stalled(StallCause::Memory), 4u);
  EXPECT_EQ(run.total, 6u);
}

TEST(HartTiming, LoadsFromElsewhereDoNotBlockUntilUse) {
  // a0 = scratch; the store makes the word readable. TestEnvironment takes 20 cycles.
  const std::vector<std::uint32_t> words{lui(a0, 0x10000),  sw(zero, a0, 0), lw(a1, a0, 0),
                                         addi(a2, zero, 1), addi(a2, a2, 1), addi(a1, a1, 1)};
  const Measured run = timeOf(words);
  // lw issues in cycle 2, its result is there in 22, where the last addi issues.
  EXPECT_EQ(run.total, 23u);
  EXPECT_EQ(run.stalled(StallCause::Memory), 17u);
}

TEST(HartTiming, TheStoreBufferHoldsOneStore) {
  const Measured run = timeOf({lui(a0, 0x10000), sw(zero, a0, 0), sw(zero, a0, 4), addi(a1, zero, 1)});
  // Stores in cycles 1 and 21 (accepted after 20).
  EXPECT_EQ(run.total, 23u);
  EXPECT_EQ(run.stalled(StallCause::Memory), 19u);
}

TEST(HartTiming, FencesWaitForAllAccesses) {
  const Measured run = timeOf({lui(a0, 0x10000), sw(zero, a0, 0), fence, addi(a1, zero, 1)});
  EXPECT_EQ(run.total, 23u);
}

TEST(HartTiming, BranchesDelayTheNextIssueByTheirPenalty) {
  targets::TeamSpec team = plainTeam();
  team.latencies.branchTaken = 3;
  team.latencies.branchMiss = 8;
  // Forward, not taken: right, no delay. The return at the end costs branchTaken - 1 (it leads to address 0).
  const Measured right = timeOf({bne(zero, zero, 8), addi(a0, zero, 1)}, team);
  EXPECT_EQ(right.stalled(StallCause::Branch), 2u);
  const Measured wrong = timeOf({beq(zero, zero, 8), addi(a0, zero, 1), addi(a1, zero, 1)}, team);
  EXPECT_EQ(wrong.stalled(StallCause::Branch), 2u + 7u);
  // A loop of 5 rounds: four taken backward branches and one miss at its end.
  const Measured loop = timeOf({addi(a0, zero, 5), addi(a0, a0, -1), bne(a0, zero, -4)}, team);
  EXPECT_EQ(loop.stalled(StallCause::Branch), 4u * 2 + 7 + 2);
}

TEST(HartTiming, EachCacheLineIsFetchedOnce) {
  targets::TeamSpec team = plainTeam();
  team.icacheBytes = 256;
  team.icacheLine = 16;
  team.icacheMissCycles = 10;
  std::vector<std::uint32_t> words{addi(a0, zero, 3)};
  for (int i = 0; i < 6; ++i) words.push_back(addi(a1, a1, 1));
  words.push_back(addi(a0, a0, -1));
  words.push_back(bne(a0, zero, -28));
  const Measured run = timeOf(words, team);
  EXPECT_EQ(run.stalled(StallCause::Fetch), 30u) << "nine words and a return: three lines, once each";
  team.icacheBytes = 16;
  EXPECT_GT(timeOf(words, team).stalled(StallCause::Fetch), 30u) << "a cache of one line";
}

TEST(HartTiming, LinesFetchedAheadAreWaitedForOnlyUntilTheyArrive) {
  targets::TeamSpec team = plainTeam();
  team.icacheBytes = 1024;
  team.icacheLine = 16;
  team.icacheMissCycles = 10;
  const std::vector<std::uint32_t> words(16, addi(a1, a1, 1));  // with the return five lines, a cycle an instruction
  EXPECT_EQ(timeOf(words, team).stalled(StallCause::Fetch), 5u * 10);
  team.icachePrefetchLines = 1;
  // A line lasts four cycles. The second came along with the first; the third was asked for when the second was taken,
  // four cycles before; during that wait the fourth came.
  EXPECT_EQ(timeOf(words, team).stalled(StallCause::Fetch), 10u + 0 + 6 + 0 + 6);
  team.icachePrefetchLines = 2;
  // The fourth was asked for when the second was taken, eight cycles before; that wait gives the fifth the rest.
  EXPECT_EQ(timeOf(words, team).stalled(StallCause::Fetch), 10u + 0 + 0 + 2 + 0);
}

TEST(StreamBuffer, GivesALineWhenItArrivesAndNotBefore) {
  core::StreamBuffer stream;
  EXPECT_EQ(stream.take(5, 100, 20, 2), 120u);
  EXPECT_EQ(stream.take(6, 120, 20, 2), 121u) << "asked for in cycle 101";
  EXPECT_EQ(stream.take(7, 130, 20, 2), 122u);
  EXPECT_EQ(stream.take(8, 139, 20, 2), 140u) << "asked for when line 6 was taken, in cycle 120";
  EXPECT_EQ(stream.take(10, 200, 20, 2), 159u) << "line 9 is skipped; 10 was asked for with line 8";
  EXPECT_EQ(stream.take(9, 210, 20, 2), 230u) << "backward: a new stream";
  stream.clear();
  EXPECT_EQ(stream.take(10, 300, 20, 2), 320u);
}

TEST(HartTiming, ResultsDoNotDependOnTheQuantum) {
  std::vector<std::uint32_t> words{addi(a0, zero, 200), lui(a2, 0x10000)};
  for (const std::uint32_t word : {mul(a1, a0, a0), sw(a1, a2, 0), lw(a3, a2, 0), add(a4, a3, a4), div(a5, a4, a1),
                                   addi(a0, a0, -1), bne(a0, zero, -24)})
    words.push_back(word);
  targets::TeamSpec team = testTeam();
  const Measured whole = timeOf(words, team);
  for (const Cycles quantum : {1u, 2u, 7u, 100u}) {
    const Measured parts = timeOf(words, team, quantum);
    EXPECT_EQ(parts.total, whole.total) << quantum;
    EXPECT_EQ(parts.cycles.stalls, whole.cycles.stalls) << quantum;
    EXPECT_EQ(parts.cycles.busy, whole.cycles.busy) << quantum;
    EXPECT_EQ(parts.instructions, whole.instructions) << quantum;
  }
}

TEST(HartTiming, RunUntilStopsAtItsLimit) {
  std::vector<std::uint32_t> words(40, addi(a0, a0, 1));
  TestMachine machine(HartMode::Timed, plainTeam());
  words.push_back(ret());
  machine.start(words);
  EXPECT_EQ(machine.hart().runUntil(10).reason, RunReason::Quantum);
  EXPECT_EQ(machine.hart().now(), 10u);
  EXPECT_EQ(machine.hart().instructions(), 10u);
  EXPECT_EQ(machine.hart().runUntil(11).reason, RunReason::Quantum);
  EXPECT_EQ(machine.hart().state().r[10], 11u);
}

TEST(HartTiming, AtomicsRunOnlyAsTheFirstOfAQuantum) {
  TestMachine machine(HartMode::Timed, plainTeam());
  machine.start({lui(a1, 0x40001), addi(a0, zero, 7), amoaddW(a2, a0, a1), ret()});
  EXPECT_EQ(machine.hart().runUntil(1000).reason, RunReason::Synchronize);
  EXPECT_EQ(machine.hart().now(), 2u);
  EXPECT_EQ(*reinterpret_cast<std::uint32_t*>(machine.space.find(0, 0, kProgramBase).data + 0x1000), 0u);
  EXPECT_EQ(machine.hart().runUntil(1000).reason, RunReason::Exited);
  EXPECT_EQ(*reinterpret_cast<std::uint32_t*>(machine.space.find(0, 0, kProgramBase).data + 0x1000), 7u);
}

TEST(HartTiming, StartCountsAsLaunchAndTheTimeAfterTheEndAsIdle) {
  TestMachine machine(HartMode::Timed, plainTeam());
  machine.start({addi(a0, zero, 1), ret()});
  machine.hart().start({.pc = kProgramBase}, 100);
  machine.hart().runUntil(1000);
  const HartCycles cycles = machine.hart().cycles(150);
  EXPECT_EQ(cycles.stalls[static_cast<std::size_t>(StallCause::Launch)], 100u);
  EXPECT_EQ(cycles.busy, 2u);
  EXPECT_EQ(cycles.idle, 48u);
}

TEST(HartTiming, ASlowerClockConvertsBothWays) {
  targets::TeamSpec team = plainTeam();
  TestMachine machine(HartMode::Timed, team);
  Hart hart({0, 0}, team, {.hartHz = 1, .referenceHz = 3}, machine.space, machine.environment, machine.code);
  machine.start({lui(a0, 0x10000), sw(zero, a0, 0), fence, ret()});
  hart.start({.pc = kProgramBase}, 3);
  // One hart cycle is three reference cycles: lui in hart cycle 1, sw in 2 = reference 6, accepted in reference 26 =
  // hart cycle 9.
  while (hart.status() != HartStatus::Exited) hart.runUntil(hart.now() + 100);
  EXPECT_EQ(hart.now(), 3u * 11);
  EXPECT_EQ(hart.cycles(hart.now()).stalls[static_cast<std::size_t>(StallCause::Memory)], 6u);
}

}  // namespace
}  // namespace forerun::sim::core
