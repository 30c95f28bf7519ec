//===- Dram.h - all DRAM channels of a chip ---------------------------------===//
// Splits requests into bursts, sends them to channels and counts; the only part of the DRAM model that the rest of the
// chip sees.
#pragma once

#include "simulator/dram/AddressMap.h"
#include "simulator/dram/Channel.h"
#include "simulator/kernel/ClockDomain.h"
#include "simulator/kernel/Pool.h"
#include "simulator/kernel/Reply.h"
#include "simulator/kernel/Statistics.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace forerun::sim::dram {

struct DramTotals {
  std::uint64_t readBytes = 0, writtenBytes = 0;  ///< moved over the pins: whole bursts
  ChannelCounters counters;                       ///< sums over channels
};

/// Times are reference cycles, addresses byte offsets into global memory.
///
/// Model `command`: see Channel. Model `burst`: every channel moves busBytes * dataRate bytes a clock, in the first
/// free cycles of its calendar, and data arrive tRCD + tCL later; no banks, no refresh. Both add controllerCycles in
/// front (a write is accepted before them).
class Dram final : private ReplySink {
 public:
  /// Throws BadConfig when the description contradicts itself.
  explicit Dram(const targets::TargetSpec& target);
  ~Dram();

  /// Time at which all `bytes` have been read; kNever when it is not decided yet and `reply` receives it.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply) {
    return transfer<false>(offset, bytes, at, reply);
  }
  /// Time at which all `bytes` have been taken over by the controllers (posted; `drain` waits for the cells), or kNever
  /// likewise.
  Cycles write(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply) {
    return transfer<true>(offset, bytes, at, reply);
  }
  /// Decides on what has come so far until the time is known, as if nothing else came.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, Cycles at);
  Cycles write(std::uint64_t offset, std::uint32_t bytes, Cycles at);
  /// Decides everything accepted so far; returns the time at which it has reached the cells, at least `at`.
  Cycles drain(Cycles at);

  /// The channel of `offset` would serve low-priority work at `at`: nothing waits there.
  bool idleAt(std::uint64_t offset, Cycles at);
  /// First time at which the channel of `offset` takes another read (back pressure).
  Cycles readAcceptedAt(std::uint64_t offset, Cycles at);
  /// No request will come for a time before `now`: decides what happens until then and answers.
  void advanceHorizon(Cycles now);
  /// What one channel's write queue holds.
  std::uint32_t writeQueueBytes() const { return Channel::kWriteBursts * burstBytes_; }
  /// Requests that have not been answered.
  bool waiting() const { return requests_.used() != 0; }
  /// Decides a little more than what came before `at` allows, for a caller that cannot wait.
  void hurry(Cycles at);

  const AddressMap& addressMap() const { return map_; }
  DramTotals totals() const;
  /// Cycles of all data buses together in a time of `duration`; DRAM clock.
  Cycles busCycles(Cycles duration) const {
    return clock_.fromReference(duration) * (channels_.size() + bursts_.size());
  }
  /// Peak of all channels, bytes a second.
  double peakBytesPerSecond() const { return peakBytesPerSecond_; }
  /// Figures of all channels and of each; `cycles` is the length of the run in reference cycles.
  void report(StatisticsTree& tree, Cycles cycles) const;

 private:
  /// Under way: pieces that have not been answered, and the latest time of the others.
  struct Request {
    Reply reply;
    std::uint32_t pieces;
    Cycles end;
  };
  static constexpr Cycles kHurryCycles = 32;

  template <bool kWrite>
  Cycles transfer(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply);
  void reply(std::uint32_t tag, Cycles at) override;
  void advanceChannels(Cycles to);

  struct BurstChannel;
  AddressMap map_;
  ClockDomain clock_;
  Horizon horizon_;
  std::uint32_t burstBytes_;
  Cycles controllerCycles_, burstLatency_;
  Cycles burstCycles_;
  double peakBytesPerSecond_, secondsPerCycle_;
  std::vector<std::unique_ptr<Channel>> channels_;  ///< model command
  std::vector<std::uint32_t> active_;               ///< channels with requests
  std::vector<bool> isActive_;
  Pool<Request> requests_;
  Cycles decided_ = 0;                                 ///< DRAM cycles; beyond the horizon after `hurry`
  std::vector<std::unique_ptr<BurstChannel>> bursts_;  ///< model burst
};

}  // namespace forerun::sim::dram
