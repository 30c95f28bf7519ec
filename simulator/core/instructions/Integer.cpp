//===- Integer.cpp - RV64I arithmetic and logic -----------------------------===//
// Register and immediate forms share one operation each.
#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/InstructionTable.h"

namespace forerun::sim::core {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;

U64 signExtendWord(U64 value) { return static_cast<U64>(static_cast<S64>(static_cast<std::int32_t>(value))); }

struct Add {
  static U64 apply(U64 a, U64 b) { return a + b; }
};
struct Sub {
  static U64 apply(U64 a, U64 b) { return a - b; }
};
struct And {
  static U64 apply(U64 a, U64 b) { return a & b; }
};
struct Or {
  static U64 apply(U64 a, U64 b) { return a | b; }
};
struct Xor {
  static U64 apply(U64 a, U64 b) { return a ^ b; }
};
struct Less {
  static U64 apply(U64 a, U64 b) { return static_cast<S64>(a) < static_cast<S64>(b); }
};
struct LessUnsigned {
  static U64 apply(U64 a, U64 b) { return a < b; }
};
struct ShiftLeft {
  static U64 apply(U64 a, U64 b) { return a << (b & 63); }
};
struct ShiftRight {
  static U64 apply(U64 a, U64 b) { return a >> (b & 63); }
};
struct ShiftRightArithmetic {
  static U64 apply(U64 a, U64 b) { return static_cast<U64>(static_cast<S64>(a) >> (b & 63)); }
};
struct AddWord {
  static U64 apply(U64 a, U64 b) { return signExtendWord(a + b); }
};
struct SubWord {
  static U64 apply(U64 a, U64 b) { return signExtendWord(a - b); }
};
struct ShiftLeftWord {
  static U64 apply(U64 a, U64 b) { return signExtendWord(a << (b & 31)); }
};
struct ShiftRightWord {
  static U64 apply(U64 a, U64 b) { return signExtendWord(static_cast<std::uint32_t>(a) >> (b & 31)); }
};
struct ShiftRightArithmeticWord {
  static U64 apply(U64 a, U64 b) {
    return static_cast<U64>(static_cast<S64>(static_cast<std::int32_t>(a) >> (b & 31)));
  }
};

template <class Mode, class Operation>
void registers(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 2);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], hart.r[op->rs2]);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode, class Operation>
void immediate(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  hart.r[op->rd] = Operation::apply(hart.r[op->rs1], static_cast<U64>(op->immediate));
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

/// lui and auipc: the value is known when the instruction is decoded.
template <class Mode>
void constant(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 0);
  hart.r[op->rd] = static_cast<U64>(op->immediate);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Operation>
InstructionRecipe registerForm() {
  return {
      .format = OperandFormat::R, .functional = registers<Functional, Operation>, .timed = registers<Timed, Operation>};
}
template <class Operation>
InstructionRecipe immediateForm(OperandFormat format = OperandFormat::I) {
  return {.format = format, .functional = immediate<Functional, Operation>, .timed = immediate<Timed, Operation>};
}

}  // namespace

void addIntegerInstructions(InstructionTable& table) {
  table.add("ADD", registerForm<Add>());
  table.add("SUB", registerForm<Sub>());
  table.add("AND", registerForm<And>());
  table.add("OR", registerForm<Or>());
  table.add("XOR", registerForm<Xor>());
  table.add("SLT", registerForm<Less>());
  table.add("SLTU", registerForm<LessUnsigned>());
  table.add("SLL", registerForm<ShiftLeft>());
  table.add("SRL", registerForm<ShiftRight>());
  table.add("SRA", registerForm<ShiftRightArithmetic>());
  table.add("ADDW", registerForm<AddWord>());
  table.add("SUBW", registerForm<SubWord>());
  table.add("SLLW", registerForm<ShiftLeftWord>());
  table.add("SRLW", registerForm<ShiftRightWord>());
  table.add("SRAW", registerForm<ShiftRightArithmeticWord>());
  table.add("ADDI", immediateForm<Add>());
  table.add("ANDI", immediateForm<And>());
  table.add("ORI", immediateForm<Or>());
  table.add("XORI", immediateForm<Xor>());
  table.add("SLTI", immediateForm<Less>());
  table.add("SLTIU", immediateForm<LessUnsigned>());
  table.add("ADDIW", immediateForm<AddWord>());
  table.add("SLLI", immediateForm<ShiftLeft>(OperandFormat::Shift));
  table.add("SRLI", immediateForm<ShiftRight>(OperandFormat::Shift));
  table.add("SRAI", immediateForm<ShiftRightArithmetic>(OperandFormat::Shift));
  table.add("SLLIW", immediateForm<ShiftLeftWord>(OperandFormat::Shift));
  table.add("SRLIW", immediateForm<ShiftRightWord>(OperandFormat::Shift));
  table.add("SRAIW", immediateForm<ShiftRightArithmeticWord>(OperandFormat::Shift));
  const InstructionRecipe upper{
      .format = OperandFormat::U, .functional = constant<Functional>, .timed = constant<Timed>};
  table.add("LUI", upper);
  InstructionRecipe relative = upper;
  relative.readsPc = true;
  table.add("AUIPC", relative);
}

}  // namespace forerun::sim::core
