//===- Derived.cpp - figures of the whole chip -----------------------------===//
// Order of the list, clocks, launch, sync, and the balance between arithmetic and memory.
#include "targets/Derived.h"

#include "targets/FigureList.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace forerun::targets {
namespace {

void deriveIdentity(FigureList& list) {
  const TargetSpec& s = list.spec;
  list.word("name", s.name, "name");
  list.word("description", s.description, "description");
  std::string sources;
  for (const std::string& source : s.sources) sources += (sources.empty() ? "" : "; ") + source;
  list.word("sources", sources, "sources");
  for (const Clock& clock : s.clocks) list.add("clock." + clock.name, static_cast<double>(clock.hz), "Hz", "clocks.hz");
  list.word("clock.reference", s.reference, "reference");
  list.add("cycle", 1e9 / static_cast<double>(s.referenceHz()), "ns", "1 / hz of the reference clock");
  list.add("chips", s.chips, "", "chips");
  list.add("clusters", s.clusters, "", "clusters");
  list.add("cores", s.cores(), "", "clusters * coresPerCluster");
  list.add("groupTeams", s.teamsPerGroup, "", "teamsPerGroup");
  const std::uint32_t groups = s.teamsPerCore() / std::max(1U, s.groupTeams(s.teamsPerCore()));
  list.add("groups", groups, "", "sum of teams.count / teamsPerGroup, a core; 1 where that is no integer");
  list.add("harts", static_cast<double>(s.cores()) * s.teamsPerCore(), "", "cores * sum of teams.count");
}

void deriveSync(FigureList& list) {
  const TargetSpec& s = list.spec;
  list.add("sync.barriers", s.sync.barriers, "", "sync.barriers, a core");
  list.add("sync.semaphores", s.sync.semaphores, "", "sync.semaphores, a core");
  list.cycles("sync.barrierLatency", s.sync.barrierCycles, s.reference, "sync.barrierCycles");
  list.cycles("sync.semaphoreLatency", s.sync.semaphoreCycles, s.reference, "sync.semaphoreCycles");
  list.cycles("sync.tokenLatency", s.sync.tokenCycles, s.reference, "sync.tokenCycles");
  list.word("launch.schedule", s.launch.dynamic ? "dynamic" : "static", "launch.dynamic");
  list.add("launch.time", static_cast<double>(s.launch.latencyCycles) / static_cast<double>(s.referenceHz()) * 1e9,
           "ns", "launch.latencyCycles / hz of the reference clock");
  list.cycles("launch.nextItem", s.launch.nextItemCycles, s.reference, "launch.nextItemCycles");
  list.cycles("model.quantum", s.quantumCycles, s.reference, "quantumCycles");
}

void deriveBalance(FigureList& list) {
  const TargetSpec& s = list.spec;
  if (s.matrix.typeRate.empty()) return;
  const std::string& type = s.matrix.typeRate.front().type;
  const double flops = 2 * matrixMacsPerSecond(s, type);
  list.add("balance.dram", flops / dramPeakBytesPerSecond(s), "FLOP/B",
           "matrix." + type + " / dram.peak: kernels with fewer operations a byte are bound by DRAM");
  if (s.l2.present) list.add("balance.l2", flops / l2BytesPerSecond(s), "FLOP/B", "matrix." + type + " / l2.bandwidth");
}

std::string number(double value) {
  std::array<char, 40> text{};
  if (value == std::floor(value) && std::abs(value) < 1e15)
    std::snprintf(text.data(), text.size(), "%.0f", value);
  else
    std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string scaled(double value, double step, std::initializer_list<const char*> prefixes, const std::string& unit) {
  auto prefix = prefixes.begin();
  while (std::abs(value) >= step && prefix + 1 != prefixes.end()) {
    value /= step;
    ++prefix;
  }
  return number(value) + " " + *prefix + unit;
}

}  // namespace

std::vector<Figure> derive(const TargetSpec& spec) {
  FigureList list(spec);
  deriveIdentity(list);
  deriveTeams(list);
  deriveEngines(list);
  deriveCoreMemories(list);
  deriveL2(list);
  deriveNoc(list);
  deriveDram(list);
  deriveSync(list);
  deriveBalance(list);
  return std::move(list.figures);
}

std::string show(const Figure& figure) {
  if (!figure.text.empty()) return figure.text;
  if (figure.unit == "B") return scaled(figure.value, 1024, {"", "Ki", "Mi", "Gi", "Ti"}, "B");
  if (figure.unit == "B/s" || figure.unit == "FLOP/s" || figure.unit == "OP/s" || figure.unit == "/s" ||
      figure.unit == "Hz") {
    std::string text = scaled(figure.value, 1000, {"", "k", "M", "G", "T", "P"}, figure.unit);
    return text;
  }
  return number(figure.value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

double matrixMacsPerSecond(const TargetSpec& spec, std::string_view type) {
  for (const EngineSpec& engine : spec.engines) {
    if (engine.kind != EngineKind::Matrix) continue;
    for (const TypeRate& rate : spec.matrix.typeRate)
      if (rate.type == type)
        return static_cast<double>(spec.cores()) * engine.count * spec.matrix.rows * spec.matrix.cols * rate.numerator /
               rate.denominator * static_cast<double>(spec.hz(engine.clock));
  }
  return 0;
}

double vectorOpsPerSecond(const TargetSpec& spec, unsigned elementBits) {
  double total = 0;
  for (const TeamSpec& team : spec.teams)
    total += static_cast<double>(spec.cores()) * team.count * team.issue.vector * team.datapathBits / elementBits *
             static_cast<double>(spec.hz(team.clock));
  return total;
}

}  // namespace forerun::targets
