//===- CompiledProgramTest.cpp - what clang makes of the header ------------===//
// XfrHeaderProgram.c is compiled at -O0 and -O2 by the build; its Xfr words, in order, must be those that encode()
// gives but for allocated registers. The LLVM IR templates are assembled the same way from a module written here.
#include "isa/ElfNote.h"
#include "isa/InsnTemplates.h"
#include "isa/Isa.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstring>

namespace forerun::isa {
namespace {

/// Words of custom opcodes in .text, in address order; instructions of 16 bits are stepped over.
std::vector<std::uint32_t> xfrWords(const llvm::object::ObjectFile& object) {
  std::vector<std::uint32_t> words;
  for (const auto& section : object.sections()) {
    if (!section.isText()) continue;
    const llvm::StringRef text = llvm::cantFail(section.getContents());
    for (std::size_t at = 0; at + 2 <= text.size();) {
      std::uint32_t word = 0;
      std::memcpy(&word, text.data() + at, std::min<std::size_t>(4, text.size() - at));
      const bool wide = (word & 3) == 3;
      if (wide && isXfrSpace(word)) words.push_back(word);
      at += wide ? 4 : 2;
    }
  }
  return words;
}

std::uint32_t withoutRegisters(std::uint32_t word) {
  const auto decoded = decode(word);
  if (!decoded) return word;
  for (const OperandInfo& operand : info(decoded->opcode).operands)
    if (operand.kind == OperandKind::Destination || operand.kind == OperandKind::Source)
      word &= ~(((1u << operand.width) - 1) << operand.lowBit);
  return word;
}

/// Every instruction with the immediates that XfrHeaderProgram.c gives: the k-th immediate of an instruction is its
/// largest value that is defined.
std::vector<std::uint32_t> expectedWords() {
  std::vector<std::uint32_t> words;
  for (const InstructionInfo& instruction : instructions()) {
    std::vector<std::uint32_t> operands;
    std::uint32_t descriptor = 31;
    for (const OperandInfo& operand : instruction.operands) {
      switch (operand.kind) {
        case OperandKind::Descriptor:
          operands.push_back(descriptor--);
          break;
        case OperandKind::Value:
          operands.push_back(operand.values.back().value);
          break;
        case OperandKind::Flag:
          operands.push_back(1);
          break;
        default:
          operands.push_back(0);
          break;
      }
    }
    words.push_back(encode(instruction.opcode, operands));
  }
  return words;
}

class CompiledProgram : public testing::TestWithParam<const char*> {};

TEST_P(CompiledProgram, WordsAreThoseOfTheEncoder) {
  const auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(GetParam()));
  std::vector<std::uint32_t> words;
  for (const std::uint32_t word : xfrWords(*file.getBinary())) words.push_back(withoutRegisters(word));
  // At -O0 the inline functions are separate functions behind the program; order does not matter, presence and bits do.
  auto expected = expectedWords();
  std::sort(words.begin(), words.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(words, expected);
}

TEST_P(CompiledProgram, NoteCarriesVersionAndNeeds) {
  const auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(GetParam()));
  for (const auto& section : file.getBinary()->sections()) {
    if (llvm::cantFail(section.getName()).str() != kNoteSection) continue;
    const llvm::StringRef bytes = llvm::cantFail(section.getContents());
    std::string error;
    const auto note = parseNotes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, error);
    ASSERT_TRUE(note) << error;
    EXPECT_EQ(note->major, kVersionMajor);
    EXPECT_EQ(note->minor, kVersionMinor);
    EXPECT_EQ(note->needs, (std::vector<Need>{*parseNeed("xfr.dma"), *parseNeed("scratch>=4096")}));
    return;
  }
  FAIL() << "no note section";
}

INSTANTIATE_TEST_SUITE_P(Optimisation, CompiledProgram, testing::Values(XFR_PROGRAM_O0, XFR_PROGRAM_O2));

/// One function that holds every template, with registers from its arguments.
std::string templateModule() {
  std::string body;
  unsigned next = 0;
  for (const InsnTemplate& row : insnTemplates()) {
    std::string arguments;
    std::uint32_t descriptor = 31;
    for (std::size_t i = 0, operand = row.hasResult ? 1 : 0; i < row.inputs.size(); ++i, ++operand) {
      const OperandInfo& about = info(row.opcode).operands[operand];
      EXPECT_EQ(about.name, row.inputs[i].name);
      EXPECT_EQ(row.inputs[i].isRegister, about.kind == OperandKind::Source);
      if (!arguments.empty()) arguments += ", ";
      if (about.kind == OperandKind::Source) arguments += i == 0 ? "i64 0" : "i64 %a";
      if (about.kind == OperandKind::Descriptor) arguments += "i32 " + std::to_string(descriptor--);
      if (about.kind == OperandKind::Value) arguments += "i32 " + std::to_string(about.values.back().value);
      if (about.kind == OperandKind::Flag) arguments += "i32 1";
    }
    body += "  ";
    if (row.hasResult) body += "%r" + std::to_string(next++) + " = ";
    body += std::string("call ") + (row.hasResult ? "i64" : "void") + " asm sideeffect \"" + std::string(row.text) +
            "\", \"" + std::string(row.constraints) + "\"(" + arguments + ")\n";
  }
  return "target triple = \"riscv64-unknown-elf\"\ndefine void @f(i64 %a) {\n" + body + "  ret void\n}\n";
}

TEST(InsnTemplates, AssembleToTheWordsOfTheEncoder) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmParser();
  LLVMInitializeRISCVAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(templateModule(), diagnostic, context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  std::string error;
  const llvm::Triple triple("riscv64-unknown-elf");
  const auto* target = llvm::TargetRegistry::lookupTarget(triple, error);
  ASSERT_TRUE(target) << error;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "generic-rv64", "+m,+a,+f,+d,+c", llvm::TargetOptions(), std::nullopt));
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  ASSERT_FALSE(machine->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::ObjectFile));
  passes.run(*module);
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(bytes.data(), bytes.size()), "object", false);
  const auto object = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*buffer));
  const auto words = xfrWords(*object);
  const auto expected = expectedWords();
  ASSERT_EQ(words.size(), expected.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(withoutRegisters(words[i]), expected[i]) << disassemble(words[i]) << " vs " << disassemble(expected[i]);
    // Constant zeros take x0; other sources take a register.
    const auto decoded = decode(words[i]);
    ASSERT_TRUE(decoded);
    const auto& operands = info(decoded->opcode).operands;
    const std::size_t first = !operands.empty() && operands[0].kind == OperandKind::Destination;
    if (operands.size() > first && operands[first].kind == OperandKind::Source) EXPECT_EQ(decoded->rs1, 0);
  }
  EXPECT_EQ(insnTemplate("xfr.dma_copy")->opcode, Opcode::XdmaCopy);
  EXPECT_EQ(insnTemplate("xfr.nothing"), nullptr);
}

}  // namespace
}  // namespace forerun::isa
