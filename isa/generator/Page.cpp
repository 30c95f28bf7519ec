//===- Page.cpp - the reference page of the ISA ----------------------------===//
// Markdown; `forerun isa` prints the same text.
#include "isa/generator/Model.h"

#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

#include <map>

namespace forerun::isa::generator {
namespace {

std::string binary(unsigned value, unsigned width) {
  std::string text;
  for (unsigned bit = width; bit-- > 0;) text += ((value >> bit) & 1) ? '1' : '0';
  return text;
}

std::string assembly(const Instruction& instruction) {
  const auto names = llvm::map_to_vector(instruction.operands, [](const Operand& operand) {
    return operand.kind == OperandKind::Flag ? "[" + operand.name + "]" : operand.name;
  });
  return instruction.mnemonic + (names.empty() ? "" : " " + llvm::join(names, ", "));
}

void emitBits(const Instruction& instruction, llvm::raw_ostream& os) {
  struct Piece {
    unsigned width;
    std::string text;
  };
  std::map<unsigned, Piece, std::greater<>> pieces;  // by low bit, highest first
  pieces[0] = {7, binary(instruction.opcode, 7)};
  pieces[12] = {3, binary(instruction.funct3, 3)};
  for (const Operand& operand : instruction.operands) pieces[operand.low] = {operand.width, operand.name};
  for (const auto& [low, width] : {std::pair(7u, 5u), {15u, 5u}, {20u, 5u}})
    if (!pieces.count(low)) pieces[low] = {width, binary(0, width)};
  if (instruction.format == "r4") {
    if (!pieces.count(27)) pieces[27] = {5, binary(0, 5)};
    if (pieces.count(26) && !pieces.count(25)) pieces[25] = {1, "0"};
    if (!pieces.count(25)) pieces[25] = {2, binary(instruction.funct, 2)};
    if (pieces[25].width == 1 && !pieces.count(26)) pieces[26] = {1, "0"};
  } else {
    pieces[25] = {7, binary(instruction.funct, 7)};
  }
  std::vector<std::string> head, rule, row;
  for (const auto& [low, piece] : pieces) {
    head.push_back(piece.width == 1 ? llvm::utostr(low) : llvm::formatv("{0}:{1}", low + piece.width - 1, low).str());
    rule.push_back("---");
    row.push_back(piece.text);
  }
  os << "| " << llvm::join(head, " | ") << " |\n| " << llvm::join(rule, " | ") << " |\n| " << llvm::join(row, " | ")
     << " |\n\n";
}

void emitInstruction(const Model& model, const Instruction& instruction, llvm::raw_ostream& os) {
  os << "## `" << instruction.mnemonic << "`: " << instruction.summary << "\n`" << assembly(instruction) << "`\n\n"
     << "Unit: " << instruction.unit << ". Needs: `" << instruction.feature << "`. Since: " << instruction.since
     << ".\n\n";
  emitBits(instruction, os);
  if (!instruction.operands.empty()) os << "| operand | kind | meaning |\n| --- | --- | --- |\n";
  for (const Operand& operand : instruction.operands) {
    const char* kind = "";
    switch (operand.kind) {
      case OperandKind::Destination:
        kind = "register, written";
        break;
      case OperandKind::Source:
        kind = "register, read";
        break;
      case OperandKind::Descriptor:
        kind = "descriptor number";
        break;
      case OperandKind::Value:
        kind = "immediate";
        break;
      case OperandKind::Flag:
        kind = "flag";
        break;
    }
    os << "| " << operand.name << " | " << kind << " | " << operand.description;
    if (operand.set >= 0) os << " (" << model.sets[static_cast<std::size_t>(operand.set)].title << ")";
    os << " |\n";
  }
  os << "\n" << oneLine(instruction.semantics) << "\n\n";
}

}  // namespace

void emitPage(const Model& model, llvm::raw_ostream& os) {
  os << "<!-- Generated from isa/Instructions.td; do not edit. -->\n"
     << "# The Xfr extension, version " << model.major << "." << model.minor << "\n\n"
     << "Reserved bits are zero; a word with another value there, or with a reserved value in a named field, does not "
        "decode. "
     << "Descriptors, tokens, launch and addresses: docs/machine-contract.md.\n\n"
     << "| instruction | unit | needs | summary |\n| --- | --- | --- | --- |\n";
  for (const Instruction& instruction : model.instructions)
    os << "| `" << assembly(instruction) << "` | " << instruction.unit << " | " << instruction.feature << " | "
       << instruction.summary << " |\n";
  os << "\n";
  for (const Instruction& instruction : model.instructions) emitInstruction(model, instruction, os);
  for (const ValueSet& set : model.sets) {
    os << "## " << set.title << "\n| value | name | meaning |\n| --- | --- | --- |\n";
    for (const NamedValue& value : set.values)
      os << "| " << value.value << " | " << value.name << " | " << value.description << " |\n";
    os << "\n";
  }
}

}  // namespace forerun::isa::generator
