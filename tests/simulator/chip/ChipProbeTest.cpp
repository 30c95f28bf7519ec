//===- ChipProbeTest.cpp - rules of the machine, one kernel each --------------------===//
// Tokens, races, barriers, credits, work items, limits and deadlocks, in the modes that can see them.
#include "ChipFixture.h"

using namespace forerun;
using namespace forerun::sim;
using namespace forerun::sim::test;

namespace {

struct Probe {
  std::unique_ptr<Simulator> sim;
  std::uint64_t buffer = 0;

  explicit Probe(Mode mode, Cycles maxCycles = 0, std::vector<std::string> overrides = {}) {
    Options o;
    o.mode = mode;
    o.maxCycles = maxCycles;
    sim = simulator(target("edge", overrides), std::move(o), "probe.elf");
    buffer = llvm::cantFail(sim->allocate(65536));
  }
  llvm::Expected<LaunchReport> launch(llvm::StringRef kernel) { return sim->launch(kernel, {8, 1, 1}, {buffer}); }
  /// Message and kind of a launch that must fail.
  std::string failure(llvm::StringRef kernel, ErrorKind kind) {
    auto report = launch(kernel);
    if (report) return "accepted";
    std::string text;
    llvm::handleAllErrors(report.takeError(), [&](const SimulationError& error) {
      EXPECT_EQ(error.details.kind, kind);
      llvm::raw_string_ostream os(text);
      error.log(os);
    });
    return text;
  }
};

constexpr Mode kBoth[] = {Mode::Functional, Mode::Timing};

TEST(ChipProbe, commandsNeverWaitedForAreReported) {
  for (Mode mode : kBoth) {
    Probe probe(mode);
    auto report = probe.launch("unwaited");
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    ASSERT_EQ(report->warnings.size(), 1u);
    EXPECT_NE(report->warnings[0].find("core 0, queue 0: 1 commands were never waited for"), std::string::npos)
        << report->warnings[0];
  }
}

TEST(ChipProbe, racesAreRefusedAndNamed) {
  Probe probe(Mode::Timing);
  const std::string race = probe.failure("race", ErrorKind::IllegalProgram);
  EXPECT_NE(race.find("race: load from 0x10000040 while xdma.copy of core 0"), std::string::npos) << race;
  EXPECT_NE(race.find("probe.c:"), std::string::npos) << race;
  const std::string queues = probe.failure("unorderedQueues", ErrorKind::IllegalProgram);
  EXPECT_NE(queues.find("race: xdma.copy of core 0 (queue 1"), std::string::npos) << queues;
  auto ordered = probe.launch("orderedQueues");
  EXPECT_TRUE(bool(ordered)) << llvm::toString(ordered.takeError());
}

TEST(ChipProbe, deadlockNamesWhoWaits) {
  for (Mode mode : kBoth) {
    Probe probe(mode);
    const std::string text = probe.failure("deadlock", ErrorKind::Deadlock);
    EXPECT_NE(text.find("core 0 team 0 waits for barrier 3"), std::string::npos) << text;
  }
}

TEST(ChipProbe, endlessLoopsMeetTheLimit) {
  for (Mode mode : kBoth) {
    Probe probe(mode, 20000);
    const std::string text = probe.failure("endless", ErrorKind::CycleLimit);
    EXPECT_NE(text.find("more than 20000"), std::string::npos) << text;
  }
}

TEST(ChipProbe, tokensOfNobodyAreRefused) {
  for (Mode mode : kBoth) {
    Probe probe(mode);
    EXPECT_NE(probe.failure("strangeToken", ErrorKind::IllegalProgram).find("not a token"), std::string::npos);
  }
}

TEST(ChipProbe, creditsAndSemaphoresCarryDataBetweenCores) {
  for (Mode mode : kBoth) {
    Probe probe(mode);
    std::vector<std::uint8_t> in(4096), out(4096);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 7);
    llvm::cantFail(probe.sim->write(probe.buffer, in));
    auto report = probe.launch("credit");
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    llvm::cantFail(probe.sim->read(probe.buffer + 4096, out));
    EXPECT_EQ(in, out);
    EXPECT_TRUE(report->warnings.empty());
    if (mode != Mode::Timing) continue;
    // Global memory -> core 0 -> scratch of core 1 -> global memory: core 1 alone reads and is written. Its add to
    // core 0's semaphore is a write of 8 bytes.
    EXPECT_EQ(report->scratch.readBytes, in.size());
    EXPECT_EQ(report->scratch.writtenBytes, in.size());
    EXPECT_EQ(report->noc.readBytes, in.size());
    EXPECT_EQ(report->noc.writtenBytes, 2 * in.size() + 8);
  }
}

TEST(ChipProbe, everyItemIsDoneOnceByEveryHartOfOneCore) {
  for (Mode mode : kBoth)
    for (const char* dynamic : {"launch.dynamic=false", "launch.dynamic=true"}) {
      Probe probe(mode, 0, {dynamic});
      auto report = probe.sim->launch("items", {5, 3, 2}, {5, 3, 2, probe.buffer});
      ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
      std::vector<std::uint64_t> sums(16);
      llvm::cantFail(probe.sim->read(probe.buffer, {reinterpret_cast<std::uint8_t*>(sums.data()), 128}));
      std::uint64_t total = 0;
      for (unsigned core = 0; core < 4; ++core) {
        for (unsigned hart = 1; hart < 4; ++hart) EXPECT_EQ(sums[core * 4 + hart], sums[core * 4]);
        total += sums[core * 4];
      }
      EXPECT_EQ(total, 30u * 31 / 2);
    }
}

TEST(ChipProbe, launchesFollowEachOtherInTime) {
  Probe probe(Mode::Timing);
  Cycles first = 0;
  for (int i = 0; i < 3; ++i) {
    auto report = probe.launch("orderedQueues");
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    if (i == 0) first = report->cycles;
    EXPECT_GE(report->cycles, 500u);
    EXPECT_NEAR(static_cast<double>(report->cycles), static_cast<double>(first), 0.3 * static_cast<double>(first));
    expectSums(*report);
  }
}

TEST(ChipProbe, plainRunReturnsTheExitCode) {
  for (Mode mode : kBoth) {
    Probe probe(mode);
    auto report = probe.sim->run();
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    EXPECT_EQ(report->exitCode, 7u);
  }
}

TEST(ChipProbe, programsThatNeedMoreAreRefused) {
  auto sim = Simulator::create(target("edge", {"scratch.bytesPerBank=4 KiB"}), Options{});
  ASSERT_TRUE(bool(sim)) << llvm::toString(sim.takeError());
  const std::string text = llvm::toString((*sim)->load(PROGRAMS "gemm_xfr.elf"));
  EXPECT_NE(text.find("needs scratch>=131072"), std::string::npos) << text;
}

}  // namespace
