//===- OccupancyCalendar.cpp - how many entries of a buffer are in use ------===//
// A ring of counters that forgets slots before the horizon.
#include "simulator/kernel/OccupancyCalendar.h"

#include <algorithm>

namespace forerun::sim {

void OccupancyCalendar::occupy(Cycles start, Cycles end, std::uint32_t count) {
  if (end <= start) return;
  std::uint64_t from = std::max(start / kSlotCycles, first_), to = (end - 1) / kSlotCycles;
  if (to - first_ >= users_.size() && to >= first_) {
    if (horizon_ && horizon_->now / kSlotCycles > first_) {
      std::uint64_t keep = horizon_->now / kSlotCycles, drop = std::min<std::uint64_t>(keep - first_, users_.size());
      for (std::uint64_t i = 0; i < drop; ++i) users_[(first_ + i) & (users_.size() - 1)] = 0;
      first_ = keep;
      from = std::max(from, first_);
    }
    std::uint64_t size = users_.size();
    while (to >= first_ && to - first_ >= size) size *= 2;
    if (size != users_.size()) {
      std::vector<std::uint32_t> grown(size, 0);
      for (std::uint64_t i = 0; i < users_.size(); ++i) grown[(first_ + i) & (size - 1)] = users_[(first_ + i) & (users_.size() - 1)];
      users_ = std::move(grown);
    }
  }
  // At most two stretches of the ring.
  while (from <= to) {
    std::uint64_t first = from & (users_.size() - 1), length = std::min(to - from + 1, users_.size() - first);
    std::uint32_t* users = &users_[first];
    for (std::uint64_t i = 0; i < length; ++i) users[i] += count;
    from += length;
  }
}

}  // namespace forerun::sim
