//===- Memory.cpp - scalar loads and stores ---------------------------------===//
// Bounds, alignment and initialisation are checked here, on every access.
#include "simulator/core/instructions/MemoryAccess.h"

namespace forerun::sim::core {
namespace {

template <class T>
std::uint64_t boxed(T bits) {
  if constexpr (sizeof(T) == 8)
    return bits;
  else
    return ~std::uint64_t{0} << (8 * sizeof(T)) | bits;
}
struct Extend {  // sign or zero by the type
  template <class T>
  static std::uint64_t apply(T value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
};
struct Box {
  template <class T>
  static std::uint64_t apply(T value) {
    return boxed(value);
  }
};

template <class Mode, class T, class Widen>
void load(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  const std::uint64_t address = hart.r[op->rs1] + static_cast<std::uint64_t>(op->immediate);
  const MemoryWindow* window = fastWindow<Mode, T>(hart, op, address, now, room, busy);
  if (window->initialised) [[unlikely]]
    checkInitialised<Mode>(hart, op, *window, address, sizeof(T), now, room, busy);
  T value;
  std::memcpy(&value, window->data + (address - window->base), sizeof value);
  hart.r[op->rd] = Widen::apply(value);
  if constexpr (Mode::timed) {
    if (window->tightlyCoupled) [[likely]]
      hart.ready[op->rd] = (now << 4) + op->latency;
    else
      hart.ready[op->rd] = hart.loadReady(address, sizeof(T), AccessKind::Load, now);
  }
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode, class T>
void store(FORERUN_HANDLER_PARAMETERS) {
  if constexpr (Mode::timed) {
    if (hart.storeAccepted > now)
        [[unlikely]] {  // the buffer of one entry; waits even when this one turns out to be tightly coupled
      now = hart.stallOnSources(op, now, room);
      now = hart.stallUntil(hart.storeAccepted, hart.storeCause, now, room);
    }
  }
  FORERUN_ISSUE(Mode, 2);
  const std::uint64_t address = hart.r[op->rs1] + static_cast<std::uint64_t>(op->immediate);
  const MemoryWindow* window = fastWindow<Mode, T>(hart, op, address, now, room, busy);
  const std::uint64_t offset = address - window->base;
  if (window->initialised) [[unlikely]]
    std::memset(window->initialised + offset, 1, sizeof(T));
  const T value = static_cast<T>(hart.r[op->rs2]);
  std::memcpy(window->data + offset, &value, sizeof value);
  if constexpr (Mode::timed)
    if (!window->tightlyCoupled) [[unlikely]]
      hart.storeTime(address, sizeof(T), now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class T, class Widen>
InstructionRecipe loadForm(std::uint8_t floats = 0) {
  return {.format = OperandFormat::I,
          .slot = timing::Slot::Load,
          .latency = LatencyClass::Memory,
          .floatOperands = floats,
          .functional = load<Functional, T, Widen>,
          .timed = load<Timed, T, Widen>};
}
template <class T>
InstructionRecipe storeForm(std::uint8_t floats = 0) {
  return {.format = OperandFormat::S,
          .slot = timing::Slot::Store,
          .floatOperands = floats,
          .functional = store<Functional, T>,
          .timed = store<Timed, T>};
}

}  // namespace

void failMisaligned(std::uint64_t address, unsigned bytes) {
  throw Error(
      ErrorKind::IllegalProgram,
      llvm::formatv("misaligned access of {0} bytes at address {1:x}; scalar accesses must be naturally aligned", bytes,
                    address)
          .str());
}

void addMemoryInstructions(InstructionTable& table) {
  table.add("LB", loadForm<std::int8_t, Extend>());
  table.add("LH", loadForm<std::int16_t, Extend>());
  table.add("LW", loadForm<std::int32_t, Extend>());
  table.add("LD", loadForm<std::int64_t, Extend>());
  table.add("LBU", loadForm<std::uint8_t, Extend>());
  table.add("LHU", loadForm<std::uint16_t, Extend>());
  table.add("LWU", loadForm<std::uint32_t, Extend>());
  table.add("FLH", loadForm<std::uint16_t, Box>(kFloatRd));
  table.add("FLW", loadForm<std::uint32_t, Box>(kFloatRd));
  table.add("FLD", loadForm<std::uint64_t, Box>(kFloatRd));
  table.add("SB", storeForm<std::uint8_t>());
  table.add("SH", storeForm<std::uint16_t>());
  table.add("SW", storeForm<std::uint32_t>());
  table.add("SD", storeForm<std::uint64_t>());
  table.add("FSH", storeForm<std::uint16_t>(kFloatRs2));
  table.add("FSW", storeForm<std::uint32_t>(kFloatRs2));
  table.add("FSD", storeForm<std::uint64_t>(kFloatRs2));
}

}  // namespace forerun::sim::core
