//===- MemorySystemTest.cpp - network, L2 and DRAM together ------------------===//
#include "simulator/memory/MemorySystem.h"

#include "simulator/kernel/Error.h"
#include "simulator/memory/AddressSpace.h"
#include "tests/simulator/units/ClosedLoop.h"
#include "tests/simulator/units/DramTargets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

namespace forerun::sim {
namespace {

/// 64 cores on an 8x8 mesh, 32 slices, HBM3 stacks with 32 pseudo channels each.
targets::TargetSpec large(std::uint32_t stacks = 1) {
  targets::TargetSpec target = dram::hbm3();
  target.clusters = 1;
  target.coresPerCluster = 64;
  target.dram.channels = 32 * stacks;
  target.l2 = {.present = true,
               .slices = 32 * stacks,
               .bytes = 32 << 20,
               .ways = 16,
               .line = 128,
               .mshrs = 64,
               .bytesPerCycle = 64,
               .latencyCycles = 30,
               .clock = "core"};
  target.noc = {.topology = targets::Topology::Mesh,
                .clock = "core",
                .columns = 8,
                .planes = 2,
                .hopCycles = 2,
                .linkBytesPerCycle = 64,
                .interfaceCycles = 4};
  return target;
}

targets::TargetSpec small(bool l2) {
  targets::TargetSpec target = dram::lpddr5();
  target.clusters = 1;
  target.coresPerCluster = 4;
  target.l2 = {.present = l2,
               .slices = 4,
               .bytes = 1 << 20,
               .ways = 8,
               .line = 128,
               .mshrs = 32,
               .bytesPerCycle = 64,
               .latencyCycles = 20,
               .clock = "core"};
  target.noc = {.topology = targets::Topology::Mesh,
                .clock = "core",
                .columns = 2,
                .planes = 1,
                .hopCycles = 2,
                .linkBytesPerCycle = 32,
                .interfaceCycles = 3};
  return target;
}

TEST(MemorySystem, ReadHitIsMessagePlusCachePlusPacket) {
  MemorySystem memory(small(true));
  memory.read(0, kGlobalBase, 64, 0);
  const noc::Topology& topology = memory.network().topology();
  std::uint32_t hops = topology.hops(topology.core(0), topology.memory(memory.l2()->map().sliceOf(0)));
  // Message 2*3 + hops*2 + 1, hit 20, packet 2*3 + hops*2 + 64/32.
  EXPECT_EQ(memory.read(0, kGlobalBase, 64, 1000), 1000u + (6 + hops * 2 + 1) + 20 + (6 + hops * 2 + 2));
}

TEST(MemorySystem, RemoteScratchCrossesTheNetworkOnly) {
  MemorySystem memory(small(true));
  EXPECT_EQ(memory.remoteRead(0, 3, 64, 100), 100u + (6 + 4 + 1) + (6 + 4 + 2));
  WriteTimes times = memory.remoteWrite(0, 3, 64, 200);
  EXPECT_EQ(times.accepted, 200u + 6 + 4 + 2);
  EXPECT_EQ(times.completed, times.accepted + 6 + 4 + 1);
  std::vector<std::uint32_t> all{1, 2, 3};
  std::vector<Cycles> arrivals(3);
  Cycles done = memory.multicast(0, all, 320, 300, arrivals);
  EXPECT_EQ(arrivals[2], 300u + 6 + 4 + 10);
  EXPECT_EQ(done, arrivals[2] + 6 + 4 + 1);
  EXPECT_EQ(memory.traffic().dramReadBytes, 0u);
  EXPECT_EQ(memory.traffic().nocReadBytes, 64u);
  EXPECT_EQ(memory.traffic().nocWrittenBytes, 64u + 3 * 320);
}

TEST(MemorySystem, CountsEveryByteAndFlushWritesThemBack) {
  for (bool l2 : {false, true}) {
    MemorySystem memory(small(l2));
    Cycles time = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) time = memory.write(i % 4, kGlobalBase + i * 256, 256, i * 10).completed;
    for (std::uint64_t i = 0; i < 500; ++i) time = memory.read(i % 4, kGlobalBase + (1 << 24) + i * 256, 256, time);
    Cycles end = memory.flush(time);
    EXPECT_GE(end, time);
    MemoryTraffic traffic = memory.traffic();
    EXPECT_EQ(traffic.dramWrittenBytes, 256'000u) << l2;
    EXPECT_EQ(traffic.dramReadBytes, 128'000u) << l2;
    EXPECT_EQ(traffic.nocReadBytes, 128'000u) << l2;
    EXPECT_EQ(traffic.nocWrittenBytes, 256'000u) << l2;
    EXPECT_EQ(traffic.l2WrittenBytes, l2 ? 256'000u : 0u);
    StatisticsTree tree;
    memory.report(tree, end);
    EXPECT_EQ(tree.find("dram.readBytes")->count, 128'000u);
    EXPECT_DOUBLE_EQ(tree.find("dram.peakBytesPerSecond")->real, 51.2e9);
    EXPECT_EQ(tree.find("l2.hits") != nullptr, l2);
  }
}

TEST(MemorySystem, RefusesAddressesThatAreNotGlobal) {
  MemorySystem memory(small(false));
  EXPECT_THROW(memory.read(0, kScratchBase, 64, 0), Error);
}

struct Stream {
  double bytesPerCycle;
  double hostNs;
};

/// Every core keeps `outstanding` bursts in flight over its own part of a tensor, in time order. Shares: reads out
/// of 4.
Stream stream(MemorySystem& memory, std::uint32_t cores, unsigned outstanding, std::uint32_t bytes,
              std::uint64_t bursts, unsigned readsOfFour, bool shared = false, Cycles step = MemorySystem::kStep) {
  test::ClosedLoop loop(cores, outstanding, [&](Cycles now) { memory.advanceHorizon(now); }, step);
  std::vector<std::uint64_t> next(cores, 0);
  std::clock_t host = std::clock();
  for (std::uint64_t i = 0; i < bursts; ++i)
    loop.send([&](std::uint32_t core, Cycles at, Reply reply) {
      std::uint64_t number = next[core]++;
      std::uint64_t address =
          kGlobalBase + (shared ? (number * cores + core) * bytes : core * (32ull << 20) + number * bytes);
      return number % 4 < readsOfFour ? memory.read(core, address, bytes, at, reply)
                                      : memory.write(core, address + (4ull << 30), bytes, at, reply);
    });
  Cycles last = loop.finish();
  EXPECT_EQ(loop.latest(), 0u);
  double ns = static_cast<double>(std::clock() - host) * (1e9 / CLOCKS_PER_SEC) / static_cast<double>(bursts);
  last = memory.flush(last);
  return {static_cast<double>(bursts * bytes) / static_cast<double>(last), ns};
}

TEST(MemorySystem, StreamsOfAllCoresReachTheDramBandwidth) {
  struct Case {
    const char* name;
    targets::TargetSpec target;
    double hz;
    unsigned outstanding;
  };
  for (const Case& c :
       {Case{"small without L2", small(false), 1e9, 16}, Case{"small with L2", small(true), 1e9, 16},
        Case{"large, one stack", large(1), 1.5e9, 32}, Case{"large, three stacks", large(3), 1.5e9, 48}})
    for (unsigned reads : {4u, 3u})
      for (bool shared : {true, false}) {
        MemorySystem memory(c.target);
        double peak = memory.dram().peakBytesPerSecond() / c.hz;
        Stream result = stream(memory, c.target.cores(), c.outstanding, 256, 100'000, reads, shared);
        std::printf("%-20s %u of 4 reads, %s: %.1f %% of DRAM peak, host %.0f ns a burst, late %llu\n", c.name, reads,
                    shared ? "one stream" : "own streams", 100 * result.bytesPerCycle / peak, result.hostNs,
                    static_cast<unsigned long long>(memory.dram().totals().counters.lateBursts));
        EXPECT_LE(result.bytesPerCycle, peak);
        EXPECT_GE(result.bytesPerCycle, peak * (reads < 4 || !shared ? 0.72 : 0.88)) << c.name;
      }
}

TEST(MemorySystem, StepsOfTheHorizonChangeLittle) {
  for (bool large_ : {false, true})
    for (unsigned outstanding : {2u, 8u, 32u})
      for (unsigned reads : {4u, 3u}) {
        auto run = [&](Cycles step) {
          MemorySystem memory(large_ ? large() : small(true));
          return stream(memory, large_ ? 64 : 4, outstanding, 256, large_ ? 32'000 : 16'000, reads, true, step)
              .bytesPerCycle;
        };
        const double exact = run(1), stepped = run(MemorySystem::kStep);
        std::printf("%s, %u outstanding, %u of 4 reads: %.2f bytes a cycle, %+.1f %%\n", large_ ? "large" : "small",
                    outstanding, reads, stepped, 100 * (stepped / exact - 1));
        EXPECT_NEAR(stepped, exact, 0.02 * exact);
      }
}

TEST(MemorySystem, IsDeterministic) {
  MemorySystem a(large()), b(large());
  EXPECT_EQ(stream(a, 64, 16, 128, 20'000, 3).bytesPerCycle, stream(b, 64, 16, 128, 20'000, 3).bytesPerCycle);
}

}  // namespace
}  // namespace forerun::sim
