//===- HartBench.cpp - host speed of the hart -------------------------------===//
// Simulated instructions a host second on compiled C, in both modes, with all checks on.
#include "tests/simulator/core/TestMachine.h"
#include "tests/simulator/qemu/QemuProgram.h"

#include "llvm/Support/FileSystem.h"

#include <benchmark/benchmark.h>

namespace {

namespace core = forerun::sim::core;

void runProgram(benchmark::State& state, const char* name, core::HartMode mode) {
  if (!llvm::sys::fs::exists(forerun::test::qemuProgramPath(name))) {
    state.SkipWithError("the build found no clang with a RISC-V target to compile the program");
    return;
  }
  const core::Program program = core::Program::fromFile(forerun::test::qemuProgramPath(name));
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    state.PauseTiming();
    core::TestMachine machine(mode);
    machine.start(program);
    state.ResumeTiming();
    machine.run();
    instructions += machine.hart().instructions();
    state.PauseTiming();
    if (mode == core::HartMode::Timed)
      state.counters["IPC"] =
          static_cast<double>(machine.hart().instructions()) / static_cast<double>(machine.hart().now());
    state.ResumeTiming();
  }
  state.counters["MIPS"] = benchmark::Counter(static_cast<double>(instructions) / 1e6, benchmark::Counter::kIsRate);
}

#define FORERUN_HART_BENCH(program)                                                                  \
  BENCHMARK_CAPTURE(runProgram, program##_functional, "bench-" #program, core::HartMode::Functional) \
      ->Unit(benchmark::kMillisecond);                                                               \
  BENCHMARK_CAPTURE(runProgram, program##_timing, "bench-" #program, core::HartMode::Timed)          \
      ->Unit(benchmark::kMillisecond)

FORERUN_HART_BENCH(crc);
FORERUN_HART_BENCH(quicksort);
FORERUN_HART_BENCH(search);

}  // namespace

BENCHMARK_MAIN();
