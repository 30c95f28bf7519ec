//===- Execute.h - the frame that all instruction handlers share ------------===//
// Issue, accounting and dispatch, written once for both modes; a group's handlers add only what their instructions do.
#pragma once

#include "simulator/core/HartContext.h"
#include "simulator/core/Timing.h"

#include <algorithm>
#include <bit>

// The parameters and arguments of every handler: a tail call needs them to match exactly.
#define FORERUN_HANDLER_PARAMETERS \
  HartContext &hart, const Op *op, Cycles now, std::uint64_t room, std::uint64_t busy, Cycles limit
#define FORERUN_TAIL_CALL(target) [[clang::musttail]] return (target)->handler(hart, (target), now, room, busy, limit)

namespace forerun::sim::core {

struct Functional {
  static constexpr bool timed = false;
};
struct Timed {
  static constexpr bool timed = true;
};

/// Leaves the dispatch loop before `op`: all state goes back into the context.
inline void save(HartContext& hart, const Op* op, Cycles now, std::uint64_t room, std::uint64_t busy, bool timed) {
  hart.resume = op;
  hart.pc = op->pc;
  hart.room = room;
  hart.cycles.busy = busy;
  if (timed) {
    hart.now = now;
    hart.instructions += op->index;
  } else {
    hart.now = now + op->index;
  }
}
template <class Mode>
[[gnu::noinline]] void suspend(HartContext& hart, const Op* op, Cycles now, std::uint64_t room, std::uint64_t busy,
                               RunReason reason) {
  save(hart, op, now, room, busy, Mode::timed);
  hart.reason = reason;
}
/// Notes where execution is before something that may throw; `unsave` takes it back when nothing was thrown.
template <class Mode>
void mark(HartContext& hart, const Op* op, Cycles now, std::uint64_t room, std::uint64_t busy) {
  save(hart, op, now, room, busy, Mode::timed);
}
template <class Mode>
void unmark(HartContext& hart, const Op* op) {
  if constexpr (Mode::timed) hart.instructions -= op->index;
}

/// Ends the hart with `op`, which has issued.
template <class Mode>
void finish(HartContext& hart, const Op* op, std::uint64_t exitCode, Cycles now, std::uint64_t room,
            std::uint64_t busy) {
  save(hart, op, now, room, busy, Mode::timed);
  (Mode::timed ? hart.instructions : hart.now) += 1;
  hart.status = HartStatus::Exited;
  hart.exitCode = exitCode;
  hart.reason = RunReason::Exited;
}

/// Waits for the sources and a slot. False when that is not before `limit`: the caller suspends.
template <class Mode, int kSources>
[[gnu::always_inline]] inline bool prepare(HartContext& hart, const Op* op, Cycles& now, std::uint64_t& room,
                                           Cycles limit) {
  if constexpr (Mode::timed) {
    if constexpr (kSources > 0) {
      std::uint64_t ready = hart.ready[op->rs1], others = 0;  // the latest source; the latest of the others
      if constexpr (kSources > 1) {
        const std::uint64_t second = hart.ready[op->rs2];
        others = std::min(ready, second);
        ready = std::max(ready, second);
      }
      if constexpr (kSources > 2) {
        const std::uint64_t third = hart.ready[op->rs3];
        others = std::max(others, std::min(ready, third));
        ready = std::max(ready, third);
      }
      if ((ready >> 4) > now) {
        if ((others >> 4) <= now) {  // one source alone owns the wait
          hart.cycles.stalls[ready & 15] += (ready >> 4) - now - (room != hart.fullRoom);
          now = ready >> 4;
          room = hart.fullRoom;
        } else {
          now = hart.stallOnSources(op, now, room);
        }
      }
    }
    if (!timing::slotsFit(room, op->slots)) {
      ++now;
      room = hart.fullRoom;
    }
    return now < limit;
  }
  return true;
}
/// Takes the slot.
template <class Mode>
[[gnu::always_inline]] inline void commit(HartContext& hart, const Op* op, std::uint64_t& room, std::uint64_t& busy) {
  if constexpr (Mode::timed) {
    busy += room == hart.fullRoom;
    room -= op->slots;
  }
}
/// The result of rd is there after the latency of the op.
template <class Mode>
[[gnu::always_inline]] inline void result(HartContext& hart, const Op* op, Cycles now) {
  if constexpr (Mode::timed) hart.ready[op->rd] = (now << 4) + op->latency;
}

/// Waits for sources and a slot and issues, or leaves the handler.
#define FORERUN_ISSUE(Mode, sources)                                     \
  if (!prepare<Mode, sources>(hart, op, now, room, limit)) [[unlikely]]  \
    return suspend<Mode>(hart, op, now, room, busy, RunReason::Quantum); \
  commit<Mode>(hart, op, room, busy)

/// As FORERUN_ISSUE for instructions that other harts or engines can see: they run only as the first of a quantum, when
/// this hart is the least.
#define FORERUN_ISSUE_SYNCHRONIZED(Mode, sources)                        \
  if (!prepare<Mode, sources>(hart, op, now, room, limit)) [[unlikely]]  \
    return suspend<Mode>(hart, op, now, room, busy, RunReason::Quantum); \
  if (!isFirst<Mode>(hart, op, now)) return suspend<Mode>(hart, op, now, room, busy, RunReason::Synchronize)

template <class Mode>
bool isFirst(const HartContext& hart, const Op* op, Cycles now) {
  if constexpr (Mode::timed) return hart.instructions + op->index == hart.entryInstructions && now == hart.entryNow;
  return now + op->index == hart.entryInstructions;
}

/// At the end of a block: counts its instructions.
template <class Mode>
[[gnu::always_inline]] inline void retireBlock(HartContext& hart, std::uint32_t count, Cycles& now) {
  if constexpr (Mode::timed)
    hart.instructions += count;
  else
    now += count;
}
/// Delays the next issue to `penalty` cycles after this one.
template <class Mode>
[[gnu::always_inline]] inline void delayIssue(HartContext& hart, std::uint32_t penalty, Cycles& now,
                                              std::uint64_t& room) {
  if constexpr (Mode::timed) {
    if (penalty == 0) return;
    hart.stall(StallCause::Branch, penalty - 1);
    now += penalty;
    room = hart.fullRoom;
  }
}

}  // namespace forerun::sim::core
