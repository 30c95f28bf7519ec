//===- Model.h - the instruction tables as the generator sees them ---------===//
// Plain data read from `llvm-tblgen --dump-json`; every emitter works from this and nothing else.
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::isa::generator {

struct NamedValue {
  std::uint32_t value = 0;
  std::string name, description;
};

struct ValueSet {
  std::string id;  ///< name of the record, and of the C++ enum
  std::string prefix, title;
  std::vector<NamedValue> values;  ///< ascending
};

enum class OperandKind { Destination, Source, Descriptor, Value, Flag };

struct Operand {
  std::string name, description;
  OperandKind kind = OperandKind::Source;
  unsigned low = 0, width = 0;
  int set = -1;  ///< index into Model::sets, -1 = any value

  bool isRegister() const { return kind == OperandKind::Destination || kind == OperandKind::Source; }
};

struct Instruction {
  std::string id;        ///< name of the record, and of the C++ enumerator
  std::string mnemonic;  ///< "xdma.copy"
  std::string format;    ///< ".insn" format: "r" or "r4"
  unsigned functBits = 0, opcode = 0, funct3 = 0, funct = 0;
  std::vector<Operand> operands;
  std::string unitId, unit, feature, summary, semantics, since;
  bool noReturn = false;
  std::uint32_t match = 0, mask = 0;

  const Operand* at(unsigned low) const;  ///< operand that starts at this bit, or null
  const Operand* result() const;
  bool hasImmediates() const;
  std::string stem() const;  ///< mnemonic without its x, dots as underscores: "dma_copy"
};

struct Model {
  unsigned major = 0, minor = 0;
  std::vector<ValueSet> sets;
  std::vector<Instruction> instructions;  ///< by encoding
};

/// Reads and checks the tables. Errors name the record: overlapping fields or encodings, duplicate names, constants
/// that do not fit.
llvm::Expected<Model> parseModel(llvm::StringRef json);

/// How the operands of the `.insn` line are spelled: C inline assembly or LLVM IR inline assembly.
enum class Spelling { C, LlvmIr };
/// ".insn r4 0x2b, 0, 0, %0, %z1, x%c2, x%c3". Operands are numbered in assembly order (the result, if any, is 0).
std::string insnTemplate(const Instruction& instruction, Spelling spelling);

/// "dma_queues" -> "DmaQueues".
std::string upperCamel(llvm::StringRef name);
/// A C string literal.
std::string quoted(llvm::StringRef text);
/// Text with leading and trailing blanks gone and runs of blanks as one space.
std::string oneLine(llvm::StringRef text);

void emitEncodingHeader(const Model& model, llvm::raw_ostream& os);  ///< isa/Encoding.h: enums
void emitEncodingTable(const Model& model, llvm::raw_ostream& os);   ///< isa/Encoding.inc: tables for Isa.cpp
void emitCHeader(const Model& model, llvm::raw_ostream& os);         ///< xfr_intrinsics.h
void emitDialect(const Model& model, llvm::raw_ostream& os);         ///< isa/XfrOps.td
void emitInsnTemplates(const Model& model, llvm::raw_ostream& os);   ///< isa/InsnTemplates.inc
void emitPage(const Model& model, llvm::raw_ostream& os);            ///< docs/generated/isa.md

}  // namespace forerun::isa::generator
