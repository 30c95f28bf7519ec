//===- HartContext.h - what instruction handlers work on --------------------===//
// The state of a hart with its connections. Internal to the core folder: users see Hart.h.
#pragma once

#include "simulator/core/HartMemory.h"
#include "simulator/core/HartState.h"
#include "targets/TargetSpec.h"

namespace forerun::sim::core {

class CodeCache;

/// Why runUntil returned.
enum class RunReason : std::uint8_t {
  Quantum,      ///< the limit was reached
  Synchronize,  ///< the next instruction is a command, wait, atomic or fence and must run when this hart is the least
                ///< of all: call runUntil again then
  Blocked,      ///< waits for Hart::wake
  Exited
};

/// Ratio between the clock of a hart and the reference clock.
struct ClockRatio {
  std::uint64_t hartHz = 1, referenceHz = 1;
  Cycles toReference(Cycles hart) const { return scale(hart, referenceHz, hartHz); }
  Cycles toHart(Cycles reference) const { return scale(reference, hartHz, referenceHz); }

 private:
  static Cycles scale(Cycles cycles, std::uint64_t multiply, std::uint64_t divide) {
    if (multiply == divide || cycles == kNever) return cycles;
    return static_cast<Cycles>((static_cast<unsigned __int128>(cycles) * multiply + divide - 1) / divide);
  }
};

struct HartContext : HartState {
  HartContext(AddressSpace& space, HartId id) : memory(space, id.core, id.team), id(id) {}

  HartMemory memory;
  HartId id;
  Environment* environment = nullptr;
  CodeCache* code = nullptr;
  ClockRatio clock;
  targets::TeamSpec team;
  std::uint64_t fullRoom = 0;  ///< free slots of a fresh cycle

  // Of the current runUntil.
  const Op* resume = nullptr;  ///< where to go on, when `resumeGeneration` is still the cache's
  std::uint64_t resumeGeneration = 0;
  std::uint64_t entryInstructions = 0;  ///< instructions retired when runUntil was called
  Cycles entryNow = 0;
  RunReason reason = RunReason::Quantum;
  std::vector<MemoryRun> runs;  ///< scratch for vector memory accesses

  void stall(StallCause cause, Cycles count) { cycles.stalls[static_cast<std::size_t>(cause)] += count; }

  // Slow paths of the timing model. `room` other than full says that something issued in `now` already, which makes it
  // a busy cycle.
  Cycles stallOnSources(const Op* op, Cycles at, std::uint64_t& slotRoom);
  Cycles stallUntil(Cycles target, StallCause cause, Cycles at, std::uint64_t& slotRoom);

  /// Time of a load outside tightly coupled memory, as a scoreboard entry (cycle << 4 | cause).
  std::uint64_t loadReady(std::uint64_t address, std::uint32_t bytes, AccessKind kind, Cycles at);
  /// Books a store outside tightly coupled memory.
  void storeTime(std::uint64_t address, std::uint32_t bytes, Cycles at);
};

}  // namespace forerun::sim::core
