//===- Report.cpp - sums over a report --------------------------------------===//
// Small derived figures that more than one reader of a report wants.
#include "simulator/Report.h"

#include <algorithm>
#include <set>
#include <utility>

namespace forerun::sim {

Cycles LaunchReport::hartStall(const std::string& cause) const {
  Cycles sum = 0;
  for (const UnitReport& unit : units) {
    if (unit.kind != UnitKind::Hart) continue;
    for (const StallReport& stall : unit.stalls)
      if (stall.cause == cause) sum += stall.cycles;
  }
  return sum;
}

std::vector<MarkSummary> LaunchReport::markSummaries() const {
  struct Region {
    MarkSummary summary;
    std::set<std::pair<std::uint32_t, std::uint32_t>> harts;
  };
  std::map<std::uint64_t, Region> regions;
  for (const MarkReport& mark : marks) {
    auto [at, isNew] = regions.try_emplace(mark.id);
    MarkSummary& summary = at->second.summary;
    const Cycles cycles = mark.end - mark.begin;
    if (isNew) summary.shortest = cycles;
    ++summary.times;
    summary.cycles += cycles;
    summary.shortest = std::min(summary.shortest, cycles);
    summary.longest = std::max(summary.longest, cycles);
    at->second.harts.insert({mark.core, mark.team});
  }
  std::vector<MarkSummary> summaries;
  for (auto& [id, region] : regions) {
    const auto name = markNames.find(id);
    region.summary.name = name == markNames.end() ? std::to_string(id) : name->second;
    region.summary.harts = region.harts.size();
    summaries.push_back(std::move(region.summary));
  }
  return summaries;
}

}  // namespace forerun::sim
