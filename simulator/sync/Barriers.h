//===- Barriers.h - the barriers of one core ---------------------------------===//
// Phases that complete when harts have arrived and engines have delivered the bytes that were announced.
#pragma once

#include "simulator/sync/Wake.h"
#include "targets/TargetSpec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forerun::sim::sync {

/// Phase p of a barrier is complete, for whoever waits, barrierCycles after the last event that it needed: `count`
/// arrivals, and as many bytes credited as the arrivals announced. Credits may come before the arrival that announces
/// them; they count for the phase that is open. The barrier that completes opens the next phase at once. Throws
/// IllegalProgram for barriers that do not exist or were not set up.
class Barriers {
 public:
  explicit Barriers(const targets::SyncSpec& spec) : spec_(spec), barriers_(spec.barriers) {}

  Outcome init(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now);
  /// value = the phase arrived at; known at once.
  Outcome arrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes, Cycles now, std::vector<Wake>& woken);
  /// Not done: the hart is entered as waiting and will be in `woken` of the call that completes the phase.
  Outcome wait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now);
  /// An engine has delivered `bytes` at `now`.
  void credit(std::uint64_t id, std::uint64_t bytes, Cycles now, std::vector<Wake>& woken);

  void describe(std::vector<Waiting>& waiting) const;

 private:
  static constexpr std::uint64_t kRemembered =
      4;  ///< phases whose time of completion is kept; older ones are long past
  struct Waiter {
    HartId hart;
    std::uint64_t phase;
    Cycles since;
  };
  struct Barrier {
    bool ready = false;
    std::uint64_t count = 0, phase = 0;
    std::uint64_t arrived = 0, expected = 0, credited = 0;  ///< in the open phase
    Cycles latest = 0;                                      ///< event of the open phase
    std::array<Cycles, kRemembered> completeAt{};
    std::vector<Waiter> waiters;
  };

  Barrier& find(std::uint64_t id, const char* instruction, bool mustBeReady);
  void complete(Barrier& barrier, std::vector<Wake>& woken);

  targets::SyncSpec spec_;
  std::vector<Barrier> barriers_;
};

}  // namespace forerun::sim::sync
