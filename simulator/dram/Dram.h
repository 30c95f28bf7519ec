//===- Dram.h - all DRAM channels of a chip ---------------------------------===//
// Splits requests into bursts, sends them to channels and counts; the only part of the DRAM model that the rest of the chip sees.
#pragma once

#include "simulator/dram/AddressMap.h"
#include "simulator/dram/Channel.h"
#include "simulator/kernel/ClockDomain.h"
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
/// Model `command`: see Channel. Model `burst`: every channel moves busBytes * dataRate bytes a clock, in the first free cycles of its calendar, and data
/// arrive tRCD + tCL later; no banks, no refresh. Both add controllerCycles in front (a write is accepted before them).
class Dram {
 public:
  /// Throws BadConfig when the description contradicts itself.
  explicit Dram(const targets::TargetSpec& target);
  ~Dram();

  /// Time at which all `bytes` have been read.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, Cycles at);
  /// Time at which all `bytes` have been taken over by the controllers (posted; `drain` waits for the cells).
  Cycles write(std::uint64_t offset, std::uint32_t bytes, Cycles at);
  Cycles access(std::uint64_t offset, std::uint32_t bytes, bool write, Cycles at) { return write ? this->write(offset, bytes, at) : read(offset, bytes, at); }
  /// Time at which everything accepted so far has reached the cells, at least `at`.
  Cycles drain(Cycles at);

  /// The channel of `offset` would serve low-priority work at `at`: nothing waits there.
  bool idleAt(std::uint64_t offset, Cycles at);
  /// First time at which the channel of `offset` takes another read (back pressure).
  Cycles readAcceptedAt(std::uint64_t offset, Cycles at);
  /// No request will come for a time before `now`.
  void advanceHorizon(Cycles now) { horizon_.now = clock_.fromReference(now); }

  const AddressMap& addressMap() const { return map_; }
  DramTotals totals() const;
  /// Peak of all channels, bytes a second.
  double peakBytesPerSecond() const { return peakBytesPerSecond_; }
  /// Figures of all channels and of each; `cycles` is the length of the run in reference cycles.
  void report(StatisticsTree& tree, Cycles cycles) const;

 private:
  template <bool kWrite>
  Cycles transfer(std::uint64_t offset, std::uint32_t bytes, Cycles at);

  struct BurstChannel;
  AddressMap map_;
  ClockDomain clock_;
  Horizon horizon_;
  std::uint32_t burstBytes_;
  Cycles controllerCycles_, burstLatency_;
  Cycles burstCycles_;
  double peakBytesPerSecond_, secondsPerCycle_;
  std::vector<std::unique_ptr<Channel>> channels_;        ///< model command
  std::vector<std::unique_ptr<BurstChannel>> bursts_;     ///< model burst
};

}  // namespace forerun::sim::dram
