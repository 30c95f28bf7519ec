//===- DerivedCore.cpp - figures of harts, engines and core memories -------===//
// Per core unless a name says chip.
#include "targets/FigureList.h"
#include "targets/Schema.h"

#include <algorithm>
#include <cmath>

namespace forerun::targets {
namespace {

void deriveVector(FigureList& list, const TeamSpec& team, const std::string& p) {
  const double chip = static_cast<double>(list.spec.cores()) * team.count,
               hz = static_cast<double>(list.spec.hz(team.clock));
  const auto rate = [&](const char* type, unsigned bits) {
    list.add(
        p + type, 2 * chip * team.issue.vector * team.datapathBits / bits * hz, "FLOP/s",
        "2 * cores * count * issue.vector * datapathBits / " + std::to_string(bits) + " * hz, multiply-adds, chip");
  };
  if (team.vlenBits == 0) return list.word(p + "vector", "none", "vlenBits");
  rate("f64", 64);
  rate("f32", 32);
  if (team.zvfh) rate("f16", 16);
  list.word(p + "bf16", team.zvfbfmin ? "conversions" : "none", "zvfbfmin");
  list.add(p + "registerFile", 32.0 * team.vlenBits / 8, "B", "32 * vlenBits / 8");
  list.cycles(p + "registerCycles", std::ceil(static_cast<double>(team.vlenBits) / team.datapathBits), team.clock,
              "vlenBits / datapathBits: one instruction over a whole register");
  list.cycles(p + "reduceRegister",
              team.latencies.vectorReduce + team.crossLaneCycles * std::log2(team.vlenBits / 32.0), team.clock,
              "latencies.vectorReduce + crossLaneCycles * log2(vlenBits / 32): f32 sum of a register");
}

void deriveHart(FigureList& list, const TeamSpec& team) {
  const std::string p = "teams." + team.name + ".";
  const double chip = static_cast<double>(list.spec.cores()) * team.count,
               hz = static_cast<double>(list.spec.hz(team.clock));
  list.add(p + "harts", team.count, "", "count, a core");
  list.add(p + "instructions", chip * team.issue.total * hz, "/s", "cores * count * issue.total * hz");
  list.add(p + "scalarInstructions", chip * team.issue.scalar * hz, "/s", "cores * count * issue.scalar * hz");
  list.add(p + "vectorInstructions", chip * team.issue.vector * hz, "/s", "cores * count * issue.vector * hz");
  list.add(p + "loads", chip * team.issue.load * hz, "/s", "cores * count * issue.load * hz");
  list.add(p + "stores", chip * team.issue.store * hz, "/s", "cores * count * issue.store * hz");
  list.add(p + "engineInstructions", chip * team.issue.engine * hz, "/s", "cores * count * issue.engine * hz");
  deriveVector(list, team, p);
  list.add(p + "private", static_cast<double>(team.privateBytes), "B", "privateBytes, a hart");
  list.cycles(p + "privateLatency", team.privateCycles, team.clock, "privateCycles");
  list.cycles(p + "crossLaneStep", team.crossLaneCycles, team.clock, "crossLaneCycles");
  if (team.icacheBytes != 0)
    list.add(p + "icacheLines", static_cast<double>(team.icacheBytes) / team.icacheLine, "",
             "icacheBytes / icacheLine");
  list.cycles(p + "icacheMiss", team.icacheMissCycles, team.clock, "icacheMissCycles");
  if (team.icacheMissCycles != 0)
    list.add(p + "newCode", hz * (team.icachePrefetchLines + 1.0) * team.icacheLine / team.icacheMissCycles, "B/s",
             "hz * (icachePrefetchLines + 1) * icacheLine / icacheMissCycles, fetched in sequence by a hart");
  for (const LatencyKey& key : latencyKeys())
    list.cycles(p + "latency." + key.doc.name, team.latencies.*key.cycles, team.clock,
                std::string("latencies.") + key.doc.name);
}

void deriveMatrix(FigureList& list, const EngineSpec& engine) {
  static constexpr const char* kDataflows[] = {"ws", "os", "dot"};
  const MatrixSpec& m = list.spec.matrix;
  const double rows = m.rows, cols = m.cols;
  for (const TypeRate& rate : m.typeRate)
    list.add("matrix." + rate.type, 2 * matrixMacsPerSecond(list.spec, rate.type), "FLOP/s",
             "2 * cores * count * rows * cols * numerator / denominator * hz, chip");
  list.add("matrix.macsPerCycle", rows * cols * engine.count, "MAC/cycle",
           "rows * cols * count, a core, type of rate 1");
  list.word("matrix.dataflow", kDataflows[static_cast<int>(m.dataflow)], "matrix.dataflow");
  list.add("matrix.cellsPerSum", rows / m.depth, "", "rows / depth: cells that a sum passes");
  list.add("matrix.weightStore", rows * cols * 2 * m.weightBuffers, "B", "rows * cols * 2 * weightBuffers, f16");
  list.cycles("matrix.weightLoad", std::ceil(rows / m.loadRowsPerCycle), engine.clock, "rows / loadRowsPerCycle");
  list.cycles("matrix.leastRun", m.minRows, engine.clock, "minRows");
  list.add("matrix.rowsToHideLoad", std::max<double>(m.minRows, std::ceil(rows / m.loadRowsPerCycle)), "rows",
           "max(minRows, rows / loadRowsPerCycle)");
  list.add("matrix.operandBandwidth", rows * 2, "B/cycle", "rows * 2: a row of f16 A a cycle");
  list.add("matrix.resultBandwidth", cols * 4, "B/cycle", "cols * 4: a row of f32 sums a cycle");
}

void deriveBanked(FigureList& list, const BankedMemorySpec& m, const std::string& p) {
  const double perCycle = static_cast<double>(m.banks) * m.ports * m.bankWidthBytes,
               hz = static_cast<double>(list.spec.referenceHz());
  list.add(p + "capacity", static_cast<double>(m.banks * m.bytesPerBank), "B", "banks * bytesPerBank, a core");
  list.add(p + "perCycle", perCycle, "B/cycle", "banks * ports * bankWidthBytes, a core");
  list.add(p + "bandwidth", perCycle * hz, "B/s", "banks * ports * bankWidthBytes * reference hz, a core");
  list.add(p + "chipBandwidth", perCycle * hz * list.spec.cores(), "B/s", "the same, all cores");
  list.add(p + "interleave", m.bankWidthBytes, "B", "bankWidthBytes");
  list.cycles(p + "latency", m.latencyCycles, list.spec.reference, "latencyCycles");
}

}  // namespace

void deriveTeams(FigureList& list) {
  for (const TeamSpec& team : list.spec.teams) deriveHart(list, team);
}

void deriveEngines(FigureList& list) {
  static constexpr const char* kKinds[] = {"dma", "matrix", "vector", "layout"};
  for (const EngineSpec& engine : list.spec.engines) {
    const std::string p = "engines." + engine.name + ".";
    const double hz = static_cast<double>(list.spec.hz(engine.clock)), all = engine.count;
    list.word(p + "kind", kKinds[static_cast<int>(engine.kind)], "kind");
    list.add(p + "queues", all * engine.queues, "", "count * queues, a core");
    list.add(p + "queuedCommands", all * engine.queues * engine.queueDepth, "", "count * queues * queueDepth, a core");
    list.cycles(p + "issue", engine.issueCycles, list.spec.teams.front().clock, "issueCycles");
    list.cycles(p + "startup", engine.startupCycles, engine.clock, "startupCycles");
    list.add(p + "bytesInFlight", static_cast<double>(engine.inFlight) * engine.burstBytes, "B",
             "inFlight * burstBytes, an engine");
    list.add(p + "readPort", all * engine.readBytesPerCycle * hz, "B/s", "count * readBytesPerCycle * hz, a core");
    list.add(p + "writePort", all * engine.writeBytesPerCycle * hz, "B/s", "count * writeBytesPerCycle * hz, a core");
    if (engine.kind == EngineKind::Dma)
      list.cycles(p + "latencyCovered",
                  static_cast<double>(engine.inFlight) * engine.burstBytes / engine.writeBytesPerCycle, engine.clock,
                  "inFlight * burstBytes / writeBytesPerCycle: latency hidden at the full rate of the write port");
    if (engine.kind == EngineKind::Matrix) deriveMatrix(list, engine);
  }
}

void deriveCoreMemories(FigureList& list) {
  deriveBanked(list, list.spec.acc, "acc.");
  const BankedMemorySpec& scratch = list.spec.scratch;
  deriveBanked(list, scratch, "scratch.");
  list.add("scratch.partition", static_cast<double>(scratch.banks * scratch.bytesPerBank) / scratch.partitions, "B",
           "banks * bytesPerBank / partitions");
  list.add("scratch.fullRateStride", static_cast<double>(scratch.stridePenaltyBytes), "B",
           "stridePenaltyBytes; 0 = any");
}

double scratchBytesPerSecond(const TargetSpec& spec) {
  return static_cast<double>(spec.cores()) * spec.scratch.banks * spec.scratch.ports * spec.scratch.bankWidthBytes *
         static_cast<double>(spec.referenceHz());
}

double accBytesPerSecond(const TargetSpec& spec) {
  return static_cast<double>(spec.cores()) * spec.acc.banks * spec.acc.ports * spec.acc.bankWidthBytes *
         static_cast<double>(spec.referenceHz());
}

}  // namespace forerun::targets
