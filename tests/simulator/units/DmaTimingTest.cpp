//===- DmaTimingTest.cpp - bursts and time of DMA engines -----------------------------===//
// The walk covers exactly the command's elements; latency, bursts in flight, ports and start-up at their edges.
#include "EngineFixture.h"
#include "simulator/dma/DmaEngine.h"

#include <gtest/gtest.h>

#include <map>

using namespace forerun;
using namespace forerun::sim;
using isa::ElementType;

namespace {

TEST(BurstWalk, coversExactlyTheElementsOfACommand) {
  std::mt19937_64 random(3);
  auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (int round = 0; round < 3000; ++round) {
    Command command;
    command.kind = CommandKind::DmaCopy;
    Descriptor &dst = command.first, &src = command.second;
    dst.type = below(2) ? ElementType::F16 : ElementType::F32;
    src.type = below(2) ? dst.type : ElementType::F32;
    dst.base = 100000 + static_cast<std::uint64_t>(below(64));
    src.base = 900000 + static_cast<std::uint64_t>(below(64));
    std::int64_t pitch = isa::storageBytes(dst.type);
    for (unsigned d = 0; d < 4; ++d) {
      dst.extent[d] = 1 + below(d == 0 ? 40 : 5);
      src.extent[d] = below(3) ? dst.extent[d] : std::max<std::int64_t>(0, dst.extent[d] - below(3));
      dst.stride[d] = pitch;
      pitch = pitch * dst.extent[d] + (below(2) ? 0 : below(3) * 4);
      src.stride[d] = (below(60) + 1) * 4 * (d + 1) - (below(4) == 0 ? 200 : 0);
      if (below(5) == 0) dst.low[d] = 1;
      if (below(5) == 0) dst.high[d] = dst.extent[d] - 1;
      if (below(6) == 0) src.low[d] = 1;
    }
    if (below(2)) src.stride[0] = isa::storageBytes(src.type);
    if (below(3) == 0) std::swap(src.stride[0], src.stride[1]);
    std::map<std::uint64_t, int> writes, reads;
    for (std::int64_t i3 = 0; i3 < dst.extent[3]; ++i3)
      for (std::int64_t i2 = 0; i2 < dst.extent[2]; ++i2)
        for (std::int64_t i1 = 0; i1 < dst.extent[1]; ++i1)
          for (std::int64_t i0 = 0; i0 < dst.extent[0]; ++i0) {
            const std::int64_t i[4] = {i0, i1, i2, i3};
            bool written = true, read = true;
            std::uint64_t to = dst.base, from = src.base;
            for (unsigned d = 0; d < 4; ++d) {
              written &= i[d] >= dst.low[d] && i[d] < dst.high[d];
              read &= i[d] >= src.low[d] && i[d] < src.high[d] && i[d] < src.extent[d];
              to += static_cast<std::uint64_t>(i[d] * dst.stride[d]);
              from += static_cast<std::uint64_t>(i[d] * src.stride[d]);
            }
            if (written) ++writes[to];
            if (written && read) ++reads[from];
          }
    const bool far = below(2);
    const std::uint32_t burstBytes = 64;
    dma::BurstWalk walk(command, {far, !far}, burstBytes, {});
    std::map<std::uint64_t, int> walkedWrites, walkedReads;
    dma::Burst burst;
    while (walk.next(burst)) {
      const std::int64_t readStep = std::abs(walk.readStride()), writeStep = std::abs(walk.writeStride());
      for (std::uint32_t e = 0; e < burst.writeElements; ++e)
        ++walkedWrites[burst.writeAddress + e * static_cast<std::uint64_t>(writeStep)];
      for (std::uint32_t e = 0; e < burst.readElements; ++e)
        ++walkedReads[burst.readAddress + e * static_cast<std::uint64_t>(readStep)];
      if (far && burst.readElements > 1) {
        ASSERT_EQ(static_cast<std::uint32_t>(readStep), walk.readElementBytes());
        ASSERT_LE(burst.readAddress % burstBytes + burst.readElements * walk.readElementBytes(),
                  burstBytes + walk.readElementBytes() - 1);
      }
    }
    ASSERT_EQ(walkedWrites, writes) << round;
    ASSERT_EQ(walkedReads, reads) << round;
  }
}

targets::TargetSpec dmaTarget() {
  targets::TargetSpec t;
  t.clocks = {{"core", 1'000'000'000}};
  t.reference = "core";
  t.engines.resize(1);
  targets::EngineSpec& e = t.engines[0];
  e.kind = targets::EngineKind::Dma;
  e.clock = "core";
  e.count = 1;
  e.queues = 2;
  e.queueDepth = 8;
  e.startupCycles = 10;
  e.inFlight = 1000;
  e.burstBytes = 128;
  e.readBytesPerCycle = 64;
  e.writeBytesPerCycle = 64;
  t.scratch = {.banks = 16, .bytesPerBank = 1 << 14, .ports = 1, .bankWidthBytes = 64, .latencyCycles = 6};
  t.acc = t.scratch;
  return t;
}

struct Host : engine::EngineHost {
  std::vector<Cycles> done;
  Cycles woken = kNever;
  bool tokenComplete(std::uint64_t) const override { return true; }
  void wakes(engine::Engine&, Cycles at) override { woken = std::min(woken, at); }
  void started(engine::CommandQueue&, const engine::QueuedCommand&, Cycles) override {}
  void retired(engine::CommandQueue&, const engine::QueuedCommand&, Cycles now) override { done.push_back(now); }
};

struct FixedLatency : dma::MemoryPort {
  Cycles latency = 100;
  std::uint64_t requests = 0;
  Cycles readOutside(std::uint32_t, std::uint64_t, std::uint32_t, Cycles at, Reply) override {
    return ++requests, at + latency;
  }
  Cycles writeOutside(std::uint32_t, std::uint64_t, std::uint32_t, Cycles at, Reply) override {
    return ++requests, at + latency;
  }
  Cycles multicastOutside(std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t, Cycles at) override {
    return ++requests, at + latency;
  }
};

/// Answers when the test says so.
struct LaterAnswers : dma::MemoryPort {
  std::vector<Reply> asked;
  Cycles readOutside(std::uint32_t, std::uint64_t, std::uint32_t, Cycles, Reply reply) override {
    return asked.push_back(reply), kNever;
  }
  Cycles writeOutside(std::uint32_t, std::uint64_t, std::uint32_t, Cycles, Reply reply) override {
    return asked.push_back(reply), kNever;
  }
  Cycles multicastOutside(std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t, Cycles at) override { return at; }
};

template <typename Port>
struct BenchOf : test::EngineFixture {
  targets::TargetSpec target;
  Host host;
  Port outside;
  BankedMemoryTiming scratch, accumulator;
  dma::DmaEngine unit;
  std::uint64_t sequence = 0;

  explicit BenchOf(targets::TargetSpec t)
      : target(std::move(t)),
        scratch(target.scratch, nullptr),
        accumulator(target.acc, nullptr),
        unit(target, target.engines[0], "dma", host, 0, memory, {&scratch, &accumulator, &outside, nullptr}) {
    fillRandom(ElementType::I8, kScratchBase, 1 << 17);
  }
  void copy(std::uint64_t to, std::uint64_t from, std::int64_t rows, std::int64_t rowBytes, std::int64_t toPitch,
            std::int64_t fromPitch, std::uint32_t queue = 0) {
    engine::QueuedCommand entry;
    Command& c = entry.command;
    c.kind = CommandKind::DmaCopy;
    c.first.type = c.second.type = ElementType::I8;
    c.first.base = to;
    c.second.base = from;
    c.first.extent = c.second.extent = {rowBytes, rows, 1, 1};
    c.first.stride = {1, toPitch, 0, 0};
    c.second.stride = {1, fromPitch, 0, 0};
    entry.sequence = ++sequence;
    entry.order = sequence;
    entry.footprint = engine::footprintOf(c, memory);
    unit.queues()[queue].entries.push_back(std::move(entry));
  }
  Cycles finish() {
    Cycles now = 0;
    while (now != kNever) now = unit.advance(now);
    return host.done.back();
  }
};

using Bench = BenchOf<FixedLatency>;

TEST(DmaTiming, oneBurstTakesStartupLatencyAndTheWritePort) {
  Bench bench(dmaTarget());
  bench.copy(kScratchBase, kGlobalBase, 1, 128, 128, 128);
  const Cycles due = 10 + 100 + 2;  // 128 bytes through 64 a cycle
  for (Cycles now = 0; now < due; ++now) bench.unit.advance(now);
  EXPECT_TRUE(bench.host.done.empty());
  bench.unit.advance(due);
  EXPECT_EQ(bench.host.done.size(), 1u);
}

TEST(DmaTiming, streamsAtThePortWhenEnoughBurstsAreInFlight) {
  Bench bench(dmaTarget());
  bench.copy(kScratchBase, kGlobalBase, 64, 256, 256, 256);
  EXPECT_EQ(bench.finish(), 10u + 100 + 128 * 2);  // 128 bursts, two cycles each at the write port
  EXPECT_EQ(bench.outside.requests, 128u);
}

TEST(DmaTiming, burstsInFlightBoundTheBandwidth) {
  targets::TargetSpec t = dmaTarget();
  t.engines[0].inFlight = 4;
  Bench bench(t);
  bench.copy(kScratchBase, kGlobalBase, 1, 128 * 16, 0, 0);
  // Four bursts every 102 cycles or a little more: the write port serialises each group.
  const Cycles took = bench.finish();
  EXPECT_GE(took, 10u + 4 * 102);
  EXPECT_LE(took, 10u + 4 * 112);
}

TEST(DmaTiming, alignmentAndRowsSplitBursts) {
  Bench aligned(dmaTarget()), shifted(dmaTarget()), rows(dmaTarget());
  aligned.copy(kScratchBase, kGlobalBase, 1, 1024, 0, 0);
  shifted.copy(kScratchBase, kGlobalBase + 64, 1, 1024, 0, 0);
  rows.copy(kScratchBase, kGlobalBase, 32, 32, 32, 128);
  aligned.finish();
  shifted.finish();
  rows.finish();
  EXPECT_EQ(aligned.outside.requests, 8u);
  EXPECT_EQ(shifted.outside.requests, 9u);
  EXPECT_EQ(rows.outside.requests, 32u);
}

TEST(DmaTiming, commandsFollowWithoutGapUnlessTheyConflict) {
  Bench apart(dmaTarget()), chained(dmaTarget());
  apart.copy(kScratchBase, kGlobalBase, 1, 4096, 0, 0);
  apart.copy(kScratchBase + 4096, kGlobalBase, 1, 4096, 0, 0);
  chained.copy(kScratchBase, kGlobalBase, 1, 4096, 0, 0);
  chained.copy(kGlobalBase + 65536, kScratchBase, 1, 4096, 0, 0);
  EXPECT_EQ(apart.finish(), 10u + 100 + 2 * 64);
  chained.finish();
  EXPECT_EQ(chained.host.done[0], 10u + 100 + 64);
  EXPECT_GE(chained.host.done[1], chained.host.done[0] + 100 + 64);
}

TEST(DmaTiming, twoQueuesShareTheFrontEnd) {
  Bench bench(dmaTarget());
  bench.copy(kScratchBase, kGlobalBase, 1, 8192, 0, 0, 0);
  bench.copy(kScratchBase + 8192, kGlobalBase, 1, 8192, 0, 0, 1);
  EXPECT_EQ(bench.finish(), 10u + 100 + 2 * 128);
}

TEST(DmaTiming, answersMayComeLaterAndOutOfOrder) {
  targets::TargetSpec t = dmaTarget();
  t.engines[0].inFlight = 2;
  BenchOf<LaterAnswers> bench(t);
  bench.copy(kScratchBase, kGlobalBase, 1, 128 * 3, 0, 0);
  bench.unit.advance(0);
  bench.unit.advance(10);
  bench.unit.advance(11);
  EXPECT_EQ(bench.unit.advance(12), kNever);  // two are out: nothing to do until one is answered
  ASSERT_EQ(bench.outside.asked.size(), 2u);
  bench.outside.asked[1].send(100);
  EXPECT_EQ(bench.host.woken, 102u);  // data at 100, two cycles at the write port
  bench.unit.advance(101);
  EXPECT_EQ(bench.outside.asked.size(), 2u);
  bench.unit.advance(102);
  ASSERT_EQ(bench.outside.asked.size(), 3u);
  bench.outside.asked[2].send(300);
  bench.outside.asked[0].send(200);
  EXPECT_EQ(bench.unit.advance(202), 302u);
  EXPECT_TRUE(bench.host.done.empty());
  bench.unit.advance(302);
  EXPECT_EQ(bench.host.done, std::vector<Cycles>{302});
  // Every cycle has its cause, the wait for a free place too: 10 start-up, 3 bursts, 12 to 102 for the first answer,
  // then the drain.
  engine::StallTimeline& timeline = bench.unit.timeline();
  timeline.accountTo(302);
  using engine::EngineCause;
  EXPECT_EQ(timeline.of(EngineCause::Fill), 10u);
  EXPECT_EQ(timeline.of(EngineCause::Busy), 3u);
  EXPECT_EQ(timeline.of(EngineCause::Operand), 102u - 12);
  EXPECT_EQ(timeline.of(EngineCause::Drain), 302u - 103);
}

TEST(DmaTiming, writesHoldTheirPlaceUntilTheyAreAcknowledged) {
  targets::TargetSpec t = dmaTarget();
  t.engines[0].inFlight = 1;
  BenchOf<LaterAnswers> bench(t);
  bench.copy(kGlobalBase, kScratchBase, 1, 128 * 2, 0, 0);
  bench.unit.advance(0);
  bench.unit.advance(10);
  EXPECT_EQ(bench.unit.advance(11), kNever);
  ASSERT_EQ(bench.outside.asked.size(), 1u);
  bench.outside.asked[0].send(50);
  EXPECT_EQ(bench.host.woken, 50u);
  bench.unit.advance(50);
  ASSERT_EQ(bench.outside.asked.size(), 2u);
  bench.outside.asked[1].send(90);
  bench.unit.advance(90);
  EXPECT_EQ(bench.host.done, std::vector<Cycles>{90});
}

}  // namespace
