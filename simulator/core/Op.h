//===- Op.h - a decoded instruction in the decode cache ---------------------===//
// What the dispatch loop works on: a handler and everything it needs, extracted once.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <cstdint>

namespace forerun::sim::core {

struct HartContext;
struct Op;

/// Runs one op and tail-calls the next. The simulated cycle, the packed free slots of the cycle and the busy cycles
/// travel in host registers; timing-free mode counts retired instructions in `now` and ignores `room` and `busy`.
/// Returns to runUntil when the hart stops.
using Handler = void (*)(HartContext& hart, const Op* op, Cycles now, std::uint64_t room, std::uint64_t busy,
                         Cycles limit);

/// Register numbers index HartState::r: 0..31 integer, 32..63 floating point, 64 a sink for writes of x0. Unused
/// sources are 0.
struct alignas(64) Op {
  Handler handler = nullptr;
  std::uint64_t pc = 0;
  std::int64_t immediate = 0;  ///< immediate, absolute target of branches, encoding of Xfr, line number of fetch ops
  std::uint64_t slots = 0;     ///< issue slots taken, packed as in Timing.h
  mutable const Op* taken = nullptr;  ///< branches: ops at the target, filled at the first use
  union {
    mutable const Op* following = nullptr;  ///< branches and block ends: ops at the next address
    const void* detail;                     ///< DecodedVector, decoded Xfr
  };
  std::uint32_t latency = 0;                             ///< cycles from issue to result << 4 | cause of waiting for it
  std::uint16_t takenPenalty = 0, followingPenalty = 0;  ///< branches: delay of the next issue
  std::uint16_t index = 0;                               ///< instructions before this one in its block
  std::uint8_t length = 0;                               ///< bytes
  std::uint8_t rounding =
      0;  ///< rm field; 7 = frm. Vector: the SEW that the team does not support in this instruction, or 0
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
};
static_assert(sizeof(Op) == 64);

inline constexpr std::uint8_t kFloatBase = 32, kSink = 64;

}  // namespace forerun::sim::core
