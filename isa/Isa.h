//===- Isa.h - encode, decode and print instructions of the Xfr extension --===//
// Public face of the tables generated from Instructions.td. Opcodes, versions and the enums of named values are in
// isa/Encoding.h (generated).
#pragma once

#include "isa/Encoding.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace forerun::isa {

enum class OperandKind : std::uint8_t {
  Destination,  ///< integer register, written
  Source,       ///< integer register, read
  Descriptor,   ///< immediate: descriptor number
  Value,        ///< immediate with named values; others are reserved
  Flag          ///< one bit
};

enum class Unit : std::uint8_t { Hart, Dma, Matrix, Vector, Sync };

struct NamedValue {
  std::uint32_t value = 0;
  std::string_view name, description;
};

struct OperandInfo {
  std::string_view name;
  OperandKind kind;
  std::uint8_t lowBit, width;
  std::string_view description;
  std::span<const NamedValue> values;  ///< of kind Value, ascending
};

struct InstructionInfo {
  Opcode opcode;
  std::string_view mnemonic;
  std::uint32_t match, mask;  ///< a word is this instruction when (word & mask) == match; reserved bits are in the mask
  std::span<const OperandInfo> operands;  ///< in assembly order, destination first
  Unit unit;
  std::string_view feature;  ///< as an ELF note's need: "xfr.dma"
  std::string_view summary, since;
  bool noReturn;
};

std::span<const InstructionInfo> instructions();  ///< indexed by Opcode
const InstructionInfo& info(Opcode opcode);

/// A decoded word. Fields hold the raw bits of their places whatever they mean; a place that the instruction does not
/// use is 0.
struct DecodedXfr {
  Opcode opcode;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  std::uint8_t funct2 = 0;  ///< mode, or flags: bit 0 and bit 1

  bool operator==(const DecodedXfr&) const = default;
};

/// True when the word lies in one of the custom opcodes, which LLVM does not decode. It may still be reserved.
constexpr bool isXfrSpace(std::uint32_t word) {
  const std::uint32_t major = word & 0x7f;
  return major == 0x0b || major == 0x2b || major == 0x5b || major == 0x7b;
}

/// nullopt for everything that is not exactly an instruction: unknown encodings, reserved bits that are not zero,
/// reserved values of named fields.
std::optional<DecodedXfr> decode(std::uint32_t word);

/// Operands in assembly order, as `info(opcode).operands`. Their number and their ranges are the caller's invariant.
std::uint32_t encode(Opcode opcode, std::span<const std::uint32_t> operands);
std::uint32_t encode(Opcode opcode, std::initializer_list<std::uint32_t> operands);
std::uint32_t encode(const DecodedXfr& decoded);

/// "xmm.run a0, d1, d2, zero, swap"; a word that does not decode gives ".4byte 0x0000abcd".
std::string disassemble(std::uint32_t word);

std::string_view name(DescriptorField field);
std::string_view name(Identity which);

/// The reference page of the ISA, in Markdown.
std::string_view referencePage();

}  // namespace forerun::isa
