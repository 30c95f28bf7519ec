//===- CommandQueue.h - commands of one queue, from issue to retirement ------===//
// A queue starts and retires in order; tokens are its sequence numbers.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/core/Environment.h"
#include "simulator/kernel/HostWork.h"
#include "simulator/scratchpad/EngineMemory.h"
#include "simulator/scratchpad/RaceTracker.h"
#include "simulator/scratchpad/StridedBox.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace forerun::sim::engine {

inline constexpr std::uint64_t kSequenceBits = 56;
constexpr std::uint64_t makeToken(std::uint32_t queue, std::uint64_t sequence) {
  return (std::uint64_t{queue} << kSequenceBits) | sequence;
}
constexpr std::uint32_t tokenQueue(std::uint64_t token) { return static_cast<std::uint32_t>(token >> kSequenceBits); }
constexpr std::uint64_t tokenSequence(std::uint64_t token) { return token & ((std::uint64_t{1} << kSequenceBits) - 1); }

/// Bytes that a command reads and writes, in canonical addresses.
struct Footprint {
  std::vector<StridedBox> reads, writes;
};
/// Some byte that one writes is read or written by the other.
bool conflicts(const Footprint& a, const Footprint& b);
Footprint footprintOf(const Command& command, const EngineMemory& memory);

/// "xdma.copy", "xmm.run"...
const char* mnemonic(CommandKind kind);

struct QueuedCommand {
  Command command;
  HartId issuer;
  std::uint64_t sequence = 0;
  std::uint64_t order = 0;  ///< over all commands of the core, for accounts
  Cycles arrival = 0;       ///< handed over by the hart
  Cycles ready = 0;         ///< start-up done; set when it reaches the head
  Cycles start = 0;
  Cycles finish = kNever;  ///< set by the engine when known
  std::uint64_t creditBytes = 0;
  HostWork::Ticket arithmetic = 0;  ///< done before it retires
  Footprint footprint;
  RaceParty party;
};

/// One queue of an engine. `entries` are the commands that have not retired, oldest first; the first `started` of them
/// run.
struct CommandQueue {
  std::uint32_t number = 0;  ///< over the queues of the core: the queue field of tokens
  std::uint32_t depth = 1;   ///< commands that wait to start
  std::deque<QueuedCommand> entries;
  std::size_t started = 0;
  std::uint64_t issued = 0, retired = 0;
  Cycles headSince = 0;                  ///< the last start
  std::vector<std::uint64_t> lastAfter;  ///< order knowledge of the newest command (RaceParty::after)

  bool full() const { return entries.size() - started >= depth; }
  QueuedCommand* head() { return started < entries.size() ? &entries[started] : nullptr; }
};

}  // namespace forerun::sim::engine
