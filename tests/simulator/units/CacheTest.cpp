//===- CacheTest.cpp - hits, misses, merges, write-back, slice hash ----------===//
#include "simulator/cache/L2Cache.h"

#include "simulator/kernel/Error.h"
#include "tests/simulator/units/DramTargets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace forerun::sim::cache {
namespace {

/// One slice, 4 sets x 2 ways x 128 B, in front of the DDR4 channel (64 B bursts, so sectors are 64 B); all in one
/// clock.
targets::TargetSpec small() {
  targets::TargetSpec target = dram::ddr4();
  target.l2 = {.present = true,
               .slices = 1,
               .bytes = 1024,
               .ways = 2,
               .line = 128,
               .mshrs = 4,
               .bytesPerCycle = 64,
               .latencyCycles = 20,
               .clock = "dram"};
  return target;
}

struct Rig {
  explicit Rig(const targets::TargetSpec& target) : dram(target), cache(target, dram) {}
  dram::Dram dram;
  L2Cache cache;

  Cycles read(std::uint64_t offset, std::uint32_t bytes, Cycles at) {
    ReplyOnce once;
    return known(cache.read(offset, bytes, at, {&once, 0}), once, at);
  }
  Cycles write(std::uint64_t offset, std::uint32_t bytes, Cycles at) {
    ReplyOnce once;
    return known(cache.write(offset, bytes, at, {&once, 0}), once, at);
  }
  Cycles known(Cycles answer, const ReplyOnce& later, Cycles at) {
    if (answer != kNever) return answer;
    while (later.at == kNever) dram.hurry(at);
    return later.at;
  }
};

/// Keeps the latest answer.
struct Latest final : ReplySink {
  Cycles at = 0;
  void reply(std::uint32_t, Cycles time) override { at = std::max(at, time); }
  void add(Cycles known) {
    if (known != kNever) at = std::max(at, known);
  }
};

TEST(L2Cache, HitTakesLatencyAndPortTime) {
  Rig rig(small());
  rig.read(0, 128, 0);
  EXPECT_EQ(rig.read(0, 64, 1000), 1020u);
  EXPECT_EQ(rig.read(0, 65, 2000), 2021u);
  EXPECT_EQ(rig.cache.totals().hits, 2u);
}

TEST(L2Cache, PortServesOneRequestAtATime) {
  for (Cycles second : {1000u, 1001u, 1002u, 1003u}) {
    Rig rig(small());
    rig.read(0, 128, 0);
    rig.read(0, 128, 1000);  // port taken in 1000 and 1001
    EXPECT_EQ(rig.read(0, 64, second), std::max<Cycles>(second, 1002) + 20) << second;
  }
}

TEST(L2Cache, MissAddsTheDramAndMergesUntilTheFill) {
  Rig rig(small());
  // Looked up at 120; DRAM: activate 16 + column 16 + burst 4, and tCCD_L 6 for the second burst.
  Cycles filled = rig.read(0, 128, 100);
  EXPECT_EQ(filled, 120u + 36 + 6);
  EXPECT_EQ(rig.read(0, 64, filled - 21), filled);      // looked up one cycle before the fill: waits for it
  EXPECT_EQ(rig.read(0, 64, filled - 20), filled);      // hit, out at the same cycle
  EXPECT_EQ(rig.read(0, 64, filled - 19), filled + 1);  // plain hit
  SliceCounters totals = rig.cache.totals();
  EXPECT_EQ(totals.misses, 1u);
  EXPECT_EQ(totals.merges, 1u);
  EXPECT_EQ(totals.hits, 2u);
  EXPECT_EQ(totals.fillBytes, 128u);
}

TEST(L2Cache, FetchesOnlyMissingSectors) {
  Rig rig(small());
  rig.read(0, 1, 0);
  EXPECT_EQ(rig.cache.totals().fillBytes, 64u);
  rig.read(0, 128, 1000);
  EXPECT_EQ(rig.cache.totals().fillBytes, 128u);
}

TEST(L2Cache, FullSectorWritesFetchNothingPartialOnesDo) {
  Rig rig(small());
  EXPECT_EQ(rig.write(0, 128, 100), 102u);
  EXPECT_EQ(rig.cache.totals().fillBytes, 0u);
  rig.write(128, 32, 200);
  EXPECT_EQ(rig.cache.totals().fillBytes, 64u);
  rig.write(128, 32, 300);  // valid now
  EXPECT_EQ(rig.cache.totals().fillBytes, 64u);
}

TEST(L2Cache, EvictsTheLeastRecentlyUsedAndWritesItBack) {
  Rig rig(small());
  // Lines of the slice that fall into one set.
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = 0; lines.size() < 3; ++line)
    if (foldedModulo(line, 4) == 0) lines.push_back(line * 128);
  rig.write(lines[0], 64, 0);
  rig.read(lines[1], 64, 1000);
  rig.read(lines[0], 64, 2000);
  rig.read(lines[2], 64, 3000);  // evicts lines[1], clean
  EXPECT_EQ(rig.cache.totals().writeBacks, 0u);
  rig.read(lines[1], 64, 4000);  // evicts lines[0], half dirty
  EXPECT_EQ(rig.cache.totals().writeBacks, 1u);
  EXPECT_EQ(rig.cache.totals().writeBackBytes, 64u);
  rig.dram.drain(0);
  EXPECT_EQ(rig.dram.totals().writtenBytes, 64u);
}

TEST(L2Cache, EvictionsTakeTheOldestDirtyLinesAlong) {
  Rig rig(small());
  rig.write(0, 128, 0);     // dirty as a whole
  rig.write(128, 128, 10);  // likewise
  rig.write(256, 64, 20);   // half
  // Two more lines of the first one's set, which has two ways.
  for (std::uint64_t line = 3, reads = 0; reads < 2; ++line)
    if (foldedModulo(line, 4) == 0) rig.read(line * 128, 64, 1000 * ++reads);
  EXPECT_EQ(rig.cache.totals().writeBacks, 1u);
  EXPECT_EQ(rig.cache.totals().cleaned, 1u);
  rig.dram.drain(0);
  EXPECT_EQ(rig.dram.totals().writtenBytes, 2u * 128);
}

TEST(L2Cache, FullMissRegistersDelay) {
  targets::TargetSpec target = small();
  target.l2.mshrs = 1;
  Rig one(target), four(small());
  Latest lastOne, lastFour;
  for (std::uint64_t i = 0; i < 4; ++i) {
    lastOne.add(one.cache.read(i * 8192, 64, 0, {&lastOne, 0}));
    lastFour.add(four.cache.read(i * 8192, 64, 0, {&lastFour, 0}));
  }
  one.dram.drain(0);
  four.dram.drain(0);
  EXPECT_GT(lastOne.at, lastFour.at);
  EXPECT_GE(lastOne.at, 4u * 36);  // one after the other
}

TEST(L2Cache, FlushWritesEveryDirtyByteOnce) {
  Rig rig(small());
  for (std::uint64_t offset = 0; offset < 1024; offset += 64)
    if (offset % 192 == 0) rig.write(offset, 64, offset);
  Cycles done = rig.dram.drain(rig.cache.flush(5000));
  EXPECT_GT(done, 5000u);
  EXPECT_EQ(rig.dram.totals().writtenBytes, 6u * 64);
  EXPECT_EQ(rig.cache.flush(done), done);
  EXPECT_EQ(rig.dram.totals().writtenBytes, 6u * 64);
}

TEST(L2Cache, CleansFullyDirtyLinesWhileDramIsIdle) {
  Rig rig(small());
  rig.write(0, 128, 0);
  rig.write(128, 64, 1000);
  EXPECT_TRUE(rig.cache.cleanable());
  rig.cache.cleanEarly(1000);
  EXPECT_EQ(rig.cache.totals().cleaned, 1u);  // half of the other one is clean
  EXPECT_FALSE(rig.cache.cleanable());
  rig.dram.drain(rig.cache.flush(5000));
  EXPECT_EQ(rig.dram.totals().writtenBytes, 192u);
}

TEST(L2Cache, CleansAsTheHorizonPassesTheReadsBefore) {
  Rig rig(small());
  auto advance = [&](Cycles now) {
    rig.dram.advanceHorizon(now);
    rig.cache.advanceHorizon(now);
    rig.cache.cleanEarly(now);
  };
  advance(90);
  rig.cache.read(512, 128, 100, {});
  rig.cache.write(0, 128, 110, {});
  advance(130);  // the read waits
  EXPECT_EQ(rig.cache.totals().cleaned, 0u);
  advance(170);  // it has just been served
  EXPECT_EQ(rig.cache.totals().cleaned, 0u);
  advance(900);
  EXPECT_EQ(rig.cache.totals().cleaned, 1u);
}

TEST(SliceMap, FollowsChannelsAndSpreadsEvenlyAtEveryStride) {
  for (auto [slices, channels] : {std::pair{16u, 16u}, {32u, 16u}, {4u, 16u}, {6u, 3u}, {16u, 6u}, {8u, 1u}}) {
    targets::TargetSpec target = dram::lpddr5();
    target.dram.channels = channels;
    target.l2 = {.present = true,
                 .slices = slices,
                 .bytes = 1 << 20,
                 .ways = 16,
                 .line = 128,
                 .mshrs = 4,
                 .bytesPerCycle = 64,
                 .latencyCycles = 20,
                 .clock = "core"};
    dram::AddressMap dramMap(target.dram);
    SliceMap map(target, dramMap);
    for (std::uint64_t stride : {256ull, 1024ull, 4096ull, 1ull << 16, 1ull << 20}) {
      std::map<std::uint32_t, unsigned> count;
      for (std::uint64_t i = 0; i < 4096; ++i) ++count[map.sliceOf(i * stride)];
      for (auto& [slice, n] : count)
        EXPECT_LE(n, 3 * 4096 / slices) << slices << " slices " << channels << " channels stride " << stride;
      EXPECT_EQ(count.size(), slices);
    }
    // Lines of a slice are numbered without collisions within its pieces.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> seen;
    std::uint64_t group = std::max(slices, channels);
    if (slices % channels == 0 || channels % slices == 0)
      for (std::uint64_t line = 0; line < group * 64; ++line) {
        auto [where, isNew] = seen.insert({{map.sliceOf(line * 128), map.lineInSlice(line * 128, 128)}, line});
        ASSERT_TRUE(isNew) << slices << " " << channels << " line " << line << " and " << where->second;
      }
  }
}

TEST(L2Cache, MoreWaysOrRegistersIsNotSlowerOnRandomStreams) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    auto run = [&](std::uint32_t ways, std::uint64_t bytes, std::uint32_t mshrs) {
      targets::TargetSpec target = dram::lpddr5();
      target.l2 = {.present = true,
                   .slices = 4,
                   .bytes = bytes,
                   .ways = ways,
                   .line = 128,
                   .mshrs = mshrs,
                   .bytesPerCycle = 64,
                   .latencyCycles = 20,
                   .clock = "core"};
      Rig rig(target);
      std::mt19937_64 random(seed);
      Latest last;
      for (Cycles i = 0; i < 20000; ++i) {
        rig.dram.advanceHorizon(i * 4);
        rig.cache.advanceHorizon(i * 4);
        last.add(rig.cache.read(random() % (1 << 13) * 128, 128, i * 4, {&last, 0}));
      }
      rig.dram.drain(0);
      return last.at;
    };
    Cycles base = run(8, 256 << 10, 8);
    EXPECT_LE(run(16, 512 << 10, 8), base);
    EXPECT_LE(run(8, 256 << 10, 32), base + base / 100);
  }
}

TEST(L2Cache, RefusesContradictions) {
  targets::TargetSpec target = small();
  target.l2.bytes = 128;
  dram::Dram dram(target);
  EXPECT_THROW(L2Cache(target, dram), Error);
  target = small();
  target.l2.line = 96;
  EXPECT_THROW(L2Cache(target, dram), Error);
}

}  // namespace
}  // namespace forerun::sim::cache
