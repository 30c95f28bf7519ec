//===- Channel.h - one DRAM channel and its controller ----------------------===//
// Schedules reads and writes command by command: which burst goes next, and when the rules of the DRAM let it.
#pragma once

#include "simulator/dram/AddressMap.h"
#include "simulator/kernel/Reply.h"
#include "simulator/kernel/ReservationCalendar.h"
#include "targets/TargetSpec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forerun::sim::dram {

/// What a channel did; all counts in bursts or DRAM clock cycles.
struct ChannelCounters {
  std::uint64_t readBursts = 0, writeBursts = 0;
  std::uint64_t rowHits = 0, rowMisses = 0, rowConflicts = 0;  ///< row open; bank closed; another row open
  std::uint64_t refreshes = 0, turnarounds = 0;
  std::uint64_t lateBursts = 0;  ///< served in the past, see Channel
  Cycles busyCycles = 0;         ///< cycles in which the data bus moved data
  /// Why the bus stood still before a burst: no burst waited, or only writes that are held back; the bus turned between
  /// reads and writes; banks came out of refresh; rows and bank groups.
  Cycles idleCycles = 0, turnaroundCycles = 0, refreshCycles = 0, rowCycles = 0;
};

/// Open-page controller with a read queue of kReadBursts and a posted write queue of kWriteBursts bursts (as public
/// controllers have), both scheduled first-ready, first-come-first-served: of all queued bursts the one that can issue
/// its column command first goes, the oldest among equals. Writes collect until kDrainHigh bursts wait, then drain in a
/// batch down to kDrainLow, or when the channel has been idle for kIdleCycles.
///
/// A burst's column command issues at the first cycle with: row open (activate + tRCD), column-to-column tCCD_S /
/// tCCD_L, read-write turnaround tRTW / tWTR. Activates obey tRP after precharge, tRRD_S / tRRD_L, at most four in
/// tFAW. Precharge comes tRAS after the activate, after the last read's data, and tWR after the last write's data.
/// Refresh closes all rows of a rank for tRFC every tREFI. All times are DRAM clock cycles. Not modelled: command bus
/// conflicts, tRTP apart from the read's data, rank-to-rank switching.
///
/// Requests come out of time order because callers run ahead of each other, and later ones may overtake them. So a
/// request is only entered into a list by arrival; which burst moves when is decided by `advance` once no earlier
/// request can come, and told to the sink then. (Until the horizon moves for the first time, requests are taken to come
/// in order.) A request for a time before what is decided already is served then, in cycles that were left idle, or
/// else queues up now.
class Channel {
 public:
  static constexpr std::uint32_t kReadBursts = 32, kWriteBursts = 64, kDrainHigh = 54, kDrainLow = 8;
  static constexpr std::uint32_t kUndecided =
      1024;  ///< bursts that may wait for the horizon before they are decided anyway
  static constexpr Cycles kIdleCycles = 64;

  /// `horizon` counts DRAM cycles; it may be null and must otherwise outlive the channel, as `sink` must.
  Channel(const targets::DramSpec& dram, const Horizon* horizon, ReplySink& sink);

  /// Reads `bursts` consecutive columns of one row; returns when the last datum is on the pins, kNever when the sink is
  /// told.
  Cycles read(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag);
  /// Hands `bursts` consecutive columns over to the write queue; returns when they are accepted, kNever when the sink
  /// is told.
  Cycles write(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag);
  /// Issues every burst whose column command comes before `to` and answers.
  void advance(Cycles to);
  bool empty() const { return reads_.entries.empty() && writes_.entries.empty(); }
  /// When the last datum has moved or will, as decided so far.
  Cycles lastData() const { return lastData_; }

  /// First cycle at which the read queue takes another burst, as known now.
  Cycles readAcceptedAt(Cycles at);
  /// Nothing waits and nothing moved in the kIdleCycles before `at`.
  bool idleAt(Cycles at);

  const ChannelCounters& counters() const { return counters_; }

 private:
  struct Entry {
    Cycles arrival;
    Cycles visible;  ///< when it entered the queue that the scheduler sees
    std::uint64_t row;
    std::uint16_t bank;   ///< over all ranks and groups of the channel
    std::uint16_t group;  ///< over all ranks
    std::uint16_t rank;
    std::uint16_t bursts;  ///< left to issue
    bool accepted;         ///< a write that has been answered
    std::uint32_t tag;
  };
  /// Requests by arrival; the scheduler sees the first `inWindow`, as many as the hardware's queue holds.
  struct Queue {
    explicit Queue(std::uint32_t limit) : limit(limit) { entries.reserve(64); }
    std::vector<Entry> entries;
    std::size_t inWindow = 0;
    std::uint32_t windowBursts = 0, bursts = 0;
    std::uint32_t limit;
  };
  struct Bank {
    std::uint64_t row = kClosed;
    Cycles columnReady = 0;  ///< activate + tRCD
    Cycles prechargeReady = 0;
    Cycles activateReady = 0;  ///< when closed
    std::uint64_t lateRow = kClosed;
  };
  struct Rank {
    std::array<Cycles, 4> activates{};  ///< the last four, ring, plus one so that 0 means none
    std::uint32_t next = 0;
    Cycles lastActivate = 0;
    Cycles nextRefresh = 0;
    Cycles refreshEnd = 0;  ///< of the last one
  };
  struct Choice {
    std::size_t index = 0;
    Cycles column = kNever;
  };
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  struct Answer {
    std::uint32_t tag;
    Cycles at;
  };

  Entry makeEntry(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag) const;
  Cycles activateTime(const Entry& entry) const;
  Cycles earliestColumn(bool write) const;
  Choice choose(const Queue& queue, bool write) const;
  bool insert(Queue& queue, const Entry& entry);
  void fillWindow(Queue& queue);
  bool writesNext();
  std::uint32_t arrivedWrites(std::uint32_t atMost) const;
  void issue(bool write, Choice choice);
  void refresh(std::uint32_t rank, Cycles column);
  bool issueOne(Cycles before);
  void answer();
  void account(const Entry& entry, bool write, Cycles column);
  Cycles settled(Cycles at) const { return horizon_ && horizon_->now != 0 && horizon_->now < at ? horizon_->now : at; }
  void take(Cycles from, Cycles to);
  Cycles serveLate(const Entry& entry, Cycles at);

  const Horizon* horizon_;
  ReplySink& sink_;
  targets::DramTimings timings_;
  Cycles burstCycles_;
  std::uint32_t groups_, banks_;  ///< per rank, per group
  std::vector<Bank> bankState_;
  std::vector<Rank> rankState_;
  std::vector<Cycles> groupColumn_, groupActivate_;  ///< earliest next by tCCD_L, tRRD_L
  Queue reads_{kReadBursts}, writes_{kWriteBursts};
  bool draining_ = false;
  bool any_ = false, lastWasWrite_ = false;
  Cycles lastColumn_ = 0;  ///< of the schedule
  Cycles quietTo_ = 0;     ///< with what is queued now, no column command comes before this
  Cycles lastData_ = 0;    ///< end of the last datum
  Cycles lastWriteData_ = 0;
  ReservationCalendar slots_;         ///< column slots that are gone, for requests that come late
  Cycles goneFrom_ = 0, goneTo_ = 0;  ///< slots that are gone but not in slots_ yet
  std::vector<Answer> answers_;       ///< decided, not told yet
  bool answering_ = false;
  ChannelCounters counters_;
};

}  // namespace forerun::sim::dram
