//===- Branch.cpp - control flow and the ends of blocks ---------------------===//
// Branches link to the ops of their targets at the first use, so that later runs never look anything up.
#include "simulator/core/CodeCache.h"
#include "simulator/core/instructions/BlockOps.h"
#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/InstructionTable.h"

namespace forerun::sim::core {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;

struct Equal {
  static bool apply(U64 a, U64 b) { return a == b; }
};
struct NotEqual {
  static bool apply(U64 a, U64 b) { return a != b; }
};
struct Less {
  static bool apply(U64 a, U64 b) { return static_cast<S64>(a) < static_cast<S64>(b); }
};
struct GreaterEqual {
  static bool apply(U64 a, U64 b) { return static_cast<S64>(a) >= static_cast<S64>(b); }
};
struct LessUnsigned {
  static bool apply(U64 a, U64 b) { return a < b; }
};
struct GreaterEqualUnsigned {
  static bool apply(U64 a, U64 b) { return a >= b; }
};

/// Goes to `next`, which begins a block; timing-free mode looks at its limit here only.
#define FORERUN_ENTER_BLOCK(Mode, next)                                      \
  if constexpr (!Mode::timed)                                                \
    if (now >= limit) [[unlikely]]                                           \
      return suspend<Mode>(hart, next, now, room, busy, RunReason::Quantum); \
  FORERUN_TAIL_CALL(next)

template <class Mode, class Condition>
void branch(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 2);
  const Op* next;
  if (Condition::apply(hart.r[op->rs1], hart.r[op->rs2])) {
    next = op->taken;
    if (!next) [[unlikely]] {
      mark<Mode>(hart, op, now, room, busy);
      next = op->taken = hart.code->find(static_cast<U64>(op->immediate));
      unmark<Mode>(hart, op);
    }
    delayIssue<Mode>(hart, op->takenPenalty, now, room);
  } else {
    next = op->following;
    if (!next) [[unlikely]] {
      mark<Mode>(hart, op, now, room, busy);
      next = op->following = hart.code->find(op->pc + op->length);
      unmark<Mode>(hart, op);
    }
    delayIssue<Mode>(hart, op->followingPenalty, now, room);
  }
  retireBlock<Mode>(hart, op->index + 1u, now);
  FORERUN_ENTER_BLOCK(Mode, next);
}

template <class Mode>
void jump(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 0);
  if (!op->taken) [[unlikely]] {
    mark<Mode>(hart, op, now, room, busy);
    op->taken = hart.code->find(static_cast<U64>(op->immediate));
    unmark<Mode>(hart, op);
  }
  hart.r[op->rd] = op->pc + op->length;
  result<Mode>(hart, op, now);
  delayIssue<Mode>(hart, op->takenPenalty, now, room);
  retireBlock<Mode>(hart, op->index + 1u, now);
  const Op* next = op->taken;
  FORERUN_ENTER_BLOCK(Mode, next);
}

template <class Mode>
void jumpRegister(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  const U64 target = (hart.r[op->rs1] + static_cast<U64>(op->immediate)) & ~U64{1};
  const Op* next = hart.code->recent(target);
  if (!next) [[unlikely]] {
    mark<Mode>(hart, op, now, room, busy);
    next = hart.code->find(target);
    unmark<Mode>(hart, op);
  }
  hart.r[op->rd] = op->pc + op->length;
  result<Mode>(hart, op, now);
  delayIssue<Mode>(hart, op->takenPenalty, now, room);
  retireBlock<Mode>(hart, op->index + 1u, now);
  FORERUN_ENTER_BLOCK(Mode, next);
}

/// The end of a block without a branch.
template <class Mode>
void continueBlock(FORERUN_HANDLER_PARAMETERS) {
  if (!op->following) [[unlikely]] {
    mark<Mode>(hart, op, now, room, busy);
    op->following = hart.code->find(op->pc);
    unmark<Mode>(hart, op);
  }
  retireBlock<Mode>(hart, op->index, now);
  const Op* next = op->following;
  FORERUN_ENTER_BLOCK(Mode, next);
}

/// Address 0, where the entry function returns to: the hart exits with code 0.
template <class Mode>
void exitAtZero(FORERUN_HANDLER_PARAMETERS) {
  hart.status = HartStatus::Exited;
  suspend<Mode>(hart, op, now, room, busy, RunReason::Exited);
}

/// The instruction cache.
void fetchLine(FORERUN_HANDLER_PARAMETERS) {
  std::uint64_t& held = hart.fetchedLines[op->latency];
  const U64 wanted = static_cast<U64>(op->immediate) + 1;
  if (held != wanted) [[unlikely]] {
    held = wanted;
    const Cycles start = now + (room != hart.fullRoom);
    const Cycles ready = hart.stream.take(static_cast<U64>(op->immediate), start, hart.team.icacheMissCycles,
                                          hart.team.icachePrefetchLines);
    if (ready > now) now = hart.stallUntil(ready, StallCause::Fetch, now, room);
  }
  FORERUN_TAIL_CALL(op + 1);
}

template <class Condition>
InstructionRecipe branchForm() {
  return {.format = OperandFormat::B,
          .endsBlock = true,
          .functional = branch<Functional, Condition>,
          .timed = branch<Timed, Condition>};
}

}  // namespace

Handler continueBlockHandler(bool timed) { return timed ? continueBlock<Timed> : continueBlock<Functional>; }
Handler exitAtZeroHandler(bool timed) { return timed ? exitAtZero<Timed> : exitAtZero<Functional>; }
Handler fetchLineHandler() { return fetchLine; }

void addBranchInstructions(InstructionTable& table) {
  table.add("BEQ", branchForm<Equal>());
  table.add("BNE", branchForm<NotEqual>());
  table.add("BLT", branchForm<Less>());
  table.add("BGE", branchForm<GreaterEqual>());
  table.add("BLTU", branchForm<LessUnsigned>());
  table.add("BGEU", branchForm<GreaterEqualUnsigned>());
  table.add("JAL",
            {.format = OperandFormat::J, .endsBlock = true, .functional = jump<Functional>, .timed = jump<Timed>});
  table.add("JALR", {.format = OperandFormat::I,
                     .endsBlock = true,
                     .functional = jumpRegister<Functional>,
                     .timed = jumpRegister<Timed>});
}

}  // namespace forerun::sim::core
