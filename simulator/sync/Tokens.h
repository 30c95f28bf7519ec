//===- Tokens.h - which commands of a core have retired ----------------------===//
// Gives out tokens when commands are queued and answers waits for them.
#pragma once

#include "simulator/sync/Wake.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace forerun::sim::sync {

/// Tokens are (queue << 56) | sequence, sequences from 1 (docs/machine-contract.md). Each queue retires in order; a
/// hart sees a retirement tokenCycles after it. Throws IllegalProgram for tokens that this core never gave out.
class Tokens {
 public:
  /// `queueNames` of all queues of the core, in the order of the contract: "dma0.0", "matrix"...
  Tokens(const targets::SyncSpec& spec, std::vector<std::string> queueNames);

  /// The token of the next command of a queue.
  std::uint64_t issue(std::uint32_t queue);
  /// The oldest command of the queue that has not retired does so at `now` (never before its predecessor).
  void retire(std::uint32_t queue, Cycles now, std::vector<Wake>& woken);

  Outcome wait(HartId hart, std::uint64_t token, Cycles now);
  /// value = 1 when complete by `now`.
  Outcome test(std::uint64_t token, Cycles now);
  /// For a command that starts after a token: cycle of retirement, kNever while unknown; 0 for token 0. Counts as
  /// waited for.
  Cycles retiredAt(std::uint64_t token);

  std::uint64_t issued(std::uint32_t queue) const { return queues_[queue].issued; }
  std::uint64_t retired(std::uint32_t queue) const { return queues_[queue].retired; }
  /// A command was announced to a barrier: somebody can know of it without its token.
  void tie(std::uint64_t token) { note(token); }
  /// Commands of a queue that nobody waited for, directly or through a later command of the queue.
  std::uint64_t neverWaitedFor(std::uint32_t queue) const { return queues_[queue].issued - queues_[queue].waited; }
  const std::string& name(std::uint32_t queue) const { return queues_[queue].name; }
  std::uint32_t queues() const { return static_cast<std::uint32_t>(queues_.size()); }

  void describe(std::vector<Waiting>& waiting) const;

  static constexpr std::uint32_t queueOf(std::uint64_t token) { return static_cast<std::uint32_t>(token >> 56); }
  static constexpr std::uint64_t sequenceOf(std::uint64_t token) { return token & ((std::uint64_t{1} << 56) - 1); }

 private:
  static constexpr std::size_t kRemembered = 1024;  ///< retirements kept with their time; older ones are long past
  struct Waiter {
    HartId hart;
    std::uint64_t sequence;
    Cycles since;
  };
  struct Queue {
    std::string name;
    std::uint64_t issued = 0, retired = 0, waited = 0;
    std::deque<Cycles> times;  ///< of the last retirements
    std::vector<Waiter> waiters;
  };

  Queue& find(std::uint64_t token);
  static Cycles time(const Queue& queue, std::uint64_t sequence);
  void note(std::uint64_t token);

  targets::SyncSpec spec_;
  std::vector<Queue> queues_;
};

}  // namespace forerun::sim::sync
