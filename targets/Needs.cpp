//===- Needs.cpp - does a target have what a program needs -----------------===//
// One table of names and values; relations are applied to it.
#include "targets/Needs.h"

#include <algorithm>

namespace forerun::targets {

std::vector<std::pair<std::string, std::uint64_t>> provided(const TargetSpec& spec) {
  std::vector<std::pair<std::string, std::uint64_t>> has{{"xfr", 1}};
  std::uint64_t vlen = 0;
  bool zvfh = false, zvfbfmin = false;
  std::uint64_t dmaQueues = 0, matrixQueues = 0;
  for (const TeamSpec& team : spec.teams) {
    // Vector code runs on the harts that have a vector unit; it must fit the narrowest of them.
    if (team.vlenBits == 0) continue;
    const bool first = vlen == 0;
    vlen = first ? team.vlenBits : std::min<std::uint64_t>(vlen, team.vlenBits);
    zvfh = team.zvfh && (first || zvfh);
    zvfbfmin = team.zvfbfmin && (first || zvfbfmin);
  }
  for (const EngineSpec& engine : spec.engines) {
    if (engine.kind == EngineKind::Dma) dmaQueues += std::uint64_t{engine.count} * engine.queues;
    if (engine.kind == EngineKind::Matrix) matrixQueues += std::uint64_t{engine.count} * engine.queues;
    if (engine.kind == EngineKind::Vector) has.emplace_back("xfr.vector", 1);
    if (engine.kind == EngineKind::Layout) has.emplace_back("xfr.layout", 1);
  }
  if (vlen) has.emplace_back("v", 1);
  if (zvfh) has.emplace_back("zvfh", 1);
  if (zvfbfmin) has.emplace_back("zvfbfmin", 1);
  if (dmaQueues) has.emplace_back("xfr.dma", 1);
  if (matrixQueues) {
    has.emplace_back("xfr.matrix", 1);
    for (const TypeRate& rate : spec.matrix.typeRate) has.emplace_back("matrix." + rate.type, 1);
    has.emplace_back("matrix.rows", spec.matrix.rows);
    has.emplace_back("matrix.cols", spec.matrix.cols);
  }
  has.emplace_back("vlen", vlen);
  has.emplace_back("teams", spec.teamsPerCore());
  has.emplace_back("cores", spec.cores());
  has.emplace_back("scratch", spec.scratch.banks * spec.scratch.bytesPerBank);
  has.emplace_back("acc", spec.acc.banks * spec.acc.bytesPerBank);
  has.emplace_back("dma.queues", dmaQueues);
  has.emplace_back("matrix.queues", matrixQueues);
  has.emplace_back("barriers", spec.sync.barriers);
  has.emplace_back("semaphores", spec.sync.semaphores);
  return has;
}

std::string missing(const TargetSpec& spec, const isa::Need& need) {
  const auto has = provided(spec);
  const auto found = std::find_if(has.begin(), has.end(), [&](const auto& entry) { return entry.first == need.name; });
  const std::string text = "needs " + toString(need) + ", ";
  if (found == has.end()) return text + "which target '" + spec.name + "' lacks";
  const bool holds = need.relation == isa::Need::Relation::Present   ? found->second != 0
                     : need.relation == isa::Need::Relation::AtLeast ? found->second >= need.value
                                                                     : found->second == need.value;
  return holds ? "" : text + "but target '" + spec.name + "' has " + std::to_string(found->second);
}

}  // namespace forerun::targets
