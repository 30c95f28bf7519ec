//===- Slice.h - tags and timing of one L2 slice -----------------------------===//
// Set-associative write-back cache without data: it decides what must move between L2 and DRAM, and when.
#pragma once

#include "simulator/dram/Dram.h"
#include "simulator/kernel/ClockDomain.h"
#include "simulator/kernel/OccupancyCalendar.h"
#include "simulator/kernel/ReservationCalendar.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>

namespace forerun::sim::cache {

/// Geometry and rates that all slices share. Cycles are those of the L2's clock.
struct SliceShape {
  std::uint32_t sets = 0, ways = 0, lineBytes = 0, sectorBytes = 0;
  std::uint32_t mshrs = 0, bytesPerCycle = 0, latencyCycles = 0;
};

struct SliceCounters {
  std::uint64_t readBytes = 0, writtenBytes = 0;       ///< through the slice's port
  std::uint64_t hits = 0, misses = 0, merges = 0;      ///< lines asked for; merge: the line was on its way already
  std::uint64_t writeBacks = 0, cleaned = 0;           ///< lines evicted dirty; lines written back early
  std::uint64_t fillBytes = 0, writeBackBytes = 0;     ///< to and from DRAM
};

/// A line is divided into sectors with a valid and a dirty bit each: a write that covers whole sectors fetches nothing, a read or a partial write
/// fetches only what is missing, an eviction writes only what is dirty. Replacement is least recently used.
///
/// Time: a request takes the slice's port for ceil(bytes / bytesPerCycle) cycles; a hit's last byte is out latencyCycles + that - 1 after the port was
/// free. A miss takes a miss register (mshrs a slice; all in use delays it) from then until its sectors have come from DRAM; requests meanwhile for the
/// same line wait for the same fill. Fills and evictions use a port of their own. An eviction is posted, but the miss waits until DRAM has
/// accepted it. Fully dirty lines are written back early, two a request at most, when their DRAM channel is idle: a final flush then has little left.
class Slice {
 public:
  Slice(const SliceShape& shape, dram::Dram& dram, const ClockDomain& clock, const Horizon* horizon);

  /// One request inside one piece of the slice; `lineInSlice` numbers its first line. Times are reference cycles; `offset` is in global memory.
  /// Read: last byte out. Write: accepted.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at);
  Cycles write(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at);
  /// Hands every dirty sector to DRAM, in order of address; returns when the last is accepted.
  Cycles flush(Cycles at);

  const SliceCounters& counters() const { return counters_; }
  Cycles busyCycles() const { return port_.busyCycles(); }
  std::uint64_t dirtyLines() const { return dirtyLines_; }

 private:
  struct Masks {
    std::uint8_t valid, dirty;
  };
  /// The state of one set, in arrays by way that lie next to each other: a lookup touches few lines of the host's cache.
  struct Set {
    std::uint32_t* tags;     ///< line number in global memory + 1; 0 = empty (L2Cache refuses targets where that takes more than 32 bits)
    std::uint32_t* lastUse;  ///< value of uses_
    std::uint32_t* readyAt;  ///< low half of the L2 cycle at which the last fill is complete
    Masks* masks;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  Set setAt(std::uint32_t index) const;
  std::uint32_t setOf(std::uint64_t lineInSlice) const;
  std::uint32_t findWay(const Set& set, std::uint32_t tag) const;
  std::uint32_t allocateWay(const Set& set, std::uint32_t tag, Cycles at, Cycles& accepted);
  Cycles writeDirty(const Set& set, std::uint32_t way, Cycles at);
  std::uint8_t sectorsTouched(std::uint32_t first, std::uint32_t end) const;
  std::uint8_t sectorsCovered(std::uint32_t first, std::uint32_t end) const;
  void cleanEarly(Cycles at);

  /// Missing sectors that lie next to each other and are fetched as one DRAM request.
  struct Run {
    static constexpr std::uint32_t kLines = 8;
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0, lines = 0;
    std::uint32_t* readyAt[kLines];  ///< of the lines that the sectors belong to
  };
  Cycles fetch(Run& run, Cycles ready);
  void addMissing(Run& run, std::uint32_t* readyAt, std::uint64_t lineOffset, std::uint8_t missing, Cycles ready, Cycles& done);
  /// The cycle of a line's last fill when that is after `cycle`, else 0. Only the low half is kept: more than 2^31 cycles ahead means long past.
  static Cycles pendingUntil(std::uint32_t readyAt, Cycles cycle) {
    std::int32_t ahead = static_cast<std::int32_t>(readyAt - static_cast<std::uint32_t>(cycle));
    return ahead > 0 && ahead < kLongestFill ? cycle + static_cast<std::uint32_t>(ahead) : 0;
  }

  static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};
  static constexpr std::int32_t kLongestFill = 1 << 26;

  SliceShape shape_;
  dram::Dram& dram_;
  ClockDomain clock_;
  ReservationCalendar port_;
  OccupancyCalendar missRegisters_;
  std::size_t setBytes_;
  std::unique_ptr<std::uint8_t[], Free> state_;  ///< sets * setBytes_; zero pages until used
  std::uint32_t uses_ = 0;
  std::uint64_t dirtyLines_ = 0;
  struct Place {
    std::uint32_t set, way;
  };
  std::deque<Place> dirtyOrder_;  ///< lines that became fully dirty, oldest first; may be stale
  SliceCounters counters_;
};

}  // namespace forerun::sim::cache
