//===- RunReportJson.cpp - what `forerun run` says, for programs ------------------===//
// Keys and their meaning: docs/report.md. Additions keep the version; removals and changes of meaning raise it.
#include "compiler/driver/RunReport.h"

#include "compiler/driver/Units.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace forerun::driver {

namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

constexpr std::int64_t kReportVersion = 1;

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
/// JSON has no infinities; null stands for them.
Value real(double value) { return std::isfinite(value) ? Value(value) : Value(nullptr); }

Object traffic(const sim::TrafficReport& t, double attainable = 0) {
  Object object{{"read_bytes", number(t.readBytes)},
                {"written_bytes", number(t.writtenBytes)},
                {"achieved_bytes_per_second", real(t.achievedBytesPerSecond)},
                {"peak_bytes_per_second", real(t.peakBytesPerSecond)}};
  if (attainable > 0) object["attainable_bytes_per_second"] = real(attainable);
  return object;
}

Object dram(const sim::LaunchReport& r, double attainable) {
  const sim::DramBusReport& bus = r.dramBus;
  Object object = traffic(r.dram, attainable);
  object["bus"] = Object{{"cycles", number(bus.cycles)},
                         {"busy", number(bus.busy)},
                         {"idle", number(bus.idle)},
                         {"turnaround", number(bus.turnaround)},
                         {"refresh", number(bus.refresh)},
                         {"row", number(bus.row)},
                         {"row_hits", number(bus.rowHits)},
                         {"row_misses", number(bus.rowMisses)},
                         {"row_conflicts", number(bus.rowConflicts)}};
  return object;
}

Value roofline(const std::optional<analysis::Roofline>& roof) {
  if (!roof) return nullptr;
  return Object{{"bound_cycles", real(roof->boundCycles())}, {"limit", roof->limit()},
                {"matrix_cycles", real(roof->matrixCycles)}, {"vector_cycles", real(roof->vectorCycles)},
                {"dram_cycles", real(roof->dramCycles)},     {"noc_cycles", real(roof->nocCycles)},
                {"issue_cycles", real(roof->issueCycles)}};
}

Object stallsOf(const sim::LaunchReport& report) {
  std::map<std::string, std::uint64_t> sums;
  for (const sim::UnitReport& unit : report.units)
    if (unit.kind == sim::UnitKind::Hart)
      for (const sim::StallReport& stall : unit.stalls) sums[stall.cause] += stall.cycles;
  Object object;
  for (const auto& [cause, cycles] : sums) object[cause] = number(cycles);
  return object;
}

const char* kindName(sim::UnitKind kind) {
  switch (kind) {
    case sim::UnitKind::Hart:
      return "hart";
    case sim::UnitKind::Dma:
      return "dma";
    case sim::UnitKind::Matrix:
      return "matrix";
  }
  return "";
}

Array unitsOf(const sim::LaunchReport& report) {
  Array units;
  for (const sim::UnitReport& unit : report.units) {
    Object stalls;
    for (const sim::StallReport& stall : unit.stalls) stalls[stall.cause] = number(stall.cycles);
    units.push_back(Object{{"name", unit.name},
                           {"kind", kindName(unit.kind)},
                           {"core", unit.core},
                           {"instructions", number(unit.instructions)},
                           {"busy", number(unit.busy)},
                           {"idle", number(unit.idle)},
                           {"stalls", std::move(stalls)}});
  }
  return units;
}

Array marksOf(const sim::LaunchReport& report) {
  Array marks;
  for (const sim::MarkSummary& mark : report.markSummaries())
    marks.push_back(Object{{"name", mark.name},
                           {"times", number(mark.times)},
                           {"harts", number(mark.harts)},
                           {"cycles", number(mark.cycles)},
                           {"shortest_cycles", number(mark.shortest)},
                           {"longest_cycles", number(mark.longest)}});
  return marks;
}

/// The keys that a launch and the whole run share.
Object figures(const sim::LaunchReport& r, const std::optional<analysis::Roofline>& roof, double attainable) {
  return Object{{"cycles", number(r.cycles)},
                {"seconds", real(r.seconds)},
                {"instructions", number(r.instructions)},
                {"matrix", Object{{"macs", number(r.matrix.macs)},
                                  {"peak_macs_per_cycle", real(r.matrix.peakMacsPerCycle)},
                                  {"utilization", real(r.matrix.utilisation)}}},
                {"dram", dram(r, attainable)},
                {"l2", traffic(r.l2)},
                {"noc", traffic(r.noc)},
                {"scratch", traffic(r.scratch)},
                {"roofline", roofline(roof)},
                {"stalls", stallsOf(r)}};
}

Value workOf(const std::optional<analysis::LaunchWork>& work) {
  if (!work) return nullptr;
  Object macs, ops;
  for (const auto& [type, count] : work->macs) macs[std::string(isa::name(type))] = number(count);
  for (const auto& [width, count] : work->vectorOps) ops[std::to_string(width)] = number(count);
  return Object{{"macs", std::move(macs)},
                {"vector_ops", std::move(ops)},
                {"read_bytes", number(work->readBytes)},
                {"written_bytes", number(work->writtenBytes)}};
}

/// Launches follow each other: cycles, bytes and work add up, rates are over the whole time.
sim::LaunchReport sumOf(llvm::ArrayRef<LaunchResult> launches) {
  sim::LaunchReport sum;
  double peakMacCycles = 0;
  auto addTraffic = [](sim::TrafficReport& to, const sim::TrafficReport& from) {
    to.readBytes += from.readBytes;
    to.writtenBytes += from.writtenBytes;
    to.peakBytesPerSecond = from.peakBytesPerSecond;
  };
  for (const LaunchResult& launch : launches) {
    const sim::LaunchReport& r = launch.report;
    sum.timed = r.timed;
    sum.clockHz = r.clockHz;
    sum.quantum = r.quantum;
    sum.cycles += r.cycles;
    sum.seconds += r.seconds;
    sum.instructions += r.instructions;
    sum.hostSeconds += r.hostSeconds;
    sum.matrix.macs += r.matrix.macs;
    peakMacCycles += r.matrix.peakMacsPerCycle * static_cast<double>(r.cycles);
    addTraffic(sum.dram, r.dram);
    sim::DramBusReport& bus = sum.dramBus;
    bus.cycles += r.dramBus.cycles;
    bus.busy += r.dramBus.busy;
    bus.idle += r.dramBus.idle;
    bus.turnaround += r.dramBus.turnaround;
    bus.refresh += r.dramBus.refresh;
    bus.row += r.dramBus.row;
    bus.rowHits += r.dramBus.rowHits;
    bus.rowMisses += r.dramBus.rowMisses;
    bus.rowConflicts += r.dramBus.rowConflicts;
    addTraffic(sum.l2, r.l2);
    addTraffic(sum.noc, r.noc);
    addTraffic(sum.scratch, r.scratch);
    for (const sim::UnitReport& unit : r.units) sum.units.push_back(unit);
  }
  if (sum.cycles > 0) {
    sum.matrix.peakMacsPerCycle = peakMacCycles / static_cast<double>(sum.cycles);
    for (const LaunchResult& launch : launches)
      sum.matrix.utilisation += launch.report.matrix.utilisation * static_cast<double>(launch.report.cycles) /
                                static_cast<double>(sum.cycles);
  }
  for (sim::TrafficReport* t : {&sum.dram, &sum.l2, &sum.noc, &sum.scratch})
    t->achievedBytesPerSecond = sum.seconds > 0 ? static_cast<double>(t->readBytes + t->writtenBytes) / sum.seconds : 0;
  return sum;
}

/// Bounds of launches add up; the limit is that of the launch that takes longest.
std::optional<analysis::Roofline> rooflineOf(llvm::ArrayRef<LaunchResult> launches) {
  if (launches.size() == 1) return launches[0].roofline;
  analysis::Roofline sum;
  for (const LaunchResult& launch : launches) {
    if (!launch.roofline) return std::nullopt;
    sum.matrixCycles += launch.roofline->matrixCycles;
    sum.vectorCycles += launch.roofline->vectorCycles;
    sum.dramCycles += launch.roofline->dramCycles;
    sum.nocCycles += launch.roofline->nocCycles;
    sum.issueCycles += launch.roofline->issueCycles;
  }
  return sum;
}

Value checkOf(const std::optional<CheckReport>& check) {
  if (!check) return nullptr;
  Array outputs;
  for (const OutputCheck& output : check->outputs) {
    const runtime::Comparison& c = output.comparison;
    outputs.push_back(Object{{"name", output.name},
                             {"shape", output.shape},
                             {"compared", number(c.compared)},
                             {"differing", number(c.differing)},
                             {"mismatches", number(c.mismatches)},
                             {"bound", real(output.largestRadius)},
                             {"bound_used", real(output.largestFraction)},
                             {"max_absolute_error", real(c.maxAbsolute)},
                             {"max_relative_error", real(c.maxRelative)},
                             {"max_ulp", c.maxUlp == UINT64_MAX ? Value(nullptr) : number(c.maxUlp)},
                             {"mean_ulp", real(c.meanUlp)},
                             {"first_mismatch", c.firstMismatch < 0 ? Value(nullptr) : Value(output.firstIndex)}});
  }
  return Object{
      {"passed", check->passed()}, {"reference_seconds", check->referenceSeconds}, {"outputs", std::move(outputs)}};
}

}  // namespace

Value toJson(const RunReport& report) {
  const sim::LaunchReport sum = sumOf(report.launches);
  const double attainable = report.target ? dramAttainable(*report.target) : 0;
  std::vector<std::string> kernels;
  for (const LaunchResult& launch : report.launches)
    if (!llvm::is_contained(kernels, launch.kernel)) kernels.push_back(launch.kernel);

  Object root = figures(sum, rooflineOf(report.launches), attainable);
  root["version"] = kReportVersion;
  root["file"] = report.file;
  root["entry"] = report.entry;
  root["target"] = report.targetName;
  root["kernel"] = llvm::join(kernels, ",");
  root["timed"] = sum.timed;
  root["clock_hz"] = number(report.target ? report.target->referenceHz() : 0);
  root["quantum_cycles"] = number(sum.quantum);
  root["check"] = checkOf(report.check);
  root["host"] =
      Object{{"compile_seconds", report.compileSeconds},
             {"seconds", report.hostSeconds},
             {"cycles_per_second",
              sum.hostSeconds > 0 ? Value(static_cast<double>(sum.cycles) / sum.hostSeconds) : Value(nullptr)}};
  Array launches, notes;
  for (const LaunchResult& launch : report.launches) {
    Object object = figures(launch.report, launch.roofline, attainable);
    object["kernel"] = launch.kernel;
    object["grid"] = Array{launch.grid[0], launch.grid[1], launch.grid[2]};
    object["host_seconds"] = launch.report.hostSeconds;
    object["work"] = workOf(launch.work);
    object["units"] = unitsOf(launch.report);
    object["marks"] = marksOf(launch.report);
    Array warnings;
    for (const std::string& warning : launch.report.warnings) warnings.push_back(warning);
    object["warnings"] = std::move(warnings);
    object["output"] = launch.report.output;
    launches.push_back(std::move(object));
  }
  for (const std::string& note : report.notes) notes.push_back(note);
  root["launches"] = std::move(launches);
  root["notes"] = std::move(notes);
  return root;
}

}  // namespace forerun::driver
