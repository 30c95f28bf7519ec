//===- DramTest.cpp - DRAM timing at its edges, bandwidth, other simulators --===//
#include "simulator/dram/Dram.h"

#include "simulator/kernel/Error.h"
#include "tests/simulator/units/ClosedLoop.h"
#include "tests/simulator/units/DramTargets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <tuple>
#include <vector>

namespace forerun::sim::dram {
namespace {

/// Address of a burst of the DDR4 part: row-bank-group-column, 128 bursts a row.
std::uint64_t at(std::uint64_t row, std::uint64_t bank, std::uint64_t group, std::uint64_t column) {
  return (((row * 4 + bank) * 4 + group) * 128 + column) * 64;
}

TEST(DramAddressMap, LocatesEveryPartOfTheMapping) {
  AddressMap map(ddr4().dram);
  Location location = map.locate(at(5, 3, 2, 77) + 63);
  EXPECT_EQ(std::tie(location.row, location.bank, location.group, location.column), std::make_tuple(5u, 3u, 2u, 77u));
  EXPECT_EQ(map.burstsInRow(at(5, 3, 2, 77)), 51u);
}

TEST(DramAddressMap, IsABijectionForAnyNumberOfChannelsAndWithXor) {
  for (std::uint32_t channels : {1u, 3u, 4u, 6u, 32u})
    for (const char* mapping :
         {"row-bank-group-column", "row-column-bank-group", "bank-row-column-group", "row-bank-group-column-xor"}) {
      targets::DramSpec dram = ddr4().dram;
      dram.channels = channels;
      dram.mapping = mapping;
      dram.bytes = (512ull << 10) * channels;
      dram.interleaveBytes = 256;
      AddressMap map(dram);
      std::vector<std::tuple<unsigned, unsigned, unsigned, unsigned, std::uint64_t>> seen;
      for (std::uint64_t offset = 0; offset < dram.bytes; offset += 64) {
        Location l = map.locate(offset);
        ASSERT_LT(l.channel, channels);
        seen.emplace_back(l.channel, l.group, l.bank, l.column, l.row);
      }
      std::sort(seen.begin(), seen.end());
      ASSERT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << channels << " " << mapping;
    }
}

TEST(DramAddressMap, RefusesMalformedMappings) {
  for (const char* mapping :
       {"", "row-bank-group", "row-bank-group-column-column", "row-bank-group-colum", "xor-row-bank-group-column"}) {
    targets::DramSpec dram = ddr4().dram;
    dram.mapping = mapping;
    EXPECT_THROW(AddressMap{dram}, Error) << mapping;
  }
  targets::DramSpec dram = ddr4().dram;
  dram.ranks = 2;
  EXPECT_THROW(AddressMap{dram}, Error);  // rank is missing
}

// tRCD 16, tCL 16, tRP 16, tRAS 39, burst 4.
TEST(DramTiming, MissHitAndConflictOfAnIdleBank) {
  Dram dram(ddr4());
  EXPECT_EQ(dram.read(at(0, 0, 0, 0), 64, 100), 100u + 16 + 16 + 4);
  EXPECT_EQ(dram.read(at(0, 0, 0, 1), 64, 1000), 1000u + 16 + 4);
  EXPECT_EQ(dram.read(at(1, 0, 0, 0), 64, 2000), 2000u + 16 + 16 + 16 + 4);
  DramTotals totals = dram.totals();
  dram.drain(0);
  totals = dram.totals();
  EXPECT_EQ(totals.counters.rowHits, 1u);
  EXPECT_EQ(totals.counters.rowMisses, 1u);
  EXPECT_EQ(totals.counters.rowConflicts, 1u);
  EXPECT_EQ(totals.readBytes, 3u * 64);
}

TEST(DramTiming, NamesWhyTheBusStandsStill) {
  Dram dram(ddr4());
  dram.read(at(0, 0, 0, 0), 64, 1000);  // waits for activate to column: tRCD 16, data slot until 1020
  dram.drain(0);
  dram.read(at(1, 0, 0, 0), 64, 2000);  // precharge and activate: 32, until 2036
  dram.drain(0);
  dram.write(at(1, 0, 0, 1), 64, 2033);  // held back for reads; of that tRTW less the burst turns the bus
  dram.drain(0);
  dram.read(at(1, 0, 0, 2), 64, 9400);  // the rank is refreshed from 9360 to 9672, then a miss
  dram.drain(0);
  const ChannelCounters counters = dram.totals().counters;
  EXPECT_EQ(counters.rowCycles, 16u + 32 + 16);
  EXPECT_EQ(counters.turnaroundCycles, ddr4().dram.timings.tRTW - 4u);
  EXPECT_EQ(counters.refreshCycles, 9672u - 9400);
  EXPECT_EQ(counters.busyCycles, 4u * 4);
  // Together they are all cycles up to the last column slot.
  EXPECT_EQ(counters.idleCycles + counters.rowCycles + counters.turnaroundCycles + counters.refreshCycles +
                counters.busyCycles,
            9672u + 16 + 4);
}

TEST(DramTiming, ColumnCommandsKeepTheirDistance) {
  Dram dram(ddr4());
  dram.read(at(0, 0, 0, 0), 64, 0);
  dram.read(at(0, 0, 1, 0), 64, 0);
  Cycles base = dram.drain(1000) + 1000;
  EXPECT_EQ(dram.read(at(0, 0, 0, 1), 64, base), base + 20);
  EXPECT_EQ(dram.read(at(0, 0, 0, 2), 64, base + 5), base + 26);   // same group: tCCD_L 6, one cycle to wait
  EXPECT_EQ(dram.read(at(0, 0, 0, 3), 64, base + 12), base + 32);  // same group, exactly tCCD_L later
  EXPECT_EQ(dram.read(at(0, 0, 1, 1), 64, base + 15), base + 36);  // other group: tCCD_S 4, one cycle to wait
  EXPECT_EQ(dram.read(at(0, 0, 0, 4), 64, base + 20), base + 40);  // other group, exactly tCCD_S later
}

TEST(DramTiming, PrechargeWaitsForRowActiveTime) {
  for (Cycles gap : {22u, 23u, 24u}) {  // tRAS 39: the row opened at 1000 may close at 1039; precharge at the request's
                                        // time when that is later
    Dram dram(ddr4());
    dram.read(at(0, 0, 0, 0), 64, 1000);
    Cycles request = 1016 + gap;
    EXPECT_EQ(dram.read(at(1, 0, 0, 0), 64, request), std::max<Cycles>(1039, request) + 16 + 16 + 16 + 4) << gap;
  }
}

TEST(DramTiming, ActivatesKeepTheirDistanceAndFitIntoFourActivateWindow) {
  // Alone a miss takes 36. Activates of different groups are 4 apart; the fifth waits until 26 after the first.
  auto served = [](Dram& dram, std::uint64_t address, Cycles time) {
    dram.read(address, 64, time);
    return dram.drain(0);
  };
  Dram dram(ddr4());
  EXPECT_EQ(served(dram, at(0, 0, 0, 0), 1000), 1036u);
  EXPECT_EQ(served(dram, at(0, 0, 1, 0), 1003), 1040u);  // one cycle too early for tRRD_S
  EXPECT_EQ(served(dram, at(0, 0, 2, 0), 1008), 1044u);  // just late enough
  EXPECT_EQ(served(dram, at(0, 0, 3, 0), 1012), 1048u);
  EXPECT_EQ(served(dram, at(0, 1, 0, 0), 1025), 1026u + 36);
  Dram later(ddr4());
  for (unsigned group = 0; group < 4; ++group) served(later, at(0, 0, group, 0), 1000 + 4 * group);
  EXPECT_EQ(served(later, at(0, 1, 0, 0), 1026), 1026u + 36);
  Dram sameGroup(ddr4());
  served(sameGroup, at(0, 0, 0, 0), 1000);
  EXPECT_EQ(served(sameGroup, at(0, 1, 0, 0), 1005), 1006u + 36);  // tRRD_L 6
}

TEST(DramTiming, RefreshBlocksTheRank) {
  for (Cycles request : {9327u, 9328u, 9360u + 311, 9360u + 312}) {
    Dram dram(ddr4());
    // A miss's column command comes tRCD after the request; at 9360 - 16 and later it would fall into the refresh of
    // 312 cycles.
    Cycles expected = request + 16 < 9360 ? request + 36 : std::max<Cycles>(request, 9360 + 312) + 36;
    EXPECT_EQ(dram.read(at(0, 0, 0, 0), 64, request), expected) << request;
  }
}

TEST(DramTiming, WritesArePostedAndTurnAround) {
  Dram dram(ddr4());
  EXPECT_EQ(dram.write(at(0, 0, 0, 0), 64, 50), 50u);
  EXPECT_EQ(dram.drain(50), 50u + 16 + 12 + 4);
  EXPECT_EQ(dram.totals().writtenBytes, 64u);
  // Data on the pins until 82; a read's column command comes tWTR 9 later.
  EXPECT_EQ(dram.read(at(0, 0, 1, 0), 64, 60), 91u + 20);
  EXPECT_EQ(dram.totals().counters.writeBursts, 1u);
}

TEST(DramTiming, SplitsByTheBurst) {
  Dram dram(lpddr5());  // bursts of 32 bytes
  dram.read(16, 32, 0);
  dram.drain(0);
  EXPECT_EQ(dram.totals().readBytes, 64u);
}

/// Keeps `requests` of `bytes` outstanding; returns bytes a second moved, from `next(i)` addresses.
template <class Next>
double closedLoop(Dram& dram, double referenceHz, std::uint64_t total, unsigned outstanding, std::uint32_t bytes,
                  Next next, double writeShare = 0) {
  test::ClosedLoop loop(1, outstanding, [&](Cycles now) { dram.advanceHorizon(now); });
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < total; ++i)
    loop.send([&](std::uint32_t, Cycles at, Reply reply) {
      bool write = writeShare > 0 && static_cast<double>(random() % 1000) < writeShare * 1000;
      return write ? dram.write(next(i), bytes, at, reply) : dram.read(next(i), bytes, at, reply);
    });
  return static_cast<double>(total) * bytes / (static_cast<double>(dram.drain(0)) / referenceHz);
}

/// Cycles for random reads and writes that keep 64 requests of 64 B going.
Cycles randomWork(const targets::TargetSpec& target, unsigned seed) {
  Dram dram(target);
  test::ClosedLoop loop(1, 64, [&](Cycles now) { dram.advanceHorizon(now); });
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < 20'000; ++i)
    loop.send([&](std::uint32_t, Cycles at, Reply reply) {
      std::uint64_t address = random() % (1u << 22) * 64;
      return random() % 4 == 0 ? dram.write(address, 64, at, reply) : dram.read(address, 64, at, reply);
    });
  return dram.drain(0);
}

TEST(DramBandwidth, MoreChannelsBanksOrDataRateAreNeverSlowerOnRandomStreams) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    targets::TargetSpec base = ddr4();
    base.dram.interleaveBytes = 256;
    Cycles cycles = randomWork(base, seed);
    targets::TargetSpec more = base;
    more.dram.channels = 2;
    EXPECT_LT(randomWork(more, seed), cycles);
    more = base;
    more.dram.banksPerGroup = 8;
    EXPECT_LE(randomWork(more, seed), cycles + cycles / 200) << "banks, within the noise of scheduling";
    targets::TargetSpec fewer = base;
    fewer.dram.banksPerGroup = 1;
    EXPECT_GT(randomWork(fewer, seed), cycles);
    targets::TargetSpec slower = base;
    slower.dram.dataRate = 1;
    EXPECT_GE(randomWork(slower, seed), cycles);
    slower = base;
    slower.dram.timings.tFAW = 52;
    EXPECT_GT(randomWork(slower, seed), cycles);
    slower = base;
    slower.dram.timings.tRFC *= 2;
    EXPECT_GT(randomWork(slower, seed), cycles);
  }
}

TEST(DramBurstModel, IsLatencyPlusBandwidth) {
  targets::TargetSpec target = ddr4();
  target.dram.model = targets::DramSpec::Model::Burst;
  target.dram.controllerCycles = 10;
  Dram dram(target);
  EXPECT_EQ(dram.read(0, 64, 100), 100u + 10 + 4 + 32);
  EXPECT_EQ(dram.read(1 << 20, 64, 103), 100u + 10 + 8 + 32);  // one cycle to wait for the bus
  EXPECT_EQ(dram.read(1 << 20, 64, 108), 100u + 10 + 12 + 32);
  EXPECT_EQ(dram.write(0, 64, 200), 200u);
  EXPECT_EQ(dram.drain(200), 200u + 10 + 4 + 32);
  EXPECT_EQ(dram.totals().readBytes, 192u);
}

TEST(DramTiming, LatecomersGetIdleCycles) {
  Dram dram(ddr4());
  dram.read(at(0, 0, 0, 0), 64, 1000);
  dram.read(at(0, 0, 1, 0), 64, 5000);
  dram.drain(0);
  // Both are decided; a request for a time between them is served there, one for the time of the first right after it.
  EXPECT_EQ(dram.read(at(0, 0, 0, 1), 64, 3000), 3000u + 20);
  EXPECT_LE(dram.read(at(0, 0, 0, 2), 64, 1016), 1020u + 20);
  EXPECT_EQ(dram.totals().counters.lateBursts, 2u);
  // None is left before the second: queues up behind it.
  EXPECT_GE(dram.read(at(0, 0, 0, 3), 64, 5014), 5020u + 20);
}

// The validation of facts/validation.md: 100,000 back-to-back reads of 64 B, each handed over when the queue takes it.
// Run: build/bin/sim_dram_test --gtest_filter='DramValidation*'
TEST(DramValidation, SequentialReadsAsPublicSimulators) {
  Dram dram(ddr4());
  std::clock_t host = std::clock();
  Cycles time = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    time = dram.readAcceptedAt(i * 64, time);
    dram.read(i * 64, 64, time, {});
  }
  double rate = 6.4e6 / (static_cast<double>(dram.drain(0)) / 1.2e9) / 1e9;
  double seconds = static_cast<double>(std::clock() - host) / CLOCKS_PER_SEC;
  std::printf("sequential: %.2f GB/s, host %.3f s\n", rate, seconds);
  EXPECT_GT(rate, 14.4);
  EXPECT_LT(rate, 15.4);
  EXPECT_LT(seconds, 0.20);
}

TEST(DramValidation, RandomReadsAsPublicSimulators) {
  Dram dram(ddr4());
  std::clock_t host = std::clock();
  std::mt19937_64 random(42);
  Cycles time = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    std::uint64_t address = random() % (1u << 24) * 64;
    time = dram.readAcceptedAt(address, time);
    dram.read(address, 64, time, {});
  }
  double rate = 6.4e6 / (static_cast<double>(dram.drain(0)) / 1.2e9) / 1e9;
  double seconds = static_cast<double>(std::clock() - host) / CLOCKS_PER_SEC;
  std::printf("random: %.2f GB/s, host %.3f s\n", rate, seconds);
  EXPECT_NEAR(rate, 11.37, 0.1137);
  EXPECT_LT(seconds, 0.66);
}

TEST(DramBandwidth, InterleavedStreamsOfManyRequestersReachThePeak) {
  for (auto [name, target, hz] : {std::tuple{"hbm3", hbm3(), 1.5e9}, std::tuple{"lpddr5", lpddr5(), 1.0e9}}) {
    Dram dram(target);
    // 16 requesters with a stream of 1 MiB each.
    std::clock_t host = std::clock();
    double rate = closedLoop(dram, hz, 200'000, 24 * target.dram.channels, 256,
                             [](std::uint64_t i) { return (i % 16) * (64ull << 20) + i / 16 * 256; });
    double ns = static_cast<double>(std::clock() - host) / CLOCKS_PER_SEC / 200'000 * 1e9;
    std::printf("%s: %.1f of %.1f GB/s = %.1f %%, host %.0f ns a request\n", name, rate / 1e9,
                dram.peakBytesPerSecond() / 1e9, 100 * rate / dram.peakBytesPerSecond(), ns);
    EXPECT_GE(rate, 0.92 * dram.peakBytesPerSecond()) << name;
    EXPECT_LE(rate, dram.peakBytesPerSecond()) << name;
  }
}

TEST(DramBandwidth, ReadsMixedWithWritesDoNotThrash) {
  for (auto [name, target, hz] : {std::tuple{"hbm3", hbm3(), 1.5e9}, std::tuple{"lpddr5", lpddr5(), 1.0e9}}) {
    Dram dram(target);
    double rate = closedLoop(
        dram, hz, 200'000, 24 * target.dram.channels, 256,
        [](std::uint64_t i) { return (i % 16) * (64ull << 20) + i / 16 * 256; }, 0.33);
    std::printf("%s, a third writes: %.1f %%, %llu turnarounds\n", name, 100 * rate / dram.peakBytesPerSecond(),
                static_cast<unsigned long long>(dram.totals().counters.turnarounds));
    EXPECT_GE(rate, 0.70 * dram.peakBytesPerSecond()) << name;
  }
}

}  // namespace
}  // namespace forerun::sim::dram
