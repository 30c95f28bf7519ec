//===- MemoryAccess.h - finding the bytes of a scalar access ----------------===//
// Shared by loads, stores and atomics.
#pragma once

#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/InstructionTable.h"
#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

namespace forerun::sim::core {

[[noreturn]] void failMisaligned(std::uint64_t address, unsigned bytes);

/// Checks alignment and mapping, out of line: notes where the hart is, because both may throw.
template <class Mode, class T>
[[gnu::noinline]] const MemoryWindow* slowWindow(HartContext& hart, const Op* op, std::uint64_t address, Cycles now,
                                                 std::uint64_t room, std::uint64_t busy) {
  mark<Mode>(hart, op, now, room, busy);
  if (address % sizeof(T)) failMisaligned(address, sizeof(T));
  const MemoryWindow& window = hart.memory.find(address, sizeof(T));
  unmark<Mode>(hart, op);
  return &window;
}
template <class Mode, class T>
[[gnu::always_inline]] inline const MemoryWindow* fastWindow(HartContext& hart, const Op* op, std::uint64_t address,
                                                             Cycles now, std::uint64_t room, std::uint64_t busy) {
  const MemoryWindow* window = hart.memory.recent(address);
  if (window->bytes - sizeof(T) < address - window->base || address % sizeof(T)) [[unlikely]]
    return slowWindow<Mode, T>(hart, op, address, now, room, busy);
  return window;
}
template <class Mode>
[[gnu::noinline]] void checkInitialised(HartContext& hart, const Op* op, const MemoryWindow& window,
                                        std::uint64_t address, std::uint32_t bytes, Cycles now, std::uint64_t room,
                                        std::uint64_t busy) {
  mark<Mode>(hart, op, now, room, busy);
  HartMemory::requireInitialised(window, address, bytes);
  unmark<Mode>(hart, op);
}

}  // namespace forerun::sim::core
