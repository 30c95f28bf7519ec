//===- Report.h - what a run of the simulator says about itself -------------===//
// Plain data, filled by the chip at the end of a launch; the driver prints it as text and JSON.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace forerun::sim {

/// Cycles that a unit spent on one cause. Causes of harts: StallCause in lower camel case ("fetch" ... "launch"); of
/// engines: "dependency", "operand", "output", "fill", "drain".
struct StallReport {
  std::string cause;
  Cycles cycles = 0;
};

enum class UnitKind : std::uint8_t { Hart, Dma, Matrix };

/// One hart or engine. busy + sum(stalls) + idle == LaunchReport::cycles.
struct UnitReport {
  std::string name;  ///< "core 3 team 0", "core 3 dma 1", "core 3 matrix 0"
  UnitKind kind = UnitKind::Hart;
  std::uint32_t core = 0, index = 0;  ///< hart of the core, or engine of its kind in the core
  std::uint64_t instructions = 0;     ///< harts: retired instructions; engines: retired commands
  Cycles busy = 0, idle = 0;
  std::vector<StallReport> stalls;  ///< every cause of the kind of unit, also those with 0 cycles, in priority order
};

/// Bytes that crossed one kind of memory or network in the launch, chip-wide. Zero rates in functional mode.
struct TrafficReport {
  std::uint64_t readBytes = 0, writtenBytes = 0;
  double achievedBytesPerSecond = 0;  ///< (read + written) / seconds
  double peakBytesPerSecond = 0;      ///< derived from the target
};

/// Where the cycles of the DRAM data buses went, in the DRAM's clock and summed over channels: busy + idle + turnaround
/// + refresh + row == cycles. Model `burst` knows busy and idle only. Zero in functional mode.
struct DramBusReport {
  Cycles cycles = 0;      ///< channels * length of the launch
  Cycles busy = 0;        ///< data moved
  Cycles idle = 0;        ///< no request was there, or only writes that are held back
  Cycles turnaround = 0;  ///< between reads and writes
  Cycles refresh = 0;     ///< requests waited for the end of a refresh
  Cycles row = 0;         ///< requests waited for rows to open, or for bank groups
  std::uint64_t rowHits = 0, rowMisses = 0, rowConflicts = 0;  ///< bursts: row open; bank closed; another row open
};

struct MatrixReport {
  std::uint64_t macs = 0;  ///< multiply-adds of present elements that matrix units executed
  double peakMacsPerCycle =
      0;                   ///< chip-wide, at the rate of the types used (weighted by their MACs), a reference cycle
  double utilisation = 0;  ///< macs / (cycles * peakMacsPerCycle), 0 .. 1
};

/// A region between two xmark instructions of one hart.
struct MarkReport {
  std::uint64_t id = 0;
  std::uint32_t core = 0, team = 0;
  Cycles begin = 0, end = 0;  ///< since the start of the launch; functional mode: both 0
};

/// All regions with one id, over the harts of the chip.
struct MarkSummary {
  std::string name;                    ///< as the program says, else the id
  std::uint64_t times = 0, harts = 0;  ///< entered; by how many harts
  Cycles cycles = 0;                   ///< inside, summed over harts; regions inside it count in both
  Cycles shortest = 0, longest = 0;    ///< of one time
};

struct LaunchReport {
  bool timed = false;              ///< false in functional mode: all cycles are 0
  Cycles cycles = 0;               ///< reference cycles from the launch command to drained queues and flushed L2
  double seconds = 0;              ///< cycles at the reference clock
  std::uint64_t clockHz = 0;       ///< reference clock
  Cycles quantum = 0;              ///< cycles that harts may run ahead
  std::uint64_t instructions = 0;  ///< all harts
  std::vector<UnitReport> units;
  MatrixReport matrix;
  TrafficReport dram, l2, noc, scratch;
  DramBusReport dramBus;
  std::uint64_t exitCode = 0;         ///< first non-zero code of a hart, else 0
  std::string output;                 ///< text of host calls, in order
  std::vector<std::string> warnings;  ///< e.g. commands never waited for
  std::vector<MarkReport> marks;
  std::map<std::uint64_t, std::string> markNames;  ///< by id; ids without a name are missing
  double hostSeconds = 0;

  /// Sum over harts of one stall cause (0 when unknown).
  Cycles hartStall(const std::string& cause) const;
  /// In order of ids, which a kernel's regions have in program order.
  std::vector<MarkSummary> markSummaries() const;
};

}  // namespace forerun::sim
