//===- Float.cpp - F, D and Zfh arithmetic ----------------------------------===//
// Results come from the host when they cannot differ (nearest even, inexact flag already set, normal result), else from
// SoftFloat.
#include "simulator/core/instructions/FloatRegisters.h"
#include "simulator/core/instructions/InstructionTable.h"
#include "simulator/kernel/Error.h"

#include <cmath>
#include <limits>
#include <string>

namespace forerun::sim::core {
namespace {

using fp::Rounding;

template <class F>
struct HostType {
  using Type = void;
};
template <>
struct HostType<fp::F32> {
  using Type = float;
};
template <>
struct HostType<fp::F64> {
  using Type = double;
};

struct Add {
  template <class F>
  static auto soft(typename F::Bits a, typename F::Bits b, Rounding m, std::uint8_t& f) {
    return fp::add<F>(a, b, m, f);
  }
  template <class T>
  static T host(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class F>
  static auto soft(typename F::Bits a, typename F::Bits b, Rounding m, std::uint8_t& f) {
    return fp::sub<F>(a, b, m, f);
  }
  template <class T>
  static T host(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class F>
  static auto soft(typename F::Bits a, typename F::Bits b, Rounding m, std::uint8_t& f) {
    return fp::mul<F>(a, b, m, f);
  }
  template <class T>
  static T host(T a, T b) {
    return a * b;
  }
};
struct Div {
  template <class F>
  static auto soft(typename F::Bits a, typename F::Bits b, Rounding m, std::uint8_t& f) {
    return fp::div<F>(a, b, m, f);
  }
  template <class T>
  static T host(T a, T b) {
    return a / b;
  }
};

/// A host result that is certain to be right in value and to raise nothing but inexact: finite and above the least
/// normal.
template <class T>
bool isOrdinary(T value) {
  const T magnitude = std::fabs(value);
  return magnitude > std::numeric_limits<T>::min() && magnitude <= std::numeric_limits<T>::max();
}
inline bool hostMayRound(const HartContext& hart, const Op* op) {
  return (hart.fflags & fp::kInexact) && (op->rounding == 0 || (op->rounding == 7 && hart.frm == 0));
}

template <class Operation, class F>
[[gnu::noinline]] void softBinary(HartContext& hart, const Op* op) {
  const Rounding mode = roundingOf(hart, op);
  hart.r[op->rd] =
      box<F>(Operation::template soft<F>(unbox<F>(hart.r[op->rs1]), unbox<F>(hart.r[op->rs2]), mode, hart.fflags));
}

/// Runs something that may throw because of a reserved rounding mode.
#define FORERUN_CALL_MARKED(Mode, call)  \
  mark<Mode>(hart, op, now, room, busy); \
  call;                                  \
  unmark<Mode>(hart, op)

template <class Mode, class Operation, class F>
void binary(FORERUN_HANDLER_PARAMETERS) {
  using Host = typename HostType<F>::Type;
  FORERUN_ISSUE(Mode, 2);
  bool done = false;
  if constexpr (!std::is_void_v<Host>) {
    if (hostMayRound(hart, op)) [[likely]] {
      const Host value = Operation::host(std::bit_cast<Host>(unbox<F>(hart.r[op->rs1])),
                                         std::bit_cast<Host>(unbox<F>(hart.r[op->rs2])));
      if (isOrdinary(value)) [[likely]] {
        hart.r[op->rd] = box<F>(std::bit_cast<typename F::Bits>(value));
        done = true;
      }
    }
  }
  if (!done) {
    FORERUN_CALL_MARKED(Mode, (softBinary<Operation, F>(hart, op)));
  }
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

/// Dividers are not pipelined. Covers fsqrt (kSquareRoot).
template <class Mode, class F, bool kSquareRoot>
void divideOrRoot(FORERUN_HANDLER_PARAMETERS) {
  using Host = typename HostType<F>::Type;
  if constexpr (Mode::timed) {
    if (hart.floatDividerFree > now) {
      now = hart.stallOnSources(op, now, room);
      now = hart.stallUntil(hart.floatDividerFree, StallCause::Structural, now, room);
    }
  }
  FORERUN_ISSUE(Mode, 2);
  bool done = false;
  if constexpr (!std::is_void_v<Host>) {
    if (hostMayRound(hart, op)) {
      const Host a = std::bit_cast<Host>(unbox<F>(hart.r[op->rs1]));
      const Host value = kSquareRoot ? std::sqrt(a) : a / std::bit_cast<Host>(unbox<F>(hart.r[op->rs2]));
      if (isOrdinary(value)) {
        hart.r[op->rd] = box<F>(std::bit_cast<typename F::Bits>(value));
        done = true;
      }
    }
  }
  if (!done) {
    mark<Mode>(hart, op, now, room, busy);
    if constexpr (kSquareRoot)
      hart.r[op->rd] = box<F>(fp::sqrt<F>(unbox<F>(hart.r[op->rs1]), roundingOf(hart, op), hart.fflags));
    else
      softBinary<Div, F>(hart, op);
    unmark<Mode>(hart, op);
  }
  result<Mode>(hart, op, now);
  if constexpr (Mode::timed) hart.floatDividerFree = now + (op->latency >> 4);
  FORERUN_TAIL_CALL(op + 1);
}

template <class F, bool kNegateProduct, bool kNegateAddend>
[[gnu::noinline]] void softFused(HartContext& hart, const Op* op) {
  using Bits = typename F::Bits;
  const Rounding mode = roundingOf(hart, op);
  const Bits a = unbox<F>(hart.r[op->rs1]) ^ (kNegateProduct ? F::signMask : Bits{0});
  const Bits c = unbox<F>(hart.r[op->rs3]) ^ (kNegateAddend ? F::signMask : Bits{0});
  hart.r[op->rd] = box<F>(fp::fma<F>(a, unbox<F>(hart.r[op->rs2]), c, mode, hart.fflags));
}

template <class Mode, class F, bool kNegateProduct, bool kNegateAddend>
void fused(FORERUN_HANDLER_PARAMETERS) {
  using Host = typename HostType<F>::Type;
  FORERUN_ISSUE(Mode, 3);
  bool done = false;
  if constexpr (!std::is_void_v<Host>) {
    if (hostMayRound(hart, op)) {
      const Host a = std::bit_cast<Host>(unbox<F>(hart.r[op->rs1])), c = std::bit_cast<Host>(unbox<F>(hart.r[op->rs3]));
      const Host value =
          std::fma(kNegateProduct ? -a : a, std::bit_cast<Host>(unbox<F>(hart.r[op->rs2])), kNegateAddend ? -c : c);
      if (isOrdinary(value)) {
        hart.r[op->rd] = box<F>(std::bit_cast<typename F::Bits>(value));
        done = true;
      }
    }
  }
  if (!done) {
    FORERUN_CALL_MARKED(Mode, (softFused<F, kNegateProduct, kNegateAddend>(hart, op)));
  }
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

// Operations without rounding: two registers in, one out, flags possible.
template <class F>
struct SignCopy {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t&) {
    return box<F>(static_cast<typename F::Bits>((unbox<F>(a) & ~F::signMask) | (unbox<F>(b) & F::signMask)));
  }
};
template <class F>
struct SignNegate {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t&) {
    return box<F>(static_cast<typename F::Bits>((unbox<F>(a) & ~F::signMask) | (~unbox<F>(b) & F::signMask)));
  }
};
template <class F>
struct SignXor {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t&) {
    return box<F>(static_cast<typename F::Bits>(unbox<F>(a) ^ (unbox<F>(b) & F::signMask)));
  }
};
template <class F>
struct Min {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t& f) {
    return box<F>(fp::minMax<F>(unbox<F>(a), unbox<F>(b), false, f));
  }
};
template <class F>
struct Max {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t& f) {
    return box<F>(fp::minMax<F>(unbox<F>(a), unbox<F>(b), true, f));
  }
};
template <class F>
struct Equal {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t& f) {
    return fp::equal<F>(unbox<F>(a), unbox<F>(b), f);
  }
};
template <class F>
struct Less {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t& f) {
    return fp::less<F>(unbox<F>(a), unbox<F>(b), f);
  }
};
template <class F>
struct LessEqual {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t b, std::uint8_t& f) {
    return fp::lessEqual<F>(unbox<F>(a), unbox<F>(b), f);
  }
};
template <class F>
struct Classify {
  static std::uint64_t apply(std::uint64_t a, std::uint64_t, std::uint8_t&) { return fp::classify<F>(unbox<F>(a)); }
};

template <class Mode, class Operation>
void unrounded(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 2);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], hart.r[op->rs2], hart.fflags);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

constexpr std::uint8_t kAllFloat = kFloatRd | kFloatRs1 | kFloatRs2;

InstructionRecipe recipe(OperandFormat format, LatencyClass latency, std::uint8_t floats, bool rounds,
                         Handler functional, Handler timed) {
  return {.format = format,
          .latency = latency,
          .floatOperands = floats,
          .readsRounding = rounds,
          .functional = functional,
          .timed = timed};
}
template <class Operation>
InstructionRecipe unroundedForm(std::uint8_t floats) {
  return recipe(OperandFormat::R, LatencyClass::FpAdd, floats, false, unrounded<Functional, Operation>,
                unrounded<Timed, Operation>);
}
template <class F, bool kNegateProduct, bool kNegateAddend>
InstructionRecipe fusedForm() {
  return recipe(OperandFormat::R4, LatencyClass::FpFma, kAllFloat | kFloatRs3, true,
                fused<Functional, F, kNegateProduct, kNegateAddend>, fused<Timed, F, kNegateProduct, kNegateAddend>);
}

template <class F>
void addFormat(InstructionTable& table, const std::string& suffix) {
  const auto R = OperandFormat::R;
  table.add("FADD" + suffix,
            recipe(R, LatencyClass::FpAdd, kAllFloat, true, binary<Functional, Add, F>, binary<Timed, Add, F>));
  table.add("FSUB" + suffix,
            recipe(R, LatencyClass::FpAdd, kAllFloat, true, binary<Functional, Sub, F>, binary<Timed, Sub, F>));
  table.add("FMUL" + suffix,
            recipe(R, LatencyClass::FpMul, kAllFloat, true, binary<Functional, Mul, F>, binary<Timed, Mul, F>));
  table.add("FDIV" + suffix, recipe(R, LatencyClass::FpDiv, kAllFloat, true, divideOrRoot<Functional, F, false>,
                                    divideOrRoot<Timed, F, false>));
  table.add("FSQRT" + suffix, recipe(OperandFormat::Unary, LatencyClass::FpDiv, kFloatRd | kFloatRs1, true,
                                     divideOrRoot<Functional, F, true>, divideOrRoot<Timed, F, true>));
  table.add("FMADD" + suffix, fusedForm<F, false, false>());
  table.add("FMSUB" + suffix, fusedForm<F, false, true>());
  table.add("FNMSUB" + suffix, fusedForm<F, true, false>());
  table.add("FNMADD" + suffix, fusedForm<F, true, true>());
  table.add("FSGNJ" + suffix, unroundedForm<SignCopy<F>>(kAllFloat));
  table.add("FSGNJN" + suffix, unroundedForm<SignNegate<F>>(kAllFloat));
  table.add("FSGNJX" + suffix, unroundedForm<SignXor<F>>(kAllFloat));
  table.add("FMIN" + suffix, unroundedForm<Min<F>>(kAllFloat));
  table.add("FMAX" + suffix, unroundedForm<Max<F>>(kAllFloat));
  table.add("FEQ" + suffix, unroundedForm<Equal<F>>(kFloatRs1 | kFloatRs2));
  table.add("FLT" + suffix, unroundedForm<Less<F>>(kFloatRs1 | kFloatRs2));
  table.add("FLE" + suffix, unroundedForm<LessEqual<F>>(kFloatRs1 | kFloatRs2));
  table.add("FCLASS" + suffix, unroundedForm<Classify<F>>(kFloatRs1));
}

}  // namespace

void failRounding(unsigned frm) {
  throw Error(ErrorKind::IllegalProgram,
              "illegal instruction: frm holds the reserved rounding mode " + std::to_string(frm));
}

void addFloatInstructions(InstructionTable& table) {
  addFormat<fp::F16>(table, "_H");
  addFormat<fp::F32>(table, "_S");
  addFormat<fp::F64>(table, "_D");
}

}  // namespace forerun::sim::core
