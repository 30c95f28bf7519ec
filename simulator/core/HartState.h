//===- HartState.h - everything a hart is, as plain data --------------------===//
// Architectural and timing state of one hart, which can be copied, compared and written to a checkpoint.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/core/Environment.h"
#include "simulator/core/Op.h"
#include "simulator/core/StreamBuffer.h"
#include "simulator/core/Timing.h"
#include "simulator/core/VectorState.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forerun::sim::core {

enum class HartStatus : std::uint8_t { NotStarted, Running, Blocked, Exited };

/// lr / sc. As in QEMU, sc succeeds when memory still holds what lr read (there is no monitor of other harts' stores).
struct Reservation {
  bool valid = false;
  std::uint8_t bytes = 0;
  std::uint64_t address = 0, value = 0;
};

/// Hart clock cycles by use. busy + all causes + idle = elapsed.
struct HartCycles {
  std::uint64_t busy = 0;  ///< cycles in which at least one instruction issued
  std::array<std::uint64_t, kStallCauseCount> stalls{};
  std::uint64_t idle = 0;  ///< before the start and after the end
};

struct HartState {
  // Architecture.
  std::array<std::uint64_t, 65> r{};  ///< x0..x31, f0..f31 (NaN-boxed), sink
  std::uint64_t pc = 0;
  std::uint8_t frm = 0, fflags = 0;
  VectorState vector;
  std::array<Descriptor, 32> descriptors{};
  Reservation reservation;
  HartStatus status = HartStatus::NotStarted;
  StallCause blockedOn = StallCause::Launch;
  std::uint64_t exitCode = 0;

  // Progress.
  std::uint64_t instructions = 0;
  Cycles now = 0;          ///< next cycle in which something may issue; timing-free mode: instructions retired
  std::uint64_t room = 0;  ///< free issue slots of cycle `now`, packed
  HartCycles cycles;

  // Scoreboard: cycle << 4 | StallCause of waiting, by register; vector registers apart.
  std::array<std::uint64_t, 65> ready{};
  std::array<timing::VectorReady, 32> vectorReady{};
  std::array<StallCause, 32> vectorCause{};
  Cycles dividerFree = 0, floatDividerFree = 0;
  Cycles enginePortFree = 0;     ///< when the last engine command has been handed over
  Cycles vectorConfigReady = 0;  ///< when vl and vtype are known
  Cycles vectorUnitFree = 0, vectorLoadFree = 0, vectorStoreFree = 0;
  Cycles storeAccepted = 0;  ///< of the last store outside tightly coupled memory
  StallCause storeCause = StallCause::Memory;
  Cycles accessesDone = 0;                  ///< when all loads and stores so far are complete
  std::vector<std::uint64_t> fetchedLines;  ///< instruction cache: line number + 1 in each slot
  StreamBuffer stream;                      ///< lines on their way to it

  std::uint64_t* x() { return r.data(); }
  std::uint64_t* f() { return r.data() + kFloatBase; }
};

}  // namespace forerun::sim::core
