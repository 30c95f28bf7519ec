//===- StallAccount.h - where every cycle of a unit went --------------------===//
// Splits the time of one unit into busy, stall causes and idle without gaps or overlaps, so that the parts sum to the
// total.
#pragma once

#include "simulator/kernel/Cycles.h"
#include "simulator/kernel/Error.h"

#include <array>
#include <string>

namespace forerun::sim {

/// Account of one unit; `Cause` is an enum with values 0 .. kCauses - 1. A cursor marks how far cycles are accounted:
/// the first to account for a cycle owns it (of overlapped commands, the older), so calls for cycles before the cursor
/// change nothing.
template <class Cause, std::size_t kCauses>
class StallAccount {
 public:
  void busyUntil(Cycles end) { busy_ += take(end); }
  void stallUntil(Cause cause, Cycles end) { stalls_[static_cast<std::size_t>(cause)] += take(end); }
  void idleUntil(Cycles end) { idle_ += take(end); }

  /// Adds durations that the caller accounts in time order itself; moves the cursor as well.
  void addBusy(Cycles cycles) { busyUntil(cursor_ + cycles); }
  void addStall(Cause cause, Cycles cycles) { stallUntil(cause, cursor_ + cycles); }

  Cycles accountedTo() const { return cursor_; }
  Cycles busy() const { return busy_; }
  Cycles idle() const { return idle_; }
  Cycles stalled(Cause cause) const { return stalls_[static_cast<std::size_t>(cause)]; }

  /// Ends the account at `cycles`: the rest is idle. Throws ModelBug when the parts do not sum to `cycles`.
  void finish(Cycles cycles, const std::string& component) {
    idleUntil(cycles);
    Cycles sum = busy_ + idle_;
    for (Cycles stall : stalls_) sum += stall;
    if (sum == cycles) return;
    Error error(ErrorKind::ModelBug,
                "busy, stalls and idle are " + std::to_string(sum) + " cycles of " + std::to_string(cycles));
    error.component = component;
    error.cycle = cycles;
    throw error;
  }

 private:
  Cycles take(Cycles end) {
    if (end <= cursor_) return 0;
    Cycles taken = end - cursor_;
    cursor_ = end;
    return taken;
  }

  Cycles cursor_ = 0, busy_ = 0, idle_ = 0;
  std::array<Cycles, kCauses> stalls_{};
};

}  // namespace forerun::sim
