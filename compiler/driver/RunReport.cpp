//===- RunReport.cpp - what `forerun run` says, for people -----------------------===//
// A block a launch, then the check.
#include "compiler/driver/RunReport.h"

#include "compiler/driver/Units.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

namespace forerun::driver {

namespace {

using llvm::format;

void printTraffic(llvm::raw_ostream& os, const char* name, const sim::TrafficReport& traffic, double attainable) {
  if (traffic.readBytes + traffic.writtenBytes == 0 && traffic.peakBytesPerSecond == 0) return;
  os << "  " << llvm::left_justify(name, 13) << inBytes(static_cast<double>(traffic.readBytes)) << " read, "
     << inBytes(static_cast<double>(traffic.writtenBytes)) << " written; " << inBytes(traffic.achievedBytesPerSecond)
     << "/s";
  if (attainable > 0 && attainable != traffic.peakBytesPerSecond)
    os << " of " << inBytes(attainable) << "/s attainable,";
  else
    os << " of";
  os << " " << inBytes(traffic.peakBytesPerSecond) << "/s peak";
  if (traffic.peakBytesPerSecond > 0)
    os << format(" (%.1f %%)", 100 * traffic.achievedBytesPerSecond / traffic.peakBytesPerSecond);
  os << "\n";
}

/// Where the time of the DRAM data buses went.
void printDramBus(llvm::raw_ostream& os, const sim::DramBusReport& bus) {
  const std::uint64_t bursts = bus.rowHits + bus.rowMisses + bus.rowConflicts;
  if (bus.cycles == 0) return;
  auto share = [&](sim::Cycles cycles) { return 100 * static_cast<double>(cycles) / static_cast<double>(bus.cycles); };
  os << "  " << llvm::left_justify("dram bus", 13)
     << format("busy %.1f %%, refresh %.1f, turnaround %.1f, row %.1f, idle %.1f", share(bus.busy), share(bus.refresh),
               share(bus.turnaround), share(bus.row), share(bus.idle));
  if (bursts > 0)
    os << format("; %.1f %% of bursts hit an open row",
                 100 * static_cast<double>(bus.rowHits) / static_cast<double>(bursts));
  os << "\n";
}

/// Stalls of all units of one kind, as shares of their cycles together.
void printUnits(llvm::raw_ostream& os, const char* name, sim::UnitKind kind, const sim::LaunchReport& report) {
  double total = 0, busy = 0, idle = 0;
  std::uint64_t retired = 0;
  std::map<std::string, double> stalls;
  std::size_t count = 0;
  for (const sim::UnitReport& unit : report.units) {
    if (unit.kind != kind) continue;
    ++count;
    retired += unit.instructions;
    busy += static_cast<double>(unit.busy);
    idle += static_cast<double>(unit.idle);
    total += static_cast<double>(report.cycles);
    for (const sim::StallReport& stall : unit.stalls) stalls[stall.cause] += static_cast<double>(stall.cycles);
  }
  if (count == 0 || total == 0) return;
  os << "  " << llvm::left_justify(name, 13) << count << " units, " << retired
     << (kind == sim::UnitKind::Hart ? " instructions" : " commands") << format(": busy %.1f %%", 100 * busy / total);
  std::vector<std::pair<double, std::string>> ordered;
  ordered.reserve(stalls.size());
  for (const auto& [cause, cycles] : stalls) ordered.emplace_back(cycles, cause);
  std::sort(ordered.rbegin(), ordered.rend());
  for (const auto& [cycles, cause] : ordered)
    if (cycles > 0) os << ", " << cause << format(" %.1f", 100 * cycles / total);
  os << format(", idle %.1f\n", 100 * idle / total);
}

/// Regions that the kernel marked, with their time in hart-cycles.
void printMarks(llvm::raw_ostream& os, const sim::LaunchReport& report) {
  for (const sim::MarkSummary& mark : report.markSummaries()) {
    os << "  " << llvm::left_justify("mark", 13) << mark.name << ": " << mark.times << " times on " << mark.harts
       << " harts";
    if (report.timed)
      os << format(", %.0f cycles each (%llu to %llu), %.1f %% of these harts' time",
                   static_cast<double>(mark.cycles) / static_cast<double>(mark.times),
                   static_cast<unsigned long long>(mark.shortest), static_cast<unsigned long long>(mark.longest),
                   100 * static_cast<double>(mark.cycles) / static_cast<double>(mark.harts * report.cycles));
    os << "\n";
  }
}

void printRoofline(llvm::raw_ostream& os, const LaunchResult& launch, bool timed) {
  if (!launch.roofline) return;
  const analysis::Roofline& roof = *launch.roofline;
  os << "  " << llvm::left_justify("bound", 13) << format("%.0f cycles by ", roof.boundCycles()) << roof.limit();
  if (timed && launch.report.cycles > 0)
    os << format(" (%.1f %% of it reached)", 100 * roof.boundCycles() / static_cast<double>(launch.report.cycles));
  os << format("; matrix %.0f, vector %.0f, dram %.0f, noc %.0f, issue %.0f\n", roof.matrixCycles, roof.vectorCycles,
               roof.dramCycles, roof.nocCycles, roof.issueCycles);
  if (launch.work) {
    os << "  " << llvm::left_justify("work", 13);
    for (const auto& [type, macs] : launch.work->macs)
      os << macs << " " << isa::name(type).data() << " multiply-adds, ";
    for (const auto& [width, ops] : launch.work->vectorOps) os << ops << " " << width << "-bit element operations, ";
    os << inBytes(static_cast<double>(launch.work->readBytes)) << " to read, "
       << inBytes(static_cast<double>(launch.work->writtenBytes)) << " to write\n";
  }
}

/// Of a launch that was compiled for this computer. A multiply-add is two operations.
void printHostTime(llvm::raw_ostream& os, const LaunchResult& launch) {
  const double seconds = launch.report.hostSeconds;
  os << " grid " << launch.grid[0] << " x " << launch.grid[1] << " x " << launch.grid[2] << ": " << inSeconds(seconds);
  if (!launch.work) return;
  double operations = 0;
  for (const auto& [type, macs] : launch.work->macs) operations += 2 * static_cast<double>(macs);
  for (const auto& [width, count] : launch.work->vectorOps) operations += static_cast<double>(count);
  const auto bytes = static_cast<double>(launch.work->readBytes + launch.work->writtenBytes);
  os << format(", %.3g G operations/s, %.3g GB/s", operations / seconds / 1e9, bytes / seconds / 1e9);
}

void printLaunch(llvm::raw_ostream& os, const LaunchResult& launch, const targets::TargetSpec* target) {
  os << "@" << launch.kernel;
  const sim::LaunchReport& report = launch.report;
  if (!target) {
    if (report.hostSeconds > 0) printHostTime(os, launch);
    os << "\n";
    return;
  }
  os << " grid " << launch.grid[0] << " x " << launch.grid[1] << " x " << launch.grid[2] << "\n";
  if (report.timed) {
    os << "  " << llvm::left_justify("time", 13) << report.cycles << " cycles at "
       << format("%.3f GHz = ", static_cast<double>(report.clockHz) / 1e9) << inSeconds(report.seconds) << "\n";
  }
  printRoofline(os, launch, report.timed);
  os << "  " << llvm::left_justify("instructions", 13) << report.instructions << "\n";
  if (report.timed) {
    if (report.matrix.macs > 0)
      os << "  " << llvm::left_justify("matrix", 13) << report.matrix.macs
         << format(" multiply-adds, %.1f %% of the peak (%.0f a cycle)\n", 100 * report.matrix.utilisation,
                   report.matrix.peakMacsPerCycle);
    printTraffic(os, "dram", report.dram, dramAttainable(*target));
    printDramBus(os, report.dramBus);
    printTraffic(os, "l2", report.l2, 0);
    printTraffic(os, "noc", report.noc, 0);
    printTraffic(os, "scratch", report.scratch, 0);
    printUnits(os, "harts", sim::UnitKind::Hart, report);
    printUnits(os, "matrix units", sim::UnitKind::Matrix, report);
    printUnits(os, "dma engines", sim::UnitKind::Dma, report);
  }
  printMarks(os, report);
  os << "  " << llvm::left_justify("host", 13) << format("%.2f s", report.hostSeconds);
  if (report.timed && report.hostSeconds > 0)
    os << format(", %.3g simulated cycles a second", static_cast<double>(report.cycles) / report.hostSeconds);
  os << "\n";
  constexpr std::size_t kShownWarnings = 2;
  for (const std::string& warning : llvm::ArrayRef(report.warnings).take_front(kShownWarnings))
    os << "  warning: " << warning << "\n";
  if (report.warnings.size() > kShownWarnings)
    os << "  warning: and " << report.warnings.size() - kShownWarnings
       << " more such warnings (all of them in --json)\n";
  if (!report.output.empty()) os << "  output:\n" << report.output << (report.output.back() == '\n' ? "" : "\n");
}

}  // namespace

void printRunReport(const RunReport& report, llvm::raw_ostream& os) {
  os << report.file << " @" << report.entry << " on " << report.targetName;
  if (report.target) os << " (" << report.target->cores() << " cores)";
  os << "\n";
  for (const LaunchResult& launch : report.launches) printLaunch(os, launch, report.target);
  for (const std::string& note : report.notes) os << "note: " << note << "\n";
  os << format("compiled in %.2f s, ran in %.2f s\n", report.compileSeconds, report.hostSeconds);
  if (report.check) printCheck(*report.check, os);
}

}  // namespace forerun::driver
