//===- Hart.h - one hardware thread -----------------------------------------===//
// Executes a program, in functional or in timing mode, up to a limit; whoever owns it decides when it runs.
#pragma once

#include "simulator/core/CodeCache.h"
#include "simulator/core/Environment.h"
#include "simulator/core/HartContext.h"
#include "simulator/memory/AddressSpace.h"

#include <cstdint>
#include <memory>

namespace forerun::sim::core {

struct RunResult {
  RunReason reason = RunReason::Quantum;
  StallCause blockedOn = StallCause::Token;  ///< when Blocked
};

class Hart {
 public:
  /// All references outlive the hart; `code` is shared by all harts of one team kind and decides the mode. Times at
  /// this interface are in reference cycles.
  Hart(HartId id, const targets::TeamSpec& team, ClockRatio clock, AddressSpace& space, Environment& environment,
       CodeCache& code);
  ~Hart();
  Hart(const Hart&) = delete;
  Hart& operator=(const Hart&) = delete;

  struct Start {
    std::uint64_t pc = 0, a0 = 0, a1 = 0, sp = 0;
  };
  /// Resets all state; the hart may issue from cycle `at`. Time before counts as stall cause launch.
  void start(const Start& start, Cycles at);

  /// Runs until `limit` (> now()), or until something else stops it. Functional mode: `limit` counts retired
  /// instructions of this hart and is looked at between basic blocks. Throws sim::Error with component, cycle, pc and
  /// instruction filled in.
  RunResult runUntil(Cycles limit);

  /// Ends a block: the instruction that blocked is retried in cycle `at`.
  void wake(Cycles at);

  /// First reference cycle in which the hart may issue again (functional: instructions retired). The elapsed time once
  /// it has exited.
  Cycles now() const;
  HartStatus status() const;
  std::uint64_t exitCode() const;
  std::uint64_t pc() const;
  std::uint64_t instructions() const;
  /// Use of all hart clock cycles up to reference cycle `elapsed` (>= now()); the parts sum to `hartCycles(elapsed)`
  /// exactly, else ModelBug is thrown.
  HartCycles cycles(Cycles elapsed) const;
  Cycles hartCycles(Cycles reference) const;

  /// Whether reads of scratch and accumulator bytes that were never written are errors (default). Off also stops this
  /// hart's stores from marking bytes as written, so it must be off for everyone or no one.
  void checkInitialised(bool on);

  /// Plain data: may be copied out and back (checkpoints, tests).
  const HartState& state() const;
  void restore(const HartState& state);

 private:
  std::unique_ptr<HartContext> context_;
};

}  // namespace forerun::sim::core
