//===- Semaphores.h - the semaphores of one core -----------------------------===//
// Counters of credits that only grow, and harts that wait for a value.
#pragma once

#include "simulator/sync/Wake.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::sync {

/// An addition counts semaphoreCycles after it reaches this core (the way over the network is the caller's). A wait for
/// n is done when the additions that count by then sum to at least n, whatever the order in which they were made known.
/// Values are modulo 2^64.
class Semaphores {
 public:
  explicit Semaphores(const targets::SyncSpec& spec) : spec_(spec), semaphores_(spec.semaphores) {}

  void add(std::uint64_t id, std::uint64_t amount, Cycles now, std::vector<Wake>& woken);
  Outcome wait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now);
  /// Sum of all additions made known so far.
  std::uint64_t value(std::uint64_t id) const { return semaphores_.at(id).total; }

  void describe(std::vector<Waiting>& waiting) const;

 private:
  static constexpr std::size_t kRemembered = 64;  ///< additions kept with their time; older ones count as one
  struct Addition {
    Cycles at;
    std::uint64_t amount;
  };
  struct Waiter {
    HartId hart;
    std::uint64_t atLeast;
    Cycles since;
  };
  struct Semaphore {
    std::uint64_t total = 0;
    Addition folded{0, 0};
    std::vector<Addition> recent;  ///< by time
    std::vector<Waiter> waiters;
  };

  Semaphore& find(std::uint64_t id, const char* instruction);
  static Cycles reachedAt(const Semaphore& semaphore, std::uint64_t atLeast);

  targets::SyncSpec spec_;
  std::vector<Semaphore> semaphores_;
};

}  // namespace forerun::sim::sync
