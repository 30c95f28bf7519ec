//===- Isa.cpp - encoder, decoder and disassembler over the tables ---------===//
// The tables say where operands lie; this interprets them.
#include "isa/Isa.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>

namespace forerun::isa {
namespace {

#include "isa/Encoding.inc"

constexpr std::string_view kReferencePage =
#include "isa/ReferencePage.inc"
    ;

constexpr std::array<std::string_view, 32> kRegisters{
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr std::uint32_t bits(std::uint32_t word, unsigned low, unsigned width) {
  return (word >> low) & ((1u << width) - 1);
}

const NamedValue* findValue(std::span<const NamedValue> values, std::uint32_t value) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const NamedValue& v) { return v.value == value; });
  return found == values.end() ? nullptr : &*found;
}

std::string_view nameOf(std::span<const NamedValue> values, std::uint32_t value) {
  const NamedValue* found = findValue(values, value);
  return found ? found->name : std::string_view("?");
}

const InstructionInfo* find(std::uint32_t word) {
  for (const InstructionInfo& candidate : kInstructions) {
    if ((word & candidate.mask) != candidate.match) continue;
    const bool defined =
        std::all_of(candidate.operands.begin(), candidate.operands.end(), [&](const OperandInfo& operand) {
          return operand.kind != OperandKind::Value ||
                 findValue(operand.values, bits(word, operand.lowBit, operand.width));
        });
    return defined ? &candidate : nullptr;
  }
  return nullptr;
}

}  // namespace

std::span<const InstructionInfo> instructions() { return kInstructions; }

const InstructionInfo& info(Opcode opcode) {
  assert(static_cast<unsigned>(opcode) < kOpcodeCount);
  return kInstructions[static_cast<unsigned>(opcode)];
}

std::optional<DecodedXfr> decode(std::uint32_t word) {
  const InstructionInfo* found = find(word);
  if (!found) return std::nullopt;
  const std::uint32_t operands = word & ~found->mask;  // constants of the encoding read as 0
  const auto field = [&](unsigned low, unsigned width) {
    return static_cast<std::uint8_t>(bits(operands, low, width));
  };
  return DecodedXfr{found->opcode, field(7, 5), field(15, 5), field(20, 5), field(27, 5), field(25, 2)};
}

std::uint32_t encode(Opcode opcode, std::span<const std::uint32_t> operands) {
  const InstructionInfo& instruction = info(opcode);
  assert(operands.size() == instruction.operands.size() && "as many operands as the instruction has");
  std::uint32_t word = instruction.match;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    assert(operands[i] >> instruction.operands[i].width == 0 && "operand does not fit its bits");
    word |= operands[i] << instruction.operands[i].lowBit;
  }
  return word;
}

std::uint32_t encode(Opcode opcode, std::initializer_list<std::uint32_t> operands) {
  return encode(opcode, std::span(operands.begin(), operands.size()));
}

std::uint32_t encode(const DecodedXfr& decoded) {
  return info(decoded.opcode).match | static_cast<std::uint32_t>(decoded.rd) << 7 |
         static_cast<std::uint32_t>(decoded.rs1) << 15 | static_cast<std::uint32_t>(decoded.rs2) << 20 |
         static_cast<std::uint32_t>(decoded.rs3) << 27 | static_cast<std::uint32_t>(decoded.funct2) << 25;
}

std::string disassemble(std::uint32_t word) {
  const InstructionInfo* found = find(word);
  if (!found) {
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), ".4byte 0x%08x", word);
    return text.data();
  }
  std::string text(found->mnemonic);
  const char* separator = " ";
  for (const OperandInfo& operand : found->operands) {
    const std::uint32_t value = bits(word, operand.lowBit, operand.width);
    if (operand.kind == OperandKind::Flag && value == 0) continue;
    text += separator;
    separator = ", ";
    switch (operand.kind) {
      case OperandKind::Destination:
      case OperandKind::Source:
        text += kRegisters[value];
        break;
      case OperandKind::Descriptor:
        text += "d" + std::to_string(value);
        break;
      case OperandKind::Value:
        text += nameOf(operand.values, value);
        break;
      case OperandKind::Flag:
        text += operand.name;
        break;
    }
  }
  return text;
}

std::string_view name(DescriptorField field) {
  return nameOf(kDescriptorFieldValues, static_cast<std::uint32_t>(field));
}
std::string_view name(Identity which) { return nameOf(kIdentityValues, static_cast<std::uint32_t>(which)); }

std::string_view referencePage() { return kReferencePage; }

}  // namespace forerun::isa
