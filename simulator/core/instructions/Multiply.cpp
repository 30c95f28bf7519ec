//===- Multiply.cpp - the M extension ---------------------------------------===//
// Division by zero and overflow have defined results in RISC-V and never trap.
#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/InstructionTable.h"

#include <limits>

namespace forerun::sim::core {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;
using S32 = std::int32_t;
using U32 = std::uint32_t;

template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(a));
  return a / b;
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return a % b;
}
U64 extend(S32 value) { return static_cast<U64>(static_cast<S64>(value)); }

struct Mul {
  static U64 apply(U64 a, U64 b) { return a * b; }
};
struct MulWord {
  static U64 apply(U64 a, U64 b) { return extend(static_cast<S32>(a * b)); }
};
struct MulHigh {
  static U64 apply(U64 a, U64 b) {
    return static_cast<U64>(static_cast<__int128>(static_cast<S64>(a)) * static_cast<S64>(b) >> 64);
  }
};
struct MulHighUnsigned {
  static U64 apply(U64 a, U64 b) { return static_cast<U64>(static_cast<unsigned __int128>(a) * b >> 64); }
};
struct MulHighMixed {
  static U64 apply(U64 a, U64 b) {
    return static_cast<U64>(static_cast<__int128>(static_cast<S64>(a)) * static_cast<__int128>(b) >> 64);
  }
};
struct Div {
  static U64 apply(U64 a, U64 b) { return static_cast<U64>(divide(static_cast<S64>(a), static_cast<S64>(b))); }
};
struct DivUnsigned {
  static U64 apply(U64 a, U64 b) { return divide(a, b); }
};
struct Rem {
  static U64 apply(U64 a, U64 b) { return static_cast<U64>(remainder(static_cast<S64>(a), static_cast<S64>(b))); }
};
struct RemUnsigned {
  static U64 apply(U64 a, U64 b) { return remainder(a, b); }
};
struct DivWord {
  static U64 apply(U64 a, U64 b) { return extend(divide(static_cast<S32>(a), static_cast<S32>(b))); }
};
struct DivUnsignedWord {
  static U64 apply(U64 a, U64 b) { return extend(static_cast<S32>(divide(static_cast<U32>(a), static_cast<U32>(b)))); }
};
struct RemWord {
  static U64 apply(U64 a, U64 b) { return extend(remainder(static_cast<S32>(a), static_cast<S32>(b))); }
};
struct RemUnsignedWord {
  static U64 apply(U64 a, U64 b) {
    return extend(static_cast<S32>(remainder(static_cast<U32>(a), static_cast<U32>(b))));
  }
};

template <class Mode, class Operation>
void multiply(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 2);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], hart.r[op->rs2]);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

/// The divider is not pipelined.
template <class Mode, class Operation>
void divideUnit(FORERUN_HANDLER_PARAMETERS) {
  if constexpr (Mode::timed) {
    if (hart.dividerFree > now) {
      now = hart.stallOnSources(op, now, room);
      now = hart.stallUntil(hart.dividerFree, StallCause::Structural, now, room);
    }
  }
  FORERUN_ISSUE(Mode, 2);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], hart.r[op->rs2]);
  result<Mode>(hart, op, now);
  if constexpr (Mode::timed) hart.dividerFree = now + (op->latency >> 4);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Operation>
InstructionRecipe multiplyForm() {
  return {.format = OperandFormat::R,
          .latency = LatencyClass::Mul,
          .functional = multiply<Functional, Operation>,
          .timed = multiply<Timed, Operation>};
}
template <class Operation>
InstructionRecipe divideForm() {
  return {.format = OperandFormat::R,
          .latency = LatencyClass::Div,
          .functional = divideUnit<Functional, Operation>,
          .timed = divideUnit<Timed, Operation>};
}

}  // namespace

void addMultiplyInstructions(InstructionTable& table) {
  table.add("MUL", multiplyForm<Mul>());
  table.add("MULW", multiplyForm<MulWord>());
  table.add("MULH", multiplyForm<MulHigh>());
  table.add("MULHU", multiplyForm<MulHighUnsigned>());
  table.add("MULHSU", multiplyForm<MulHighMixed>());
  table.add("DIV", divideForm<Div>());
  table.add("DIVU", divideForm<DivUnsigned>());
  table.add("REM", divideForm<Rem>());
  table.add("REMU", divideForm<RemUnsigned>());
  table.add("DIVW", divideForm<DivWord>());
  table.add("DIVUW", divideForm<DivUnsignedWord>());
  table.add("REMW", divideForm<RemWord>());
  table.add("REMUW", divideForm<RemUnsignedWord>());
}

}  // namespace forerun::sim::core
