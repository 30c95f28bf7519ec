//===- CHeader.cpp - intrinsics for C and C++ compiled by clang ------------===//
// Instructions with immediates are macros, because an "i" operand must be a constant also at -O0; the others are inline
// functions.
#include "isa/generator/Model.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace forerun::isa::generator {
namespace {

std::string upper(llvm::StringRef text) { return text.upper(); }

std::string parameters(const Instruction& instruction, llvm::StringRef prefix) {
  std::vector<std::string> names;
  for (const Operand& operand : instruction.operands)
    if (operand.kind != OperandKind::Destination) names.push_back((prefix + operand.name).str());
  return llvm::join(names, ", ");
}

/// `: "=r"(result) : "rJ"(...), "i"(...) : "memory"`
std::string operandLists(const Instruction& instruction, llvm::StringRef result) {
  std::vector<std::string> inputs;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::Source) inputs.push_back(llvm::formatv("\"rJ\"((uint64_t)({0}))", operand.name));
    if (!operand.isRegister()) inputs.push_back(llvm::formatv("\"i\"({0})", operand.name));
  }
  const std::string outputs = instruction.result() ? llvm::formatv("\"=r\"({0}) ", result).str() : "";
  return llvm::formatv(": {0}: {1} : \"memory\"", outputs, llvm::join(inputs, ", "));
}

void emitFunction(const Instruction& instruction, llvm::raw_ostream& os) {
  const std::string arguments = parameters(instruction, "uint64_t ");
  const std::string text = quoted(insnTemplate(instruction, Spelling::C));
  os << (instruction.noReturn ? "__attribute__((noreturn)) " : "") << "static inline "
     << (instruction.result() ? "uint64_t" : "void") << " xfr_" << instruction.stem() << "("
     << (arguments.empty() ? "void" : arguments) << ") {\n";
  if (instruction.result()) os << "  uint64_t xfr_result_;\n";
  os << "  __asm__ volatile(" << text << " " << operandLists(instruction, "xfr_result_") << ");\n";
  if (instruction.result()) os << "  return xfr_result_;\n";
  if (instruction.noReturn) os << "  __builtin_unreachable();\n";
  os << "}\n\n";
}

void emitMacro(const Instruction& instruction, llvm::raw_ostream& os) {
  const std::string text = quoted(insnTemplate(instruction, Spelling::C));
  os << "#define xfr_" << instruction.stem() << "(" << parameters(instruction, "") << ") \\\n";
  if (instruction.result())
    os << "  (__extension__({ \\\n    uint64_t xfr_result_; \\\n    __asm__ volatile(" << text << " "
       << operandLists(instruction, "xfr_result_") << "); \\\n    xfr_result_; \\\n  }))\n\n";
  else
    os << "  __extension__({ __asm__ volatile(" << text << " " << operandLists(instruction, "") << "); })\n\n";
}

}  // namespace

void emitCHeader(const Model& model, llvm::raw_ostream& os) {
  os << "/* Generated from isa/Instructions.td; do not edit. Included by xfr.h. */\n#pragma once\n\n#include "
        "<stdint.h>\n\n"
     << "#define XFR_VERSION_MAJOR " << model.major << "\n#define XFR_VERSION_MINOR " << model.minor << "\n";
  for (const ValueSet& set : model.sets) {
    os << "\n/* " << set.title << ". */\n";
    for (const NamedValue& value : set.values) {
      os << "#define " << set.prefix << upper(value.name) << " " << value.value;
      if (!value.description.empty()) os << " /* " << value.description << " */";
      os << "\n";
    }
  }
  os << "\n";
  for (const Instruction& instruction : model.instructions) {
    os << "/* " << instruction.mnemonic << ": " << instruction.summary << ". Needs " << instruction.feature << ".";
    for (const Operand& operand : instruction.operands)
      os << "\n   " << (operand.kind == OperandKind::Destination ? "returns " : "") << operand.name
         << (operand.isRegister() ? ": " : " (constant): ") << operand.description;
    os << " */\n";
    instruction.hasImmediates() ? emitMacro(instruction, os) : emitFunction(instruction, os);
  }
}

}  // namespace forerun::isa::generator
