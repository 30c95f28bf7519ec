//===- OccupancyCalendar.h - how many entries of a buffer are in use --------===//
// Counts users of a small pool (miss registers, buffers) over time when requests arrive out of time order and hold an entry for long.
#pragma once

#include "simulator/kernel/ReservationCalendar.h"

#include <cstdint>
#include <vector>

namespace forerun::sim {

/// Users a slot of kSlotCycles cycles; an entry used in any cycle of a slot counts for the whole slot, so the pool is never overcommitted.
class OccupancyCalendar {
 public:
  static constexpr Cycles kSlotCycles = 16;

  /// `horizon` may be null and must otherwise outlive the calendar.
  OccupancyCalendar(const Horizon* horizon, std::uint32_t entries) : horizon_(horizon), entries_(entries), users_(64, 0) {}

  /// First cycle at or after `at` with `count` free entries (at most all): `at` itself, or the start of the first slot with them.
  Cycles firstFree(Cycles at, std::uint32_t count = 1) const {
    if (horizon_ && at < horizon_->now) at = horizon_->now;
    std::uint64_t slot = at / kSlotCycles;
    if (users(slot) + count <= entries_) return at;
    do ++slot;
    while (users(slot) + count > entries_);
    return slot * kSlotCycles;
  }

  /// Uses `count` entries in [start, end). Slots later than the first may go over the number of entries: they were free when they were taken.
  void occupy(Cycles start, Cycles end, std::uint32_t count = 1);
  std::uint32_t entries() const { return entries_; }

 private:
  std::uint32_t users(std::uint64_t slot) const { return slot < first_ || slot - first_ >= users_.size() ? 0 : users_[slot & (users_.size() - 1)]; }

  const Horizon* horizon_;
  std::uint32_t entries_;
  std::uint64_t first_ = 0;            ///< first slot of the window
  std::vector<std::uint32_t> users_;   ///< ring, a power of two
};

}  // namespace forerun::sim
