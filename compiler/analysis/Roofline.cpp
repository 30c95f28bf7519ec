//===- Roofline.cpp - no run of this launch on this target can take less ----===//
// Divisions of work by peaks; see the table in the header.
#include "compiler/analysis/Roofline.h"

#include "targets/Derived.h"

#include <algorithm>
#include <utility>

namespace forerun::analysis {

namespace {

double perSecond(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

std::uint64_t ceilDivide(std::uint64_t a, std::uint64_t b) { return b ? (a + b - 1) / b : 0; }

/// Cycles of the reference clock that handing one command to an engine of this kind takes from its hart.
double issueCyclesOf(const targets::TargetSpec& target, targets::EngineKind kind) {
  for (const targets::EngineSpec& engine : target.engines)
    if (engine.kind == kind) return engine.issueCycles;
  return 0;
}

}  // namespace

double Roofline::boundCycles() const {
  return std::max({matrixCycles, vectorCycles, dramCycles, nocCycles, issueCycles});
}

std::string Roofline::limit() const {
  const std::pair<double, const char*> limits[] = {{matrixCycles, "matrix"},
                                                   {vectorCycles, "vector"},
                                                   {dramCycles, "dram"},
                                                   {nocCycles, "noc"},
                                                   {issueCycles, "issue"}};
  return std::max_element(std::begin(limits), std::end(limits),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

Roofline roofline(const LaunchWork& work, const targets::TargetSpec& target) {
  Roofline result;
  const auto hz = static_cast<double>(target.referenceHz());
  for (const auto& [type, macs] : work.macs)
    result.matrixCycles +=
        hz * perSecond(static_cast<double>(macs), targets::matrixMacsPerSecond(target, isa::name(type)));
  for (const auto& [width, ops] : work.vectorOps)
    result.vectorCycles += hz * perSecond(static_cast<double>(ops), targets::vectorOpsPerSecond(target, width));
  const auto bytes = static_cast<double>(work.readBytes + work.writtenBytes);
  result.dramCycles = hz * perSecond(bytes, targets::dramPeakBytesPerSecond(target));
  result.nocCycles = hz * perSecond(bytes, targets::nocBytesPerSecond(target));

  std::uint64_t matrixCommands = 0;
  for (const MatmulWork& matmul : work.matmuls)
    matrixCommands += 2 * matmul.count * ceilDivide(static_cast<std::uint64_t>(matmul.k), target.matrix.rows) *
                      ceilDivide(static_cast<std::uint64_t>(matmul.n), target.matrix.cols);
  const double harts = static_cast<double>(target.cores()) * target.teamsPerCore();
  const double commandCycles = static_cast<double>(work.copies) * issueCyclesOf(target, targets::EngineKind::Dma) +
                               static_cast<double>(matrixCommands) * issueCyclesOf(target, targets::EngineKind::Matrix);
  result.issueCycles = perSecond(commandCycles, harts);
  return result;
}

}  // namespace forerun::analysis
