//===- Dialect.cpp - the xfr dialect and its lowering to inline assembly ---===//
// One operation an instruction: register operands are i64 values, immediates are i32 attributes; lowering is driven by
// the template table.
#include "isa/generator/Model.h"

#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace forerun::isa::generator {
namespace {

std::string attributeType(const Model& model, const Operand& operand) {
  const std::uint32_t highest = operand.set >= 0 ? model.sets[static_cast<std::size_t>(operand.set)].values.back().value
                                                 : (1u << operand.width) - 1;
  return llvm::formatv("ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<{0}>]>", highest);
}

void emitOperation(const Model& model, const Instruction& instruction, llvm::raw_ostream& os) {
  std::vector<std::string> arguments, format;
  std::string notes;
  for (const Operand& operand : instruction.operands) {
    notes += "    - `" + operand.name + "`: " + operand.description + "\n";
    if (operand.kind == OperandKind::Destination) continue;
    arguments.push_back((operand.kind == OperandKind::Source ? "I64" : attributeType(model, operand)) + ":$" +
                        operand.name);
    format.push_back("$" + operand.name);
  }
  os << "def Xfr_" << upperCamel(instruction.stem()) << "Op : Xfr_Op<" << quoted(instruction.stem()) << "> {\n"
     << "  let summary = " << quoted(instruction.summary) << ";\n"
     << "  let description = [{\n    `" << instruction.mnemonic << "`: " << oneLine(instruction.semantics) << "\n\n"
     << notes << "  }];\n"
     << "  let arguments = (ins " << llvm::join(arguments, ",\n                       ") << ");\n";
  if (const Operand* result = instruction.result()) os << "  let results = (outs I64:$" << result->name << ");\n";
  os << "  let assemblyFormat = " << quoted(llvm::join(format, " `,` ") + (format.empty() ? "attr-dict" : " attr-dict"))
     << ";\n}\n\n";
}

}  // namespace

void emitDialect(const Model& model, llvm::raw_ostream& os) {
  os << R"td(// Generated from isa/Instructions.td; do not edit.
#ifndef FORERUN_XFR_OPS
#define FORERUN_XFR_OPS

include "mlir/IR/OpBase.td"

def Xfr_Dialect : Dialect {
  let name = "xfr";
  let cppNamespace = "::forerun::xfr";
  let summary = "One operation for every instruction of the Xfr extension";
}

class Xfr_Op<string mnemonic, list<Trait> traits = []> : Op<Xfr_Dialect, mnemonic, traits>;

)td";
  for (const Instruction& instruction : model.instructions) emitOperation(model, instruction, os);
  os << "#endif\n";
}

void emitInsnTemplates(const Model& model, llvm::raw_ostream& os) {
  os << "// Generated from isa/Instructions.td; do not edit. Included by isa/InsnTemplates.cpp.\n";
  for (const Instruction& instruction : model.instructions) {
    std::vector<std::string> names;
    for (const Operand& operand : instruction.operands)
      if (operand.kind != OperandKind::Destination)
        names.push_back(llvm::formatv("{{{0}, {1}}", quoted(operand.name), operand.isRegister() ? "true" : "false"));
    if (!names.empty())
      os << "constexpr InsnInput k" << instruction.id << "Inputs[] = {" << llvm::join(names, ", ") << "};\n";
  }
  os << "constexpr InsnTemplate kTemplates[] = {\n";
  for (const Instruction& instruction : model.instructions) {
    auto constraints = llvm::map_to_vector(instruction.operands, [](const Operand& operand) {
      return operand.kind == OperandKind::Destination ? "=r" : operand.kind == OperandKind::Source ? "rJ" : "i";
    });
    constraints.push_back("~{memory}");
    const bool noInputs = instruction.operands.size() == (instruction.result() ? 1u : 0u);
    os << llvm::formatv("    {{Opcode::{0}, {1}, {2}, {3}, {4}, {5}, {6}},\n", instruction.id,
                        quoted("xfr." + instruction.stem()), quoted(insnTemplate(instruction, Spelling::LlvmIr)),
                        quoted(llvm::join(constraints, ",")), noInputs ? "{}" : "k" + instruction.id + "Inputs",
                        instruction.result() ? "true" : "false", instruction.noReturn ? "true" : "false");
  }
  os << "};\n";
}

}  // namespace forerun::isa::generator
