//===- InstructionTable.h - the scalar instructions by name -----------------===//
// Explicit lists: each group's file registers its instructions under LLVM's MC names, with operand format, issue slot
// and handlers.
#pragma once

#include "simulator/core/Op.h"
#include "simulator/core/Timing.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>

namespace forerun::sim::core {

/// Where operands stand in the 32-bit encoding, and which of them are floating-point registers.
enum class OperandFormat : std::uint8_t { R, Unary, I, Shift, S, B, U, J, Csr, CsrImmediate, R4, None };
inline constexpr std::uint8_t kFloatRd = 1, kFloatRs1 = 2, kFloatRs2 = 4, kFloatRs3 = 8;

/// Latency class: a key of HartLatencies, or of the team.
enum class LatencyClass : std::uint8_t { Alu, Mul, Div, FpAdd, FpMul, FpFma, FpDiv, FpConvert, Csr, Memory };

struct InstructionRecipe {
  OperandFormat format = OperandFormat::None;
  timing::Slot slot = timing::Slot::Scalar;
  LatencyClass latency = LatencyClass::Alu;
  std::uint8_t floatOperands = 0;
  bool endsBlock = false;      ///< control flow, or code may change
  bool readsRounding = false;  ///< has an rm field
  bool readsPc = false;        ///< auipc: the result is a constant
  Handler functional = nullptr, timed = nullptr;
};

class InstructionTable {
 public:
  /// All scalar groups.
  InstructionTable();

  /// Null when the name is not a scalar instruction of ours.
  const InstructionRecipe* find(llvm::StringRef mcName) const;
  void add(llvm::StringRef mcName, const InstructionRecipe& recipe);

 private:
  llvm::StringMap<InstructionRecipe> recipes_;
};

// One a file.
void addIntegerInstructions(InstructionTable& table);
void addMultiplyInstructions(InstructionTable& table);
void addBranchInstructions(InstructionTable& table);
void addMemoryInstructions(InstructionTable& table);
void addAtomicInstructions(InstructionTable& table);
void addFloatInstructions(InstructionTable& table);
void addFloatConvertInstructions(InstructionTable& table);
void addSystemInstructions(InstructionTable& table);

}  // namespace forerun::sim::core
