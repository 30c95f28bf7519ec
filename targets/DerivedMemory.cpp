//===- DerivedMemory.cpp - figures of L2, network and DRAM -----------------===//
// Unloaded latencies and peak bandwidths of the way from a core to global memory.
#include "targets/FigureList.h"

#include <algorithm>
#include <cmath>

namespace forerun::targets {
namespace {

struct Grid {
  double columns, rows;
};

Grid gridOf(const TargetSpec& spec) {
  const double columns = std::max(spec.noc.columns, 1u);
  return {columns, spec.cores() / columns};
}

/// Mean distance between two of n places on a line and on a ring, each drawn evenly.
double meanOnLine(double n) { return (n * n - 1) / (3 * n); }
double meanOnRing(double n) { return std::fmod(n, 2) == 0 ? n / 4 : (n * n - 1) / (4 * n); }

double mostHops(const TargetSpec& spec) {
  const Grid g = gridOf(spec);
  switch (spec.noc.topology) {
    case Topology::Mesh:
      return g.columns + g.rows - 2;
    case Topology::Torus:
      return std::floor(g.columns / 2) + std::floor(g.rows / 2);
    case Topology::Ring:
      return std::floor(spec.cores() / 2.0);
    case Topology::Crossbar:
      return 1;
  }
  return 0;
}

/// Links that cross the narrowest cut into halves, one way.
double cutLinks(const TargetSpec& spec) {
  const Grid g = gridOf(spec);
  switch (spec.noc.topology) {
    case Topology::Mesh:
      return std::min(g.columns, g.rows);
    case Topology::Torus:
      return 2 * std::min(g.columns, g.rows);
    case Topology::Ring:
      return 2;
    case Topology::Crossbar:
      return std::max(1.0, std::floor(spec.cores() / 2.0));
  }
  return 0;
}

/// Reference cycles from a core's first request to the last byte of a burst out of a closed row.
double dramReadCycles(const FigureList& list) {
  const TargetSpec& s = list.spec;
  const DramTimings& t = s.dram.timings;
  const double network =
      2 * list.inReference(2.0 * s.noc.interfaceCycles + averageHops(s) * s.noc.hopCycles, s.noc.clock);
  const double l2 = s.l2.present ? list.inReference(s.l2.latencyCycles, s.l2.clock) : 0;
  return network + l2 +
         list.inReference(
             s.dram.controllerCycles + t.tRCD + t.tCL + static_cast<double>(s.dram.burstLength) / s.dram.dataRate,
             s.dram.clock);
}

void deriveDramTimings(FigureList& list, const std::string& clock) {
  const DramTimings& t = list.spec.dram.timings;
  const double burstCycles = static_cast<double>(list.spec.dram.burstLength) / list.spec.dram.dataRate;
  const double controller = list.spec.dram.controllerCycles;
  list.cycles("dram.rowHit", controller + t.tCL + burstCycles, clock,
              "controllerCycles + tCL + burstLength / dataRate");
  list.cycles("dram.rowMiss", controller + t.tRCD + t.tCL + burstCycles, clock,
              "controllerCycles + tRCD + tCL + burstLength / dataRate");
  list.cycles("dram.rowConflict", controller + t.tRP + t.tRCD + t.tCL + burstCycles, clock,
              "controllerCycles + tRP + tRCD + tCL + burstLength / dataRate");
  list.cycles("dram.write", controller + t.tCWL + burstCycles + t.tWR, clock,
              "controllerCycles + tCWL + burstLength / dataRate + tWR: until the row may close");
  list.cycles("dram.rowCycle", t.tRAS + t.tRP, clock, "tRAS + tRP");
  list.cycles("dram.writeToRead", t.tCWL + burstCycles + t.tWTR, clock, "tCWL + burstLength / dataRate + tWTR");
  list.cycles("dram.readToWrite", t.tRTW, clock, "tRTW");
  list.cycles("dram.activateOtherGroup", t.tRRD_S, clock, "tRRD_S");
  list.cycles("dram.activateSameGroup", t.tRRD_L, clock, "tRRD_L");
  list.cycles("dram.columnOtherGroup", t.tCCD_S, clock, "tCCD_S");
  list.cycles("dram.columnSameGroup", t.tCCD_L, clock, "tCCD_L");
  list.add("dram.activates",
           4 / static_cast<double>(t.tFAW) * static_cast<double>(list.spec.hz(clock)) * list.spec.dram.channels *
               list.spec.dram.ranks,
           "/s", "4 / tFAW * hz * channels * ranks");
  list.add("dram.refreshShare", static_cast<double>(t.tRFC) / t.tREFI, "", "tRFC / tREFI");
  list.cycles("dram.refresh", t.tRFC, clock, "tRFC");
}

}  // namespace

double averageHops(const TargetSpec& spec) {
  const Grid g = gridOf(spec);
  switch (spec.noc.topology) {
    case Topology::Mesh:
      return meanOnLine(g.columns) + meanOnLine(g.rows);
    case Topology::Torus:
      return meanOnRing(g.columns) + meanOnRing(g.rows);
    case Topology::Ring:
      return meanOnRing(spec.cores());
    case Topology::Crossbar:
      return 1;
  }
  return 0;
}

void deriveL2(FigureList& list) {
  const L2Spec& l2 = list.spec.l2;
  if (!l2.present) return list.word("l2", "none", "l2");
  list.add("l2.cache", static_cast<double>(l2.bytes - l2.managedBytes), "B", "bytes - managedBytes");
  list.add("l2.managed", static_cast<double>(l2.managedBytes), "B", "managedBytes");
  list.add("l2.slices", l2.slices, "", "slices");
  list.add("l2.sets",
           static_cast<double>(l2.bytes - l2.managedBytes) / (static_cast<double>(l2.slices) * l2.ways * l2.line), "",
           "(bytes - managedBytes) / (slices * ways * line), a slice");
  list.add("l2.line", l2.line, "B", "line");
  list.add("l2.perCycle", static_cast<double>(l2.slices) * l2.bytesPerCycle, "B/cycle", "slices * bytesPerCycle");
  list.add("l2.bandwidth", l2BytesPerSecond(list.spec), "B/s", "slices * bytesPerCycle * hz");
  list.add("l2.missesInFlight", static_cast<double>(l2.slices) * l2.mshrs * l2.line, "B", "slices * mshrs * line");
  list.cycles("l2.latency", l2.latencyCycles, l2.clock, "latencyCycles");
}

void deriveNoc(FigureList& list) {
  static constexpr const char* kTopologies[] = {"mesh", "torus", "ring", "crossbar"};
  const NocSpec& n = list.spec.noc;
  const double hz = static_cast<double>(list.spec.hz(n.clock)),
               link = static_cast<double>(n.planes) * n.linkBytesPerCycle;
  list.word("noc.topology", kTopologies[static_cast<int>(n.topology)], "topology");
  list.add("noc.columns", gridOf(list.spec).columns, "", "columns");
  list.add("noc.planes", n.planes, "", "planes");
  list.add("noc.link", static_cast<double>(n.linkBytesPerCycle) * hz, "B/s",
           "linkBytesPerCycle * hz, one plane, each way");
  list.add("noc.corePort", link * hz, "B/s", "planes * linkBytesPerCycle * hz, each way");
  list.add("noc.bisection", cutLinks(list.spec) * link * hz, "B/s",
           "links of the narrowest cut * planes * linkBytesPerCycle * hz, each way");
  list.cycles("noc.hop", n.hopCycles, n.clock, "hopCycles");
  list.cycles("noc.interface", n.interfaceCycles, n.clock, "interfaceCycles");
  list.cycles("noc.meanLatency", 2.0 * n.interfaceCycles + averageHops(list.spec) * n.hopCycles, n.clock,
              "2 * interfaceCycles + mean hops * hopCycles");
  list.cycles("noc.worstLatency", 2.0 * n.interfaceCycles + mostHops(list.spec) * n.hopCycles, n.clock,
              "2 * interfaceCycles + most hops * hopCycles");
}

void deriveDram(FigureList& list) {
  static constexpr const char* kModels[] = {"command", "burst"};
  const TargetSpec& s = list.spec;
  const DramSpec& d = s.dram;
  const double banks = static_cast<double>(d.channels) * d.ranks * d.bankGroups * d.banksPerGroup,
               burst = static_cast<double>(d.busBytes) * d.burstLength;
  list.word("dram.kind", d.kind, "kind");
  list.word("dram.model", kModels[static_cast<int>(d.model)], "model");
  list.word("dram.mapping", d.mapping, "mapping");
  list.add("dram.capacity", static_cast<double>(d.bytes), "B", "bytes");
  list.add("dram.peak", dramPeakBytesPerSecond(s), "B/s", "channels * busBytes * dataRate * hz");
  list.add("dram.attainable", dramAttainableBytesPerSecond(s), "B/s", "dram.peak * (1 - tRFC / tREFI)");
  list.add("dram.perCycle", dramPeakBytesPerSecond(s) / static_cast<double>(s.referenceHz()), "B/cycle",
           "dram.peak / reference hz");
  list.add("dram.channelPeak", dramPeakBytesPerSecond(s) / d.channels, "B/s", "busBytes * dataRate * hz");
  list.add("dram.channels", d.channels, "", "channels");
  list.add("dram.ranks", d.ranks, "", "ranks");
  list.add("dram.banks", banks, "", "channels * ranks * bankGroups * banksPerGroup");
  list.add("dram.bankGroups", d.bankGroups, "", "bankGroups");
  list.add("dram.rows", static_cast<double>(d.bytes) / (banks * d.rowBytes), "", "bytes / (banks * rowBytes), a bank");
  list.add("dram.openRows", banks * d.rowBytes, "B", "banks * rowBytes");
  list.add("dram.burst", burst, "B", "busBytes * burstLength");
  list.add("dram.interleave", d.interleaveBytes, "B", "interleaveBytes");
  deriveDramTimings(list, d.clock);
  const double read = dramReadCycles(list);
  list.add("dram.readFromCore", read, "cycles",
           "2 * noc.meanLatency + l2.latency + dram.rowMiss: unloaded, a closed row");
  list.add("dram.bytesToCover", read * dramPeakBytesPerSecond(s) / static_cast<double>(s.referenceHz()), "B",
           "dram.readFromCore * dram.perCycle: bytes in flight that keep DRAM busy");
  for (const EngineSpec& engine : s.engines) {
    if (engine.kind != EngineKind::Dma) continue;
    const double latency = read + list.inReference(engine.startupCycles, engine.clock);
    list.add("engines." + engine.name + ".dramRate",
             static_cast<double>(engine.count) * engine.inFlight * engine.burstBytes / latency, "B/cycle",
             "count * inFlight * burstBytes / (startupCycles + dram.readFromCore): most that a core draws from DRAM "
             "alone, ports aside");
  }
}

double dramPeakBytesPerSecond(const TargetSpec& spec) {
  return static_cast<double>(spec.dram.channels) * spec.dram.busBytes * spec.dram.dataRate *
         static_cast<double>(spec.hz(spec.dram.clock));
}

double dramAttainableBytesPerSecond(const TargetSpec& spec) {
  return dramPeakBytesPerSecond(spec) * (1 - static_cast<double>(spec.dram.timings.tRFC) / spec.dram.timings.tREFI);
}

double l2BytesPerSecond(const TargetSpec& spec) {
  return spec.l2.present
             ? static_cast<double>(spec.l2.slices) * spec.l2.bytesPerCycle * static_cast<double>(spec.hz(spec.l2.clock))
             : 0;
}

double nocBytesPerSecond(const TargetSpec& spec) {
  return static_cast<double>(spec.cores()) * spec.noc.planes * spec.noc.linkBytesPerCycle *
         static_cast<double>(spec.hz(spec.noc.clock));
}

}  // namespace forerun::targets
