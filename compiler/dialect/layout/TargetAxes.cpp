//===- TargetAxes.cpp - the axes of a target -------------------------------===//
// Every extent is a key of the target file.
#include "compiler/dialect/layout/TargetAxes.h"

#include <algorithm>

namespace forerun::layout {

namespace {
constexpr Axis lane("lane"), team("team"), teamGroup("group"), core("core"), cluster("cluster"), chip("chip"),
    bank("bank"), partition("partition");
}  // namespace

AxisSet axesOf(const targets::TargetSpec& target, unsigned elementBits) {
  std::int64_t lanes = 1;
  for (const targets::TeamSpec& team : target.teams) lanes = std::max<std::int64_t>(lanes, team.vlenBits / elementBits);
  const std::int64_t perGroup = std::max(target.groupTeams(target.teamsPerCore()), 1U);
  const Level levels[] = {{lane, lanes, team},
                          {team, perGroup, core},
                          {teamGroup, target.teamsPerCore() / perGroup, core},
                          {core, target.coresPerCluster, chip},
                          {cluster, target.clusters, chip},
                          {chip, target.chips, chip}};
  AxisSet axes;
  llvm::cantFail(axes.add({Axis(), AxisKind::Memory, 0, Axis(), Axis()}));
  llvm::cantFail(axes.add({bank, AxisKind::Memory, target.scratch.banks, Axis(), bank}));
  llvm::cantFail(axes.add({partition, AxisKind::Memory, target.scratch.partitions, Axis(), partition}));
  llvm::cantFail(axes.addHierarchy(levels));
  return axes;
}

AxisSet axesOf(const targets::GpuSpec& target) {
  AxisSet axes;
  llvm::cantFail(axes.add({Axis(), AxisKind::Memory, 0, Axis(), Axis()}));
  llvm::cantFail(axes.add({bank, AxisKind::Memory, target.sharedBanks, Axis(), bank}));
  llvm::SmallVector<Level, 5> levels{{lane, target.warpSize, team}, {team, target.warpsPerCta, core}};
  if (target.warpsPerCta % target.warpsPerGroup == 0) {
    levels.back().count = target.warpsPerGroup;
    levels.push_back({teamGroup, target.warpsPerCta / target.warpsPerGroup, core});
  }
  levels.push_back({core, 0, chip});
  levels.push_back({chip, 0, chip});
  llvm::cantFail(axes.addHierarchy(levels));
  return axes;
}

AxisSet axesOf(const targets::HostSpec& target) {
  AxisSet axes;
  llvm::cantFail(axes.add({Axis(), AxisKind::Memory, 0, Axis(), Axis()}));
  const Level levels[] = {{team, target.teams, core}, {core, target.coreCount(), chip}, {chip, 0, chip}};
  llvm::cantFail(axes.addHierarchy(levels));
  return axes;
}

BankGeometry scratchBanks(const targets::TargetSpec& target) {
  return {target.scratch.banks, target.scratch.bankWidthBytes, target.scratch.ports};
}

BankGeometry scratchBanks(const targets::GpuSpec& target) {
  return {target.sharedBanks, target.sharedBankWidthBytes, 1};
}

BankGeometry scratchBanks(const targets::HostSpec&) { return {}; }

}  // namespace forerun::layout
