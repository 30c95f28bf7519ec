//===- AxisTest.cpp - axes of machines -------------------------------------===//
// Hierarchies of GPUs written down, those of accelerators from their files.
#include "compiler/dialect/layout/TargetAxes.h"
#include "targets/Load.h"
#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

constexpr Axis lane("lane"), team("team"), group("group"), core("core"), cluster("cluster"), chip("chip");

AxisSet axesWith(llvm::ArrayRef<Level> levels) {
  AxisSet axes;
  llvm::cantFail(axes.add({Axis(), AxisKind::Memory, 0, Axis(), Axis()}));
  llvm::cantFail(axes.addHierarchy(levels));
  return axes;
}

/// "extent, parent, weight"
std::string describe(const AxisSet& axes, const char* name) {
  const AxisInfo* info = axes.find(llvm::cantFail(Axis::make(name)));
  if (!info) return "none";
  return std::to_string(info->extent) + ", " + info->parent.name().str() + ", " + std::to_string(info->weight);
}

TEST(LayoutAxes, NvidiaHasGroupsOfFourWarps) {
  // 16 warps a CTA, clusters of 2 CTAs, 8 GPUs; the number of clusters is the launch's.
  const AxisSet axes = axesWith(
      {{lane, 32, team}, {team, 4, core}, {group, 4, core}, {core, 2, chip}, {cluster, 0, chip}, {chip, 8, chip}});
  EXPECT_EQ(describe(axes, "lane"), "32, team, 1");
  EXPECT_EQ(describe(axes, "lane_of_group"), "128, group, 1");
  EXPECT_EQ(describe(axes, "lane_of_core"), "512, core, 1");
  EXPECT_EQ(describe(axes, "team"), "16, core, 32");
  EXPECT_EQ(describe(axes, "team_of_group"), "4, group, 32");
  EXPECT_EQ(describe(axes, "group"), "4, core, 128");
  EXPECT_EQ(describe(axes, "core_of_cluster"), "2, cluster, 512");
  EXPECT_EQ(describe(axes, "core"), "0, chip, 512");  // not known before launch
  EXPECT_EQ(describe(axes, "cluster"), "0, chip, 1024");
  EXPECT_EQ(describe(axes, "chip"), "8, chip, 0");
  EXPECT_EQ(describe(axes, "lane_of_team"), "none");
}

TEST(LayoutAxes, AmdWavesHave64Or32Lanes) {
  for (const std::int64_t lanes : {64, 32}) {
    const AxisSet axes = axesWith({{lane, lanes, team}, {team, 8, core}, {core, 0, chip}, {chip, 4, chip}});
    EXPECT_EQ(axes.find(lane)->extent, lanes);
    EXPECT_EQ(axes.find(Axis("lane_of_core"))->extent, 8 * lanes);
    EXPECT_EQ(axes.find(group), nullptr);
    EXPECT_EQ(errorOf(verify(read("S[(8,16):(4@lane,1@team)]"), axes)),
              "axis 'team' reaches 15; the target has 0 to 7");
    EXPECT_EQ(errorOf(verify(read("S[(32,2):(1@lane,32@lane)]"), axes)),
              lanes == 64 ? "none" : "axis 'lane' reaches 63; the target has 0 to 31");
  }
}

TEST(LayoutAxes, AcceleratorExtentsFollowTheTargetFile) {
  for (const std::string& name : targets::knownAccelerators()) {
    const targets::TargetSpec spec = llvm::cantFail(targets::load(name));
    const AxisSet axes = axesOf(spec, 16);
    EXPECT_EQ(axes.find(team)->extent, spec.teamsPerCore());
    EXPECT_EQ(axes.find(core)->extent, spec.cores());
    EXPECT_EQ(axes.find(chip)->extent, spec.chips);
    EXPECT_EQ(axes.find(Axis("bank"))->extent, spec.scratch.banks);
    EXPECT_EQ(axes.find(Axis("bank"))->kind, AxisKind::Memory);
  }
  const targets::TargetSpec edge = llvm::cantFail(targets::load("edge", {"teams.0.vlenBits=2048", "teams.0.count=8"}));
  EXPECT_EQ(describe(axesOf(edge, 16), "lane"), "128, team, 1");
  EXPECT_EQ(describe(axesOf(edge), "lane"), "64, team, 1");
  EXPECT_EQ(describe(axesOf(edge), "lane_of_core"), "512, core, 1");
  EXPECT_EQ(scratchBanks(edge).banks, edge.scratch.banks);
}

TEST(LayoutAxes, GpuExtentsFollowTheTargetFile) {
  const auto target = llvm::cantFail(targets::loadAny("sm_80", {"warpsPerCta=8"}));
  const AxisSet axes = axesOf(std::get<targets::GpuSpec>(target));
  EXPECT_EQ(describe(axes, "lane"), "32, team, 1");
  EXPECT_EQ(describe(axes, "team"), "8, core, 32");
  EXPECT_EQ(describe(axes, "lane_of_core"), "256, core, 1");
  EXPECT_EQ(describe(axes, "core"), "0, chip, 256");
  EXPECT_EQ(describe(axes, "group"), "2, core, 128");
  EXPECT_EQ(describe(axes, "team_of_group"), "4, group, 32");
  EXPECT_EQ(axes.find(Axis("bank"))->extent, 32);
  const auto other = llvm::cantFail(
      targets::loadAny("sm_80", {"warpsPerCta=6", "warpsPerGroup=3", "sharedBanks=16", "sharedBankWidthBytes=8"}));
  const auto& spec = std::get<targets::GpuSpec>(other);
  EXPECT_EQ(describe(axesOf(spec), "group"), "2, core, 96");
  EXPECT_EQ(describe(axesOf(spec), "team_of_group"), "3, group, 32");
  EXPECT_EQ(axesOf(spec).find(Axis("bank"))->extent, 16);
  EXPECT_EQ(scratchBanks(spec).banks, 16);
  EXPECT_EQ(scratchBanks(spec).wordBytes, 8);
  EXPECT_EQ(scratchBanks(spec).ports, 1);
}

TEST(LayoutAxes, AGpuOfBrokenGroupsHasNone) {
  const auto target = llvm::cantFail(targets::loadAny("sm_80", {"warpsPerCta=6"}));
  const AxisSet axes = axesOf(std::get<targets::GpuSpec>(target));
  EXPECT_EQ(describe(axes, "team"), "6, core, 32");
  EXPECT_EQ(axes.find(Axis("group")), nullptr);
}

TEST(LayoutAxes, LayoutsAreCheckedAgainstThem) {
  const AxisSet axes = axesWith({{lane, 32, team}, {team, 4, core}, {core, 2, core}});
  EXPECT_EQ(errorOf(verify(read("S[(4,32):(1@team,1@lane)] + R[2:1@core]"), axes)), "none");
  EXPECT_EQ(errorOf(verify(read("S[4:1@warp]"), axes)),
            "unknown axis 'warp'; the target has m, lane, lane_of_core, team, core");
  EXPECT_EQ(errorOf(verify(read("S[4:1@lane] + R[8:4@lane] + 1@lane"), axes)),
            "axis 'lane' reaches 32; the target has 0 to 31");
  EXPECT_EQ(errorOf(verify(read("S[4:-1@lane]"), axes)),
            "axis 'lane' reaches -3; expected coordinates from 0, add an offset");
}

TEST(LayoutAxes, BadHierarchiesAreRefused) {
  AxisSet axes;
  EXPECT_EQ(errorOf(axes.addHierarchy({{lane, 32, core}, {team, 4, team}})),
            "unit 'lane' counts within 'core', which is not a coarser unit of the list");
  EXPECT_EQ(errorOf(axes.addHierarchy({{core, -1, core}})),
            "unit 'core' has a negative count; write 0 where it is not known");
  AxisSet twice = axesWith({{lane, 32, lane}});
  EXPECT_EQ(errorOf(twice.addHierarchy({{lane, 32, lane}})), "axis 'lane' is there already");
}

}  // namespace
}  // namespace forerun::layout
