//===- ScalarProgramTest.cpp - loading programs -----------------------------===//
// Good programs load and know their lines; each kind of damage gives one message.
#include "simulator/core/Program.h"
#include "simulator/kernel/Error.h"
#include "tests/simulator/qemu/QemuProgram.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <functional>

namespace forerun::sim::core {
namespace {

using Header = llvm::object::ELF64LE::Ehdr;
using Segment = llvm::object::ELF64LE::Phdr;

/// A minimal executable: one segment of 16 bytes of code.
std::vector<std::uint8_t> tinyElf() {
  std::vector<std::uint8_t> bytes(sizeof(Header) + sizeof(Segment) + 16);
  auto& h = *reinterpret_cast<Header*>(bytes.data());
  std::memcpy(h.e_ident, llvm::ELF::ElfMagic, 4);
  h.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  h.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  h.e_ident[llvm::ELF::EI_VERSION] = 1;
  h.e_type = llvm::ELF::ET_EXEC;
  h.e_machine = llvm::ELF::EM_RISCV;
  h.e_version = 1;
  h.e_entry = kProgramBase + 8;
  h.e_phoff = sizeof(Header);
  h.e_ehsize = sizeof(Header);
  h.e_phentsize = sizeof(Segment);
  h.e_phnum = 1;
  h.e_shentsize = 64;
  auto& s = *reinterpret_cast<Segment*>(bytes.data() + sizeof(Header));
  s.p_type = llvm::ELF::PT_LOAD;
  s.p_flags = llvm::ELF::PF_R | llvm::ELF::PF_X;
  s.p_offset = sizeof(Header) + sizeof(Segment);
  s.p_vaddr = kProgramBase;
  s.p_filesz = 16;
  s.p_memsz = 32;
  bytes.back() = 0xab;
  return bytes;
}
Header& header(std::vector<std::uint8_t>& bytes) { return *reinterpret_cast<Header*>(bytes.data()); }
Segment& segment(std::vector<std::uint8_t>& bytes) {
  return *reinterpret_cast<Segment*>(bytes.data() + sizeof(Header));
}

std::string refusal(const std::function<void(std::vector<std::uint8_t>&)>& damage) {
  std::vector<std::uint8_t> bytes = tinyElf();
  damage(bytes);
  try {
    Program program(bytes, "prog.elf");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::IllegalProgram);
    EXPECT_EQ(std::string(error.what()).find("prog.elf: "), 0u) << error.what();
    return error.what();
  }
  return "accepted";
}

TEST(Program, LoadsSegmentsAndZeroesTheRest) {
  const std::vector<std::uint8_t> bytes = tinyElf();
  const Program program(bytes, "tiny");
  AddressSpace space({.cores = 1, .privateBytesPerTeam = {4096}});
  std::uint8_t* memory = space.find(0, 0, kProgramBase).data;
  memory[20] = 7;
  program.loadInto(space);
  EXPECT_EQ(memory[15], 0xab);
  EXPECT_EQ(memory[20], 0);
  EXPECT_EQ(program.entry(), kProgramBase + 8);
  EXPECT_FALSE(program.note());
  EXPECT_FALSE(program.symbol("main"));
  EXPECT_EQ(program.sourceLocation(kProgramBase), "");
}

TEST(Program, RefusesDamagedFilesWithOneMessageEach) {
  const auto expect = [](const std::string& text, const std::function<void(std::vector<std::uint8_t>&)>& damage) {
    const std::string message = refusal(damage);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  expect("cut short", [](auto& b) { b.resize(30); });
  expect("cut short", [](auto& b) { b.resize(b.size() - 1); });
  expect("cannot read the program headers", [](auto& b) { b.resize(sizeof(Header) + 10); });
  expect("not an ELF", [](auto& b) { b[1] = 'X'; });
  expect("not a 64-bit ELF", [](auto& b) { b[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS32; });
  expect("little-endian", [](auto& b) { b[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2MSB; });
  expect("machine 62, expected RISC-V", [](auto& b) { header(b).e_machine = llvm::ELF::EM_X86_64; });
  expect("not a static executable", [](auto& b) { header(b).e_type = llvm::ELF::ET_DYN; });
  expect("outside program memory", [](auto& b) { segment(b).p_vaddr = kProgramBase - 4096; });
  expect("outside program memory", [](auto& b) { segment(b).p_memsz = kProgramBytes + 1; });
  expect("outside program memory", [](auto& b) { segment(b).p_vaddr = ~std::uint64_t{0} - 8; });
  expect("in no executable segment", [](auto& b) { header(b).e_entry = kProgramBase + 64; });
  expect("in no executable segment", [](auto& b) { segment(b).p_flags = llvm::ELF::PF_R; });
  expect("no segment to load", [](auto& b) { segment(b).p_type = llvm::ELF::PT_NOTE; });
  expect("dynamically linked", [](auto& b) { segment(b).p_type = llvm::ELF::PT_INTERP; });
}

TEST(Program, RefusesAMissingFile) { EXPECT_THROW(Program::fromFile("/nowhere/prog.elf"), Error); }

TEST(Program, FindsSymbolsAndSourceLines) {
  if (!llvm::sys::fs::exists(test::qemuProgramPath("sorts")))
    GTEST_SKIP() << "the build found no clang with a RISC-V target to compile the programs";
  const Program program = Program::fromFile(test::qemuProgramPath("sorts"));
  const auto main = program.symbol("main");
  ASSERT_TRUE(main);
  const std::string location = program.sourceLocation(*main);
  EXPECT_NE(location.find("sorts.c:"), std::string::npos) << location;
  EXPECT_FALSE(program.symbol("no such symbol"));
}

TEST(Program, EveryTruncationOfARealFileIsRefusedOrLoads) {
  if (!llvm::sys::fs::exists(test::qemuProgramPath("divide")))
    GTEST_SKIP() << "the build found no clang with a RISC-V target to compile the programs";
  auto buffer = llvm::MemoryBuffer::getFile(test::qemuProgramPath("divide"), false, false);
  ASSERT_TRUE(static_cast<bool>(buffer));
  const auto* data = reinterpret_cast<const std::uint8_t*>((*buffer)->getBufferStart());
  unsigned refused = 0;
  for (std::size_t bytes = 0; bytes < (*buffer)->getBufferSize(); bytes += 97) {
    try {
      Program program({data, bytes}, "cut.elf");
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, (*buffer)->getBufferSize() / 97) << "the section headers stand at the end of the file";
}

}  // namespace
}  // namespace forerun::sim::core
