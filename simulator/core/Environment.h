//===- Environment.h - what a hart needs from the rest of the chip ---------===//
// The one interface between harts and everything around them: memory time, engines, synchronisation, launch.
// Functional mode and timing mode implement it; a hart knows neither SystemC nor the other units.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/kernel/Cycles.h"

#include <cstdint>
#include <string_view>

namespace forerun::sim {

struct HartId {
  std::uint32_t core = 0;
  std::uint32_t team = 0;  ///< hart within the core
};

/// Where a cycle of a hart goes; priority order of docs. `busy` and `idle` are counted apart.
enum class StallCause : std::uint8_t {
  Fetch,
  Branch,
  RawScalar,
  RawVector,
  Structural,
  Bank,
  Memory,
  QueueFull,
  Token,
  Barrier,
  Launch
};
inline constexpr std::size_t kStallCauseCount = 11;

/// Answer to a request that may have to wait. When `done` is false the hart blocks; the environment later calls
/// Hart::wake(at) and the hart retries the same instruction from cycle `at`.
struct Outcome {
  bool done = true;
  Cycles at = 0;            ///< cycle at which the result is known to the hart (>= now)
  std::uint64_t value = 0;  ///< token, phase, work item, test result
};

/// When a memory access is served, and what it waited for.
struct AccessTime {
  Cycles ready = 0;                       ///< loads: data available; stores: accepted
  StallCause cause = StallCause::Memory;  ///< Bank when a scratch bank conflict decided it, else Memory
};

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

class Environment {
 public:
  virtual ~Environment() = default;

  // Memory time (data moves through AddressSpace, not here). `bytes` is one scalar access or one contiguous run of a
  // vector access.
  virtual AccessTime access(HartId hart, std::uint64_t address, std::uint32_t bytes, AccessKind kind, Cycles now) = 0;

  // Engines and tokens.
  virtual Outcome issue(HartId hart, const Command& command, Cycles now) = 0;  ///< value = token; not done = queue full
  virtual Outcome waitToken(HartId hart, std::uint64_t token, Cycles now) = 0;
  virtual Outcome testToken(HartId hart, std::uint64_t token, Cycles now) = 0;  ///< value = 1 when complete

  // Synchronisation of one core, and semaphores of any core.
  virtual Outcome barrierInit(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now) = 0;
  virtual Outcome barrierArrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes,
                                Cycles now) = 0;  ///< value = phase
  virtual Outcome barrierWait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) = 0;
  virtual Outcome semaphoreAdd(HartId hart, std::uint64_t coreAndId, std::uint64_t amount, Cycles now) = 0;
  virtual Outcome semaphoreWait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) = 0;

  // Launch and identity.
  virtual Outcome nextWorkItem(HartId hart, Cycles now) = 0;                   ///< value = linear item or -1
  virtual std::uint64_t identity(HartId hart, std::uint32_t which) const = 0;  ///< xid; numbers in isa/Instructions.td
  virtual void mark(HartId hart, std::uint64_t id, bool begin, Cycles now) = 0;
  virtual void write(HartId hart, int fd, std::string_view text) = 0;  ///< host call 64
  virtual void exited(HartId hart, std::uint64_t code, Cycles now) = 0;
};

}  // namespace forerun::sim
