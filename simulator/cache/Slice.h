//===- Slice.h - tags and timing of one L2 slice -----------------------------===//
// Set-associative write-back cache without data: it decides what must move between L2 and DRAM, and when.
#pragma once

#include "simulator/dram/Dram.h"
#include "simulator/kernel/ClockDomain.h"
#include "simulator/kernel/Pool.h"
#include "simulator/kernel/Reply.h"
#include "simulator/kernel/ReservationCalendar.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace forerun::sim::cache {

/// Geometry and rates that all slices share. Cycles are those of the L2's clock.
struct SliceShape {
  std::uint32_t sets = 0, ways = 0, lineBytes = 0, sectorBytes = 0;
  std::uint32_t mshrs = 0, bytesPerCycle = 0, latencyCycles = 0;
};

struct SliceCounters {
  std::uint64_t readBytes = 0, writtenBytes = 0;    ///< through the slice's port
  std::uint64_t hits = 0, misses = 0, merges = 0;   ///< lines asked for; merge: the line was on its way already
  std::uint64_t writeBacks = 0, cleaned = 0;        ///< lines evicted dirty; lines written back early
  std::uint64_t fillBytes = 0, writeBackBytes = 0;  ///< to and from DRAM
};

/// A line is divided into sectors with a valid and a dirty bit each: a write that covers whole sectors fetches nothing,
/// a read or a partial write fetches only what is missing, an eviction writes only what is dirty. Replacement is least
/// recently used.
///
/// Time: a request takes the slice's port for ceil(bytes / bytesPerCycle) cycles; a hit's last byte is out
/// latencyCycles + that - 1 after the port was free. A miss takes a miss register (mshrs a slice; misses wait for one
/// in order) from then until its sectors have come from DRAM; requests meanwhile for the same line wait for the same
/// fill. Fills and evictions use a port of their own. An eviction is posted, but the miss waits until DRAM has accepted
/// it. With it go the lines that have been dirty as a whole for longest, as many as fill DRAM's write queue, in the
/// order in which they were written (batches as in J. Stuecheli et al., The Virtual Write Queue, ISCA 2010). While
/// their DRAM channel is idle, fully dirty lines are written back early (H. S. Lee et al., Eager Writeback, MICRO
/// 2000): a final flush then has little left.
class Slice final : private ReplySink {
 public:
  Slice(const SliceShape& shape, dram::Dram& dram, const ClockDomain& clock, const Horizon* horizon);

  /// One request inside one piece of the slice; `lineInSlice` numbers its first line. Times are reference cycles;
  /// `offset` is in global memory. Read: last byte out. Write: accepted. kNever when DRAM has not decided yet and
  /// `reply` receives the time.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at, Reply reply);
  Cycles write(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at, Reply reply);
  /// Hands every dirty sector to DRAM, in order of address; returns when the last has left the slice.
  Cycles flush(Cycles at);
  /// Writes fully dirty lines back, oldest first and two at most, when their DRAM channel is idle at `at`.
  void cleanEarly(Cycles at);
  /// Lines may be left that cleanEarly would write back.
  bool cleanable() const { return !dirtyOrder_.empty(); }

  const SliceCounters& counters() const { return counters_; }
  Cycles busyCycles() const { return port_.busyCycles(); }
  std::uint64_t dirtyLines() const { return dirtyLines_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Way {
    std::uint32_t lastUse;      ///< value of uses_
    std::uint32_t readyAt;      ///< low half of the L2 cycle at which the last fill is complete, when that is known
    std::uint32_t fetch;        ///< number of the last fetch + 1 while it has not come
    std::uint8_t valid, dirty;  ///< a bit a sector
  };
  /// The state of one set: its tags next to each other, then its ways. A lookup touches the tags and one way, few lines
  /// of the host's cache.
  struct Set {
    std::uint32_t* tags;  ///< line number in global memory + 1; 0 = empty (L2Cache refuses targets where that takes
                          ///< more than 32 bits)
    Way* ways;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  struct Place {
    std::uint32_t set, way;
  };
  /// A request that cannot be answered yet.
  struct Wait {
    Reply reply;
    Cycles at;               ///< of the request, reference cycles
    Cycles done = 0;         ///< latest of the times known so far
    std::uint32_t left = 1;  ///< times not known; one more while the request is looked up
  };
  struct Waiter {
    std::uint32_t wait, next;
  };
  /// Neighbouring sectors of at most kLines lines, fetched as one DRAM request.
  struct Fetch {
    static constexpr std::uint32_t kLines = 8;
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0, lines = 0;
    Place places[kLines];
    Cycles ready = 0;                   ///< looked up, and victims accepted by DRAM
    std::uint32_t victims = 0;          ///< not accepted yet
    std::uint32_t firstWaiter = kNone;  ///< list of those that wait for the sectors
    std::uint32_t startWait = kNone;    ///< wants to know when there is a miss register
  };
  /// What a reply of DRAM belongs to; the low bits of its tag.
  enum class Tag : std::uint32_t { Fill, FetchVictim, WaitVictim };
  /// A request while it is looked up.
  struct Lookup {
    Reply reply;
    Cycles at, looked, done;
    std::uint32_t wait = kNone;      ///< when it has to wait
    std::uint32_t fetch = kNone;     ///< collects missing sectors
    std::uint32_t waitsFor = kNone;  ///< the fetch that it waited for last, as long as that cannot have come meanwhile
    bool write;
  };

  Set setAt(std::uint32_t index) const;
  std::uint32_t setOf(std::uint64_t lineInSlice) const;
  std::uint32_t findWay(const Set& set, std::uint32_t tag) const;
  std::uint32_t allocateWay(const Set& set, std::uint32_t tag, Lookup& lookup);
  bool cleanOldest(Cycles at, bool onlyIdle);
  Cycles writeDirty(const Set& set, std::uint32_t way, Cycles at, Reply reply, std::uint32_t& undecided);
  std::uint8_t sectorsTouched(std::uint32_t first, std::uint32_t end) const;
  std::uint8_t sectorsCovered(std::uint32_t first, std::uint32_t end) const;

  void reply(std::uint32_t tag, Cycles at) override;
  Reply replyTo(Tag tag, std::uint32_t number) { return {this, number << 2 | static_cast<std::uint32_t>(tag)}; }
  std::uint32_t waitOf(Lookup& lookup);
  Cycles answer(Lookup& lookup);
  void waitFor(Lookup& lookup, std::uint32_t fetch);
  void settle(std::uint32_t wait, Cycles done);
  void collect(Lookup& lookup, std::uint64_t offset);
  void addMissing(Lookup& lookup, Place place, const Set& set, std::uint64_t lineOffset, std::uint8_t missing);
  void launch(Lookup& lookup);
  void startFetches();
  void filled(std::uint32_t fetch, Cycles at);
  /// The cycle of a line's last fill when that is after `cycle`, else 0. Only the low half is kept: more than 2^31
  /// cycles ahead means long past.
  static Cycles pendingUntil(std::uint32_t readyAt, Cycles cycle) {
    std::int32_t ahead = static_cast<std::int32_t>(readyAt - static_cast<std::uint32_t>(cycle));
    return ahead > 0 && ahead < kLongestFill ? cycle + static_cast<std::uint32_t>(ahead) : 0;
  }

  static constexpr std::int32_t kLongestFill = 1 << 26;

  SliceShape shape_;
  dram::Dram& dram_;
  ClockDomain clock_;
  ReservationCalendar port_;
  Pool<Wait> waits_;
  Pool<Fetch> fetches_;
  Pool<Waiter> waiters_;
  std::deque<std::uint32_t> queue_;  ///< fetches that want miss registers
  std::priority_queue<Cycles, std::vector<Cycles>, std::greater<>>
      registers_;                                ///< when those that no fetch holds are free
  std::size_t waysOffset_, setBytes_;            ///< of a set's ways within it; of a set
  std::unique_ptr<std::uint8_t[], Free> state_;  ///< sets * setBytes_; zero pages until used
  std::uint32_t uses_ = 0;
  std::uint64_t dirtyLines_ = 0;
  std::deque<Place> dirtyOrder_;  ///< lines that became fully dirty, oldest first; may be stale
  SliceCounters counters_;
};

}  // namespace forerun::sim::cache
