//===- BankCalendar.h - which banks are taken in which cycle ----------------===//
// Like ReservationCalendar, for all banks of one memory at once: an access of a row of words books its banks in one
// operation.
#pragma once

#include "simulator/kernel/ReservationCalendar.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace forerun::sim {

/// Bit b of a mask is bank b (memories of more than 64 banks fold: bank b uses bit b % 64, and each bit then stands for
/// several ports). A request takes the first cycle at or after its own time in which every bank that it needs has a
/// free port (backfilling, see ReservationCalendar). `horizon` must outlive the calendar; what lies before it is
/// forgotten.
class BankCalendar {
 public:
  BankCalendar(const Horizon* horizon, std::uint32_t ports);

  /// Books one cycle for all banks of `mask`; returns that cycle.
  Cycles reserve(Cycles at, std::uint64_t mask) {
    // Most often there is one port a bank, and it is free when asked for.
    const Cycles cycle = std::max(clamped(at), base_);
    if (ports_ == 1 && cycle <= base_ + ringMask_) {
      std::uint64_t& taken = taken_[cycle & ringMask_];
      if ((taken & mask) == 0) {
        taken |= mask;
        clear_ = std::max(clear_, cycle + 1);
        return cycle;
      }
    }
    return reserveSlow(cycle, mask);
  }
  /// The cycle that `reserve` would return.
  Cycles probe(Cycles at, std::uint64_t mask) const;

 private:
  Cycles reserveSlow(Cycles at, std::uint64_t mask);
  void makeRoom(Cycles cycle);
  Cycles clamped(Cycles at) const { return horizon_ && at < horizon_->now ? horizon_->now : at; }

  const Horizon* horizon_;
  std::uint32_t ports_;
  /// Ring of cycles, `ports_` masks each: mask p of a cycle has the banks of which more than p ports are taken.
  std::vector<std::uint64_t> taken_;
  std::uint64_t ringMask_ = 0;
  Cycles base_ = 0;   ///< first cycle of the window
  Cycles clear_ = 0;  ///< every cycle of the window at or after it is free
};

}  // namespace forerun::sim
