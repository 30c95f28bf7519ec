//===- Encoding.cpp - enums and tables for the encoder and decoder ---------===//
// isa/Isa.cpp interprets these tables; nothing else knows bit positions.
#include "isa/generator/Model.h"

#include <llvm/Support/FormatVariadic.h>

namespace forerun::isa::generator {
namespace {

const char* kindName(OperandKind kind) {
  switch (kind) {
    case OperandKind::Destination:
      return "Destination";
    case OperandKind::Source:
      return "Source";
    case OperandKind::Descriptor:
      return "Descriptor";
    case OperandKind::Value:
      return "Value";
    case OperandKind::Flag:
      return "Flag";
  }
  return "";
}

}  // namespace

void emitEncodingHeader(const Model& model, llvm::raw_ostream& os) {
  os << "// Generated from isa/Instructions.td; do not edit.\n#pragma once\n\n#include <cstdint>\n\nnamespace "
        "forerun::isa {\n\n"
     << "inline constexpr std::uint32_t kVersionMajor = " << model.major << ", kVersionMinor = " << model.minor
     << ";\n\n"
     << "enum class Opcode : std::uint8_t {\n";
  for (const Instruction& instruction : model.instructions)
    os << "  " << instruction.id << ",  ///< " << instruction.mnemonic << ": " << instruction.summary << "\n";
  os << "};\ninline constexpr unsigned kOpcodeCount = " << model.instructions.size() << ";\n";
  for (const ValueSet& set : model.sets) {
    os << "\n/// " << set.title << ".\nenum class " << set.id << " : std::uint8_t {\n";
    for (const NamedValue& value : set.values) {
      os << "  " << upperCamel(value.name) << " = " << value.value << ",";
      if (!value.description.empty()) os << "  ///< " << value.description;
      os << "\n";
    }
    os << "};\n";
  }
  os << "\n}  // namespace forerun::isa\n";
}

void emitEncodingTable(const Model& model, llvm::raw_ostream& os) {
  os << "// Generated from isa/Instructions.td; do not edit. Included by isa/Isa.cpp.\n\n";
  for (const ValueSet& set : model.sets) {
    os << "constexpr NamedValue k" << set.id << "Values[] = {\n";
    for (const NamedValue& value : set.values)
      os << llvm::formatv("    {{{0}, {1}, {2}},\n", value.value, quoted(value.name), quoted(value.description));
    os << "};\n";
  }
  for (const Instruction& instruction : model.instructions) {
    if (instruction.operands.empty()) continue;
    os << "constexpr OperandInfo k" << instruction.id << "Operands[] = {\n";
    for (const Operand& operand : instruction.operands) {
      const std::string values =
          operand.set < 0 ? "{}" : "k" + model.sets[static_cast<std::size_t>(operand.set)].id + "Values";
      os << llvm::formatv("    {{{0}, OperandKind::{1}, {2}, {3}, {4}, {5}},\n", quoted(operand.name),
                          kindName(operand.kind), operand.low, operand.width, quoted(operand.description), values);
    }
    os << "};\n";
  }
  os << "\nconstexpr InstructionInfo kInstructions[] = {\n";
  for (const Instruction& i : model.instructions)
    os << llvm::formatv("    {{Opcode::{0}, {1}, 0x{2:x-8}u, 0x{3:x-8}u, {4}, Unit::{5}, {6}, {7}, {8}, {9}},\n", i.id,
                        quoted(i.mnemonic), i.match, i.mask, i.operands.empty() ? "{}" : "k" + i.id + "Operands",
                        i.unitId, quoted(i.feature), quoted(i.summary), quoted(i.since), i.noReturn ? "true" : "false");
  os << "};\n";
}

}  // namespace forerun::isa::generator
