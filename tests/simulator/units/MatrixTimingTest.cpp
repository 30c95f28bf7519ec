//===- MatrixTimingTest.cpp - time of the matrix engine at its edges -----------------===//
// Closed forms of systolic arrays, overlap of loads and runs, rates, ports; not done at t - 1, done at t.
#include "EngineFixture.h"
#include "simulator/matrix/MatrixEngine.h"

#include <gtest/gtest.h>

using namespace forerun;
using namespace forerun::sim;
using isa::ElementType;

namespace {

targets::TargetSpec arrayTarget() {
  targets::TargetSpec t;
  t.clocks = {{"core", 1'000'000'000}};
  t.reference = "core";
  t.engines.resize(1);
  targets::EngineSpec& e = t.engines[0];
  e.kind = targets::EngineKind::Matrix;
  e.clock = "core";
  e.count = 1;
  e.queues = 1;
  e.queueDepth = 16;
  e.readBytesPerCycle = 64;
  e.writeBytesPerCycle = 64;
  t.matrix.rows = 16;
  t.matrix.cols = 8;
  t.matrix.typeRate = {{"f16", 1, 1}, {"i8", 2, 1}, {"f32", 1, 4}};
  t.scratch = {.banks = 16, .bytesPerBank = 1 << 14, .ports = 1, .bankWidthBytes = 64, .latencyCycles = 6};
  t.acc = t.scratch;
  return t;
}

struct Host : engine::EngineHost {
  std::vector<std::pair<std::uint64_t, Cycles>> done;
  bool tokenComplete(std::uint64_t) const override { return true; }
  void wakes(engine::Engine&, Cycles) override {}
  void started(engine::CommandQueue&, const engine::QueuedCommand&, Cycles) override {}
  void retired(engine::CommandQueue&, const engine::QueuedCommand& command, Cycles now) override {
    done.push_back({command.sequence, now});
  }
};

struct Bench : test::EngineFixture {
  targets::TargetSpec target;
  Host host;
  BankedMemoryTiming scratch, accumulator;
  matrix::MatrixEngine unit;
  std::uint64_t sequence = 0;

  explicit Bench(targets::TargetSpec t)
      : target(std::move(t)),
        scratch(target.scratch, nullptr),
        accumulator(target.acc, nullptr),
        unit(target, target.engines[0], "matrix", host, 0, memory, &scratch, &accumulator) {
    fillRandom(ElementType::I8, kScratchBase, 1 << 17);
  }

  static Descriptor matrix(ElementType type, std::uint64_t base, std::int64_t rows, std::int64_t columns,
                           std::int64_t pitch) {
    Descriptor d;
    d.type = type;
    d.base = base;
    d.extent = {columns, rows, 1, 1};
    d.stride = {static_cast<std::int64_t>(isa::storageBytes(type)), pitch, 0, 0};
    return d;
  }
  void push(const Command& command) {
    engine::QueuedCommand entry;
    entry.command = command;
    entry.sequence = ++sequence;
    entry.order = sequence;
    entry.footprint = engine::footprintOf(command, memory);
    unit.queues()[0].entries.push_back(std::move(entry));
  }
  void load(ElementType type = ElementType::F16) {
    Command c;
    c.kind = CommandKind::MatrixLoad;
    c.first = matrix(type, kScratchBase, target.matrix.rows, target.matrix.cols, 64);
    push(c);
  }
  void run(std::int64_t rows, ElementType type = ElementType::F16, std::uint64_t accAt = 0, std::int64_t aPitch = 64) {
    Command c;
    c.kind = CommandKind::MatrixRun;
    c.swapWeights = true;
    c.second = matrix(type, kScratchBase + 0x8000, rows, target.matrix.rows, aPitch);
    c.first = matrix(type == ElementType::I8 ? ElementType::I32 : ElementType::F32, kAccumulatorBase + accAt, rows,
                     target.matrix.cols, 64);
    push(c);
  }
  void store(std::int64_t rows) {
    Command c;
    c.kind = CommandKind::MatrixStore;
    c.first = matrix(ElementType::F32, kAccumulatorBase, rows, target.matrix.cols, 64);
    c.second = matrix(ElementType::F16, kScratchBase + 0x10000, rows, target.matrix.cols, 64);
    push(c);
  }
  /// Calls the engine at the times that it asks for; returns when the last command retired.
  Cycles finish() {
    Cycles now = 0;
    while (now != kNever) now = unit.advance(now);
    return host.done.empty() ? 0 : host.done.back().second;
  }
};

TEST(MatrixTiming, weightStationaryTileTakesItsClosedForm) {
  for (std::int64_t rows : {1, 7, 16, 100}) {
    Bench bench(arrayTarget());
    bench.load();
    bench.run(rows);
    EXPECT_EQ(bench.finish(), static_cast<Cycles>(rows + 2 * 16 + 8 - 2));
  }
}

TEST(MatrixTiming, outputStationaryBlocksTakeTheirClosedForm) {
  for (std::int64_t rows : {1, 16, 17, 100}) {
    targets::TargetSpec t = arrayTarget();
    t.matrix.dataflow = targets::Dataflow::OutputStationary;
    t.matrix.loadRowsPerCycle = 16;  // B is not held: its rows come with K, here all in one cycle
    t.engines[0].readBytesPerCycle = 256;
    Bench bench(t);
    bench.load();
    bench.run(rows);
    EXPECT_EQ(bench.finish(), 1 + static_cast<Cycles>((rows + 15) / 16 * (16 + 16 + 8 - 2)));
  }
}

TEST(MatrixTiming, runRetiresAtItsCycleAndNotBefore) {
  Bench bench(arrayTarget());
  bench.load();
  bench.run(10);
  const Cycles due = 10 + 2 * 16 + 8 - 2;
  bench.unit.advance(0);
  bench.unit.advance(16);
  bench.unit.advance(due - 1);
  EXPECT_EQ(bench.host.done.size(), 1u);
  bench.unit.advance(due);
  EXPECT_EQ(bench.host.done.size(), 2u);
}

TEST(MatrixTiming, loadsHideBehindRunsWithTwoBuffersOnly) {
  for (std::uint32_t buffers : {1u, 2u}) {
    targets::TargetSpec t = arrayTarget();
    t.matrix.weightBuffers = buffers;
    Bench bench(t);
    for (int i = 0; i < 4; ++i) {
      bench.load();
      bench.run(32, ElementType::F16, static_cast<std::uint64_t>(i) * 4096);
    }
    EXPECT_EQ(bench.finish(), buffers == 2 ? 16u + 4 * 32 + 22 : 4u * (16 + 32) + 22);
  }
}

TEST(MatrixTiming, ratesOfTypesAndShortRuns) {
  auto cycles = [](ElementType type, std::int64_t rows, std::uint32_t minRows) {
    targets::TargetSpec t = arrayTarget();
    t.matrix.minRows = minRows;
    Bench bench(t);
    bench.load(type);
    bench.run(rows, type);
    return bench.finish() - (2 * 16 + 8 - 2);
  };
  EXPECT_EQ(cycles(ElementType::F16, 24, 1), 24u);
  EXPECT_EQ(cycles(ElementType::I8, 24, 1), 12u);
  EXPECT_EQ(cycles(ElementType::I8, 25, 1), 13u);
  EXPECT_EQ(cycles(ElementType::F32, 24, 1), 96u);
  EXPECT_EQ(cycles(ElementType::F16, 7, 8), 8u);
  EXPECT_EQ(cycles(ElementType::F16, 8, 8), 8u);
  EXPECT_EQ(cycles(ElementType::F16, 9, 8), 9u);
}

TEST(MatrixTiming, operandsComeThroughPortAndBanks) {
  auto cycles = [](std::uint32_t portBytes, std::int64_t pitch) {
    targets::TargetSpec t = arrayTarget();
    t.engines[0].readBytesPerCycle = portBytes;
    Bench bench(t);
    bench.load();
    bench.run(64, ElementType::F16, 0, pitch);
    return bench.finish();
  };
  const Cycles whole = cycles(32, 64);
  EXPECT_EQ(whole, 64u + 2 * 16 + 8 - 2);  // a row of 16 f16 a cycle
  EXPECT_EQ(cycles(16, 64) - whole, 64u);  // two cycles a row; weights fit
}

TEST(MatrixTiming, storeWaitsForTheRunThatItDrains) {
  Bench bench(arrayTarget());
  bench.load();
  bench.run(32);
  bench.store(32);
  bench.finish();
  ASSERT_EQ(bench.host.done.size(), 3u);
  const Cycles ran = bench.host.done[1].second, stored = bench.host.done[2].second;
  EXPECT_EQ(ran, 32u + 38);
  EXPECT_GE(stored, ran + 32);
  EXPECT_LE(stored, ran + 32 + 16);
}

TEST(MatrixTiming, everyCycleHasOneOwner) {
  Bench bench(arrayTarget());
  for (int i = 0; i < 3; ++i) {
    bench.load();
    bench.run(20, ElementType::F16, static_cast<std::uint64_t>(i) * 4096);
  }
  const Cycles end = bench.finish() + 10;
  engine::StallTimeline& timeline = bench.unit.timeline();
  timeline.accountTo(end);
  using engine::EngineCause;
  Cycles sum = 0;
  for (int c = 0; c < static_cast<int>(engine::kEngineCauses); ++c) sum += timeline.of(static_cast<EngineCause>(c));
  EXPECT_EQ(sum, end);
  EXPECT_EQ(timeline.of(EngineCause::Busy), 60u);
  EXPECT_EQ(timeline.of(EngineCause::Fill), 16u);
  EXPECT_EQ(timeline.of(EngineCause::Drain), 22u);
  EXPECT_EQ(timeline.of(EngineCause::Idle), 10u);
}

}  // namespace
