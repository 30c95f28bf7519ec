//===- FloatConvert.cpp - conversions and moves of F, D, Zfh and Zfbfmin ----===//
// Everything that crosses between formats or register files.
#include "simulator/core/instructions/FloatRegisters.h"
#include "simulator/core/instructions/InstructionTable.h"

#include <string>

namespace forerun::sim::core {
namespace {

using fp::Rounding;

template <class To, class From>
struct Narrow {  // widening never rounds
  static std::uint64_t apply(std::uint64_t a, Rounding m, std::uint8_t& f) {
    return box<To>(fp::convert<To, From>(unbox<From>(a), m, f));
  }
};
template <class F, int kWidth, bool kSigned>
struct ToInteger {
  static std::uint64_t apply(std::uint64_t a, Rounding m, std::uint8_t& f) {
    const std::uint64_t value = fp::toInteger<F>(unbox<F>(a), kWidth, kSigned, m, f);
    return kWidth == 32 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                        : value;  // words are sign-extended
  }
};
template <class F, int kWidth, bool kSigned>
struct FromInteger {
  static std::uint64_t apply(std::uint64_t a, Rounding m, std::uint8_t& f) {
    if constexpr (kWidth == 32)
      a = kSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a)))
                  : static_cast<std::uint32_t>(a);
    if constexpr (kSigned)
      return box<F>(fp::fromInt<F>(static_cast<std::int64_t>(a), m, f));
    else
      return box<F>(fp::fromUnsigned<F>(a, false, m, f));
  }
};

template <class Operation>
[[gnu::noinline]] void convert(HartContext& hart, const Op* op) {
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], roundingOf(hart, op), hart.fflags);
}
template <class Mode, class Operation>
void rounded(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  mark<Mode>(hart, op, now, room, busy);
  convert<Operation>(hart, op);
  unmark<Mode>(hart, op);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class F>
struct MoveToInteger {  // bits, sign-extended; no NaN-box check
  static std::uint64_t apply(std::uint64_t a) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::make_signed_t<typename F::Bits>>(static_cast<typename F::Bits>(a))));
  }
};
template <class F>
struct MoveFromInteger {
  static std::uint64_t apply(std::uint64_t a) { return box<F>(static_cast<typename F::Bits>(a)); }
};
template <class Mode, class Operation>
void move(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1]);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Operation>
InstructionRecipe roundedForm(std::uint8_t floats) {
  return {.format = OperandFormat::Unary,
          .latency = LatencyClass::FpConvert,
          .floatOperands = floats,
          .readsRounding = true,
          .functional = rounded<Functional, Operation>,
          .timed = rounded<Timed, Operation>};
}
template <class Operation>
InstructionRecipe moveForm(std::uint8_t floats) {
  return {.format = OperandFormat::Unary,
          .latency = LatencyClass::FpConvert,
          .floatOperands = floats,
          .functional = move<Functional, Operation>,
          .timed = move<Timed, Operation>};
}

template <class F>
void addIntegerConversions(InstructionTable& table, const std::string& format) {
  table.add("FCVT_W_" + format, roundedForm<ToInteger<F, 32, true>>(kFloatRs1));
  table.add("FCVT_WU_" + format, roundedForm<ToInteger<F, 32, false>>(kFloatRs1));
  table.add("FCVT_L_" + format, roundedForm<ToInteger<F, 64, true>>(kFloatRs1));
  table.add("FCVT_LU_" + format, roundedForm<ToInteger<F, 64, false>>(kFloatRs1));
  table.add("FCVT_" + format + "_W", roundedForm<FromInteger<F, 32, true>>(kFloatRd));
  table.add("FCVT_" + format + "_WU", roundedForm<FromInteger<F, 32, false>>(kFloatRd));
  table.add("FCVT_" + format + "_L", roundedForm<FromInteger<F, 64, true>>(kFloatRd));
  table.add("FCVT_" + format + "_LU", roundedForm<FromInteger<F, 64, false>>(kFloatRd));
}
template <class To, class From>
void addConversion(InstructionTable& table, const std::string& name) {
  table.add("FCVT_" + name, roundedForm<Narrow<To, From>>(kFloatRd | kFloatRs1));
}

}  // namespace

void addFloatConvertInstructions(InstructionTable& table) {
  addIntegerConversions<fp::F16>(table, "H");
  addIntegerConversions<fp::F32>(table, "S");
  addIntegerConversions<fp::F64>(table, "D");
  addConversion<fp::F16, fp::F32>(table, "H_S");
  addConversion<fp::F16, fp::F64>(table, "H_D");
  addConversion<fp::F32, fp::F16>(table, "S_H");
  addConversion<fp::F32, fp::F64>(table, "S_D");
  addConversion<fp::F64, fp::F16>(table, "D_H");
  addConversion<fp::F64, fp::F32>(table, "D_S");
  addConversion<fp::F32, fp::BF16>(table, "S_BF16");
  addConversion<fp::BF16, fp::F32>(table, "BF16_S");
  table.add("FMV_X_H", moveForm<MoveToInteger<fp::F16>>(kFloatRs1));
  table.add("FMV_X_W", moveForm<MoveToInteger<fp::F32>>(kFloatRs1));
  table.add("FMV_X_D", moveForm<MoveToInteger<fp::F64>>(kFloatRs1));
  table.add("FMV_H_X", moveForm<MoveFromInteger<fp::F16>>(kFloatRd));
  table.add("FMV_W_X", moveForm<MoveFromInteger<fp::F32>>(kFloatRd));
  table.add("FMV_D_X", moveForm<MoveFromInteger<fp::F64>>(kFloatRd));
}

}  // namespace forerun::sim::core
