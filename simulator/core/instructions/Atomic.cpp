//===- Atomic.cpp - the A extension -----------------------------------------===//
// Harts run one at a time, so every read-modify-write is atomic; order against other harts comes from running only as
// the least hart.
#include "simulator/core/instructions/MemoryAccess.h"

namespace forerun::sim::core {
namespace {

struct Add {
  template <class T>
  static T apply(T memory, T source) {
    return memory + source;
  }
};
struct Swap {
  template <class T>
  static T apply(T, T source) {
    return source;
  }
};
struct And {
  template <class T>
  static T apply(T memory, T source) {
    return memory & source;
  }
};
struct Or {
  template <class T>
  static T apply(T memory, T source) {
    return memory | source;
  }
};
struct Xor {
  template <class T>
  static T apply(T memory, T source) {
    return memory ^ source;
  }
};
template <class T>
using Signed = std::make_signed_t<T>;
struct Min {
  template <class T>
  static T apply(T m, T s) {
    return static_cast<Signed<T>>(m) < static_cast<Signed<T>>(s) ? m : s;
  }
};
struct Max {
  template <class T>
  static T apply(T m, T s) {
    return static_cast<Signed<T>>(m) > static_cast<Signed<T>>(s) ? m : s;
  }
};
struct MinUnsigned {
  template <class T>
  static T apply(T m, T s) {
    return m < s ? m : s;
  }
};
struct MaxUnsigned {
  template <class T>
  static T apply(T m, T s) {
    return m > s ? m : s;
  }
};

template <class T>
std::uint64_t extend(T value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed<T>>(value)));
}

template <class Mode>
void atomicResult(HartContext& hart, const Op* op, const MemoryWindow& window, std::uint64_t address, unsigned bytes,
                  Cycles now) {
  if constexpr (Mode::timed)
    hart.ready[op->rd] =
        window.tightlyCoupled ? (now << 4) + op->latency : hart.loadReady(address, bytes, AccessKind::Atomic, now);
}

template <class Mode, class T, class Operation>
void atomic(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 2);
  commit<Mode>(hart, op, room, busy);
  const std::uint64_t address = hart.r[op->rs1];
  const MemoryWindow* window = fastWindow<Mode, T>(hart, op, address, now, room, busy);
  if (window->initialised) {
    checkInitialised<Mode>(hart, op, *window, address, sizeof(T), now, room, busy);
  }
  std::uint8_t* bytes = window->data + (address - window->base);
  T old;
  std::memcpy(&old, bytes, sizeof old);
  const T next = Operation::apply(old, static_cast<T>(hart.r[op->rs2]));
  std::memcpy(bytes, &next, sizeof next);
  hart.r[op->rd] = extend(old);
  atomicResult<Mode>(hart, op, *window, address, sizeof(T), now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode, class T>
void loadReserved(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 1);
  commit<Mode>(hart, op, room, busy);
  const std::uint64_t address = hart.r[op->rs1];
  const MemoryWindow* window = fastWindow<Mode, T>(hart, op, address, now, room, busy);
  if (window->initialised) checkInitialised<Mode>(hart, op, *window, address, sizeof(T), now, room, busy);
  T value;
  std::memcpy(&value, window->data + (address - window->base), sizeof value);
  hart.r[op->rd] = extend(value);
  hart.reservation = {true, sizeof(T), address, extend(value)};
  atomicResult<Mode>(hart, op, *window, address, sizeof(T), now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode, class T>
void storeConditional(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 2);
  commit<Mode>(hart, op, room, busy);
  const std::uint64_t address = hart.r[op->rs1];
  const MemoryWindow* window = fastWindow<Mode, T>(hart, op, address, now, room, busy);
  std::uint8_t* bytes = window->data + (address - window->base);
  T current;
  std::memcpy(&current, bytes, sizeof current);
  const Reservation held = hart.reservation;
  hart.reservation.valid = false;
  const bool success =
      held.valid && held.bytes == sizeof(T) && held.address == address && held.value == extend(current);
  if (success) {
    const T value = static_cast<T>(hart.r[op->rs2]);
    std::memcpy(bytes, &value, sizeof value);
    if (window->initialised) std::memset(window->initialised + (address - window->base), 1, sizeof(T));
  }
  hart.r[op->rd] = success ? 0 : 1;
  atomicResult<Mode>(hart, op, *window, address, sizeof(T), now);
  FORERUN_TAIL_CALL(op + 1);
}

InstructionRecipe recipe(Handler functional, Handler timed) {
  return {.format = OperandFormat::R,
          .slot = timing::Slot::Load,
          .latency = LatencyClass::Memory,
          .functional = functional,
          .timed = timed};
}

/// Acquire and release bits change nothing here: the handlers order all accesses.
void addOrders(InstructionTable& table, const std::string& name, const InstructionRecipe& r) {
  for (const char* suffix : {"", "_AQ", "_RL", "_AQRL"}) table.add(name + suffix, r);
}
template <class Operation>
void addOperation(InstructionTable& table, const std::string& name) {
  addOrders(table, name + "_W",
            recipe(atomic<Functional, std::uint32_t, Operation>, atomic<Timed, std::uint32_t, Operation>));
  addOrders(table, name + "_D",
            recipe(atomic<Functional, std::uint64_t, Operation>, atomic<Timed, std::uint64_t, Operation>));
}

}  // namespace

void addAtomicInstructions(InstructionTable& table) {
  addOperation<Add>(table, "AMOADD");
  addOperation<Swap>(table, "AMOSWAP");
  addOperation<And>(table, "AMOAND");
  addOperation<Or>(table, "AMOOR");
  addOperation<Xor>(table, "AMOXOR");
  addOperation<Min>(table, "AMOMIN");
  addOperation<Max>(table, "AMOMAX");
  addOperation<MinUnsigned>(table, "AMOMINU");
  addOperation<MaxUnsigned>(table, "AMOMAXU");
  addOrders(table, "LR_W", recipe(loadReserved<Functional, std::uint32_t>, loadReserved<Timed, std::uint32_t>));
  addOrders(table, "LR_D", recipe(loadReserved<Functional, std::uint64_t>, loadReserved<Timed, std::uint64_t>));
  addOrders(table, "SC_W", recipe(storeConditional<Functional, std::uint32_t>, storeConditional<Timed, std::uint32_t>));
  addOrders(table, "SC_D", recipe(storeConditional<Functional, std::uint64_t>, storeConditional<Timed, std::uint64_t>));
}

}  // namespace forerun::sim::core
