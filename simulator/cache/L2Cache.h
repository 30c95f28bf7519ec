//===- L2Cache.h - all L2 slices of a chip -----------------------------------===//
// Finds the slice of an address and sums up what slices did; the rest of the chip talks to this.
#pragma once

#include "simulator/cache/Slice.h"
#include "simulator/cache/SliceMap.h"
#include "simulator/kernel/Statistics.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace forerun::sim::cache {

/// Times are reference cycles, addresses byte offsets into global memory. See Slice for the timing and SliceMap for the
/// hash.
class L2Cache {
 public:
  /// `dram` must outlive the cache. Throws BadConfig when the geometry does not divide.
  L2Cache(const targets::TargetSpec& target, dram::Dram& dram);

  const SliceMap& map() const { return map_; }
  std::uint32_t slices() const { return static_cast<std::uint32_t>(slices_.size()); }
  /// Sets a slice.
  std::uint32_t sets() const { return shape_.sets; }

  /// A request inside one piece (SliceMap::pieceBytes). Read: last byte out of the slice; write: accepted by the slice.
  /// kNever when DRAM has not decided yet and `reply` receives the time.
  Cycles read(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply) {
    return slices_[map_.sliceOf(offset)]->read(offset, bytes, map_.lineInSlice(offset, shape_.lineBytes), at, reply);
  }
  Cycles write(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply) {
    return slices_[map_.sliceOf(offset)]->write(offset, bytes, map_.lineInSlice(offset, shape_.lineBytes), at, reply);
  }
  /// Hands every dirty line to DRAM; returns when the last one has left its slice.
  Cycles flush(Cycles at);

  void advanceHorizon(Cycles now) { horizon_.now = clock_.fromReference(now); }
  /// Uses idle DRAM channels to write back lines that are dirty as a whole; to be called every few cycles.
  void cleanEarly(Cycles now);
  bool cleanable() const;

  SliceCounters totals() const;
  double peakBytesPerSecond() const { return peakBytesPerSecond_; }
  void report(StatisticsTree& tree, Cycles cycles) const;

 private:
  SliceShape shape_;
  ClockDomain clock_;
  Horizon horizon_;
  SliceMap map_;
  std::vector<std::unique_ptr<Slice>> slices_;
  double peakBytesPerSecond_, secondsPerCycle_;
};

}  // namespace forerun::sim::cache
