//===- LoadTest.cpp - the shipped targets load and say what they should ----===//
// Fixed figures of each target, names and overrides.
#include "targets/Load.h"

#include <gtest/gtest.h>

namespace forerun::targets {
namespace {

std::string errorOf(llvm::Expected<TargetSpec> result) {
  if (result) return "";
  return llvm::toString(result.takeError());
}

TargetSpec loaded(llvm::StringRef name, llvm::ArrayRef<std::string> overrides = {}) {
  auto result = load(name, overrides);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

std::uint64_t dramBytesPerSecond(const TargetSpec& spec) {
  return std::uint64_t{spec.dram.channels} * spec.dram.busBytes * spec.dram.dataRate * spec.hz(spec.dram.clock);
}

TEST(Load, EdgeHasItsFixedFigures) {
  const TargetSpec edge = loaded("edge");
  EXPECT_EQ(edge.cores(), 4u);
  EXPECT_EQ(edge.matrix.rows * edge.matrix.cols, 512u);
  EXPECT_EQ(edge.referenceHz(), 1000000000u);
  EXPECT_EQ(edge.scratch.banks * edge.scratch.bytesPerBank, 512u << 10);
  EXPECT_EQ(dramBytesPerSecond(edge), 51200000000u);
  EXPECT_EQ(edge.teamsPerCore(), 4u);
  EXPECT_EQ(edge.acc.banks * edge.acc.bytesPerBank, 256u << 10);
}

TEST(Load, DatacenterHasItsFixedFigures) {
  const TargetSpec target = loaded("datacenter");
  EXPECT_EQ(target.cores(), 64u);
  EXPECT_EQ(target.noc.columns, 8u);
  EXPECT_EQ(target.matrix.rows * target.matrix.cols, 1024u);
  EXPECT_EQ(target.referenceHz(), 1500000000u);
  EXPECT_EQ(target.scratch.banks * target.scratch.bytesPerBank, 1u << 20);
  EXPECT_EQ(dramBytesPerSecond(target), 2400000000000u);
}

TEST(Load, Mtia2iHasItsPublishedFigures) {
  const TargetSpec target = loaded("mtia2i");
  EXPECT_EQ(target.cores(), 64u);
  EXPECT_EQ(target.matrix.rows * target.matrix.cols, 1024u);
  EXPECT_EQ(target.referenceHz(), 1350000000u);
  EXPECT_EQ(target.scratch.banks * target.scratch.bytesPerBank, 384u << 10);
  EXPECT_EQ(target.l2.bytes, 256u << 20);
  EXPECT_EQ(dramBytesPerSecond(target), 204800000000u);
  ASSERT_EQ(target.teams.size(), 2u);
  EXPECT_EQ(target.teams[0].vlenBits, 0u);
  EXPECT_EQ(target.teams[1].vlenBits, 512u);
  EXPECT_EQ(target.teams[1].latencies.vectorFma, 5u);  // through the YAML alias
}

TEST(Load, EveryShippedAcceleratorHasHalfPrecisionVectors) {
  EXPECT_EQ(knownTargets(), (std::vector<std::string>{"datacenter", "edge", "host", "mtia2i", "sm_80"}));
  EXPECT_EQ(knownAccelerators(), (std::vector<std::string>{"datacenter", "edge", "mtia2i"}));
  for (const std::string& name : knownAccelerators()) {
    const TargetSpec target = loaded(name);
    EXPECT_EQ(target.name, name);
    EXPECT_TRUE(target.teams.back().zvfh && target.teams.back().zvfbfmin) << name;
  }
}

TEST(Load, GpusAreAKindOfTheirOwn) {
  auto target = loadAny("sm_80", {"warpsPerCta=8"});
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  const GpuSpec& gpu = std::get<GpuSpec>(*target);
  EXPECT_EQ(gpu.arch, "sm_80");
  EXPECT_EQ(gpu.warpsPerCta * gpu.warpSize, 256u);
  EXPECT_EQ(gpu.sharedBytes, 163u << 10);
  EXPECT_NE(errorOf(load("sm_80")).find("sm_80.yaml: kind: 'sm_80' is a GPU, for which there is code"),
            std::string::npos);
  auto wrong = loadAny("sm_80", {"warpSize=64"});
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "--set warpSize=64: 64 is not known; matrix fragments are laid out for warps of 32");
  const std::pair<const char*, const char*> zeros[] = {
      {"warpsPerGroup=0", "0; a group holds at least one warp"},
      {"sharedBytes=0", "0; scratch buffers need some"},
      {"sharedBanks=0", "0; shared memory has at least one bank"},
      {"sharedBankWidthBytes=0", "0; a bank serves at least one byte a cycle"}};
  for (auto [set, message] : zeros) {
    auto zero = loadAny("sm_80", {set});
    ASSERT_FALSE(bool(zero)) << set;
    EXPECT_EQ(llvm::toString(zero.takeError()), std::string("--set ") + set + ": " + message);
  }
}

TEST(Load, ClocksConvertExactlyAndRoundUp) {
  const TargetSpec target = loaded("datacenter");
  EXPECT_EQ(target.toReference(7, "core"), 7u);
  EXPECT_EQ(target.toReference(0, "dram"), 0u);
  // 1500 / 1171.875 = 1.28: 25 cycles are exactly 32, one more takes 33.28.
  EXPECT_EQ(target.toReference(25, "dram"), 32u);
  EXPECT_EQ(target.toReference(26, "dram"), 34u);
  // A product beyond 64 bits.
  EXPECT_EQ(target.toReference(25'000'000'000'000'000u, "dram"), 32'000'000'000'000'000u);
}

TEST(Load, OverridesApplyInOrder) {
  const TargetSpec target = loaded(
      "edge", {"teams.0.count=8", "dram.timings.tCL=30", "l2=none", "scratch.bytesPerBank = 64 KiB",
               "launch.dynamic=true", "clocks.0.hz=2 GHz", "noc.topology=ring", "noc.columns=0", "teams.0.count=2"});
  EXPECT_EQ(target.teams[0].count, 2u);
  EXPECT_EQ(target.dram.timings.tCL, 30u);
  EXPECT_FALSE(target.l2.present);
  EXPECT_EQ(target.scratch.bytesPerBank, 64u << 10);
  EXPECT_TRUE(target.launch.dynamic);
  EXPECT_EQ(target.clocks[0].hz, 2000000000u);
  EXPECT_EQ(target.noc.topology, Topology::Ring);
}

TEST(Load, BadOverridesAreNamed) {
  const auto error = [](std::string text) { return errorOf(load("edge", {std::move(text)})); };
  EXPECT_EQ(error("teams.0.count"), "--set teams.0.count: not of the form key=value; write, say, teams.0.count=8");
  EXPECT_EQ(error("teams.0.cuont=8"), "--set teams.0.cuont=8: no such key; did you mean 'count'?");
  EXPECT_EQ(error("temas.0.count=8"), "--set temas.0.count=8: no such key; did you mean 'teams'?");
  EXPECT_EQ(error("teams.1.count=8"), "--set teams.1.count=8: 'teams' has 1 entries; write teams.0 and a key");
  EXPECT_EQ(error("teams.0=8"), "--set teams.0=8: no such key");
  EXPECT_EQ(error("teams.0.count=eight"),
            "--set teams.0.count=eight: 'eight' is not a whole number; write one that is 0 or more");
  EXPECT_EQ(error("teams.0.count=-1"),
            "--set teams.0.count=-1: '-1' is not a whole number; write one that is 0 or more");
  EXPECT_EQ(error("teams.0.count=4294967296"),
            "--set teams.0.count=4294967296: '4294967296' is too large; write at most 4294967295");
  EXPECT_EQ(error("teams.0.count=0"), "--set teams.0.count=0: 0 is too small; write at least 1");
  EXPECT_EQ(error("teams.0.clock=cpu"),
            "--set teams.0.clock=cpu: clock 'cpu' is not among clocks; write one of core, dram");
  EXPECT_EQ(error("dram.model=fast"), "--set dram.model=fast: 'fast' is not known; write one of command, burst");
  EXPECT_EQ(error("l2=2 MiB"), "--set l2=2 MiB: only 'none' can be written here; set its keys one by one");
  EXPECT_EQ(errorOf(load("edge", {"l2=none", "l2.slices=2"})),
            "--set l2.slices=2: 'l2' is none in this target; write the group into the target file first");
  // An override that contradicts another key is found at that key's line.
  const std::string ring = error("noc.topology=ring");
  EXPECT_EQ(ring.rfind(defaultFolder() + "/edge.yaml:", 0), 0u) << ring;
  EXPECT_NE(ring.find(": noc.columns: 2 for a topology without rows; write 0"), std::string::npos) << ring;
}

TEST(Load, UnknownNamesListWhatThereIs) {
  EXPECT_EQ(errorOf(load("egde", {}, defaultFolder())),
            "target 'egde' is not known; did you mean 'edge'? Known targets in " + defaultFolder() +
                ": datacenter, edge, host, mtia2i, sm_80; or give the path of a .yaml file");
  EXPECT_EQ(errorOf(load("missing/edge.yaml")),
            "missing/edge.yaml: No such file or directory; give the path of a readable target file");
}

}  // namespace
}  // namespace forerun::targets
