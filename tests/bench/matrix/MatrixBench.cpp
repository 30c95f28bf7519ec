//===- MatrixBench.cpp - host speed of a matrix engine ----------------------===//
// One core of `datacenter` in timing mode with all checks: commands go through its queue, are checked for races,
// compute on data and book banks row by row. What a whole chip adds is memory traffic (docs/performance.md).
#include "simulator/engine/CoreEngines.h"
#include "targets/Load.h"

#include <benchmark/benchmark.h>

#include <cstring>

namespace {

using namespace forerun;
using namespace forerun::sim;
using isa::ElementType;

struct Silent : engine::CoreListener {
  void queueHasRoom(std::uint32_t, std::uint32_t, Cycles) override {}
  void tokenRetired(std::uint32_t, std::uint32_t, std::uint64_t, Cycles) override {}
  void credited(std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, Cycles) override {}
  void engineWakes(std::uint32_t, std::size_t, Cycles) override {}
};

MemorySizes sizesOf(const targets::TargetSpec& target) {
  MemorySizes sizes;
  sizes.cores = 1;
  sizes.privateBytesPerTeam = {4096};
  sizes.scratchBytes = target.scratch.bytesPerBank * target.scratch.banks;
  sizes.accumulatorBytes = target.acc.bytesPerBank * target.acc.banks;
  sizes.globalBytes = 4096;
  return sizes;
}

Descriptor matrixAt(ElementType type, std::uint64_t base, std::int64_t rows, std::int64_t columns, std::int64_t pitch) {
  Descriptor d;
  d.type = type;
  d.base = base;
  d.extent = {columns, rows, 1, 1};
  d.stride = {static_cast<std::int64_t>(isa::storageBytes(type)), pitch, 0, 0};
  return d;
}

/// A 128 x 128 tile of C times a 128 x 64 block of A, as examples/gemm.mlir issues it: a load and a run for each 32 x
/// 32 weights.
void tileProducts(benchmark::State& state, ElementType type, ElementType sums, unsigned bytes) {
  constexpr std::int64_t kTile = 128, kDepth = 64, kWeights = 32;
  const targets::TargetSpec target = llvm::cantFail(targets::load("datacenter"));
  AddressSpace space(sizesOf(target));
  const EngineMemory memory(space, 0, 1, /*checkInitialised=*/true);
  Horizon horizon;
  BankedMemoryTiming scratch(target.scratch, &horizon), accumulator(target.acc, &horizon);
  std::vector<std::unique_ptr<RaceTracker>> races;
  races.push_back(
      std::make_unique<RaceTracker>(memory.canonical(kScratchBase), target.scratch.bytesPerBank * target.scratch.banks,
                                    memory.canonical(kAccumulatorBase), target.acc.bytesPerBank * target.acc.banks));
  Silent silent;
  engine::CoreEngines engines(target, memory, {&scratch, &accumulator, nullptr, &horizon, 0, nullptr}, silent, races);
  const Mapping data = space.find(0, 0, kScratchBase);
  std::memset(data.initialised, 1, static_cast<std::size_t>(kTile * kDepth * bytes * 2));

  const std::size_t matrix = engines.engines().size() - 1;
  const std::uint64_t bBase = kScratchBase + kTile * kDepth * bytes;
  Cycles now = 0;
  auto issue = [&](const Command& command) {
    while (!engines.issue(command, {}, now, now)) {
      now = engines.advance(matrix, now);
      horizon.now = now;
    }
  };
  bool first = true;
  for (auto _ : state) {
    for (std::int64_t k = 0; k < kDepth; k += kWeights)
      for (std::int64_t n = 0; n < kTile; n += kWeights) {
        Command load;
        load.kind = CommandKind::MatrixLoad;
        load.first = matrixAt(type, bBase + static_cast<std::uint64_t>((k * kTile + n) * bytes), kWeights, kWeights,
                              kTile * bytes);
        issue(load);
        Command run;
        run.kind = CommandKind::MatrixRun;
        run.swapWeights = true;
        run.accumulate = !first || k != 0;
        run.second =
            matrixAt(type, kScratchBase + static_cast<std::uint64_t>(k * bytes), kTile, kWeights, kDepth * bytes);
        run.first = matrixAt(sums, kAccumulatorBase + static_cast<std::uint64_t>(n * 4), kTile, kWeights, kTile * 4);
        issue(run);
      }
    first = false;
  }
  state.counters["GMACs"] = benchmark::Counter(static_cast<double>(state.iterations() * kTile * kTile * kDepth) / 1e9,
                                               benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(tileProducts, f16, ElementType::F16, ElementType::F32, 2);
BENCHMARK_CAPTURE(tileProducts, i8, ElementType::I8, ElementType::I32, 1);

}  // namespace

BENCHMARK_MAIN();
