//===- ObjectTest.cpp - LLVM dialect to ELF ---------------------------------===//
// The half of the back end below the tile language: what the object and the ELF hold.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HartCode.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace forerun::backends::accelerator {
namespace {

targets::TargetSpec vectorTarget() {
  targets::TargetSpec target;
  targets::TeamSpec team;
  team.name = "team";
  team.count = 4;
  team.vlenBits = 512;
  team.zvfh = team.zvfbfmin = true;
  target.teams = {team};
  return target;
}

class AcceleratorObject : public testing::Test {
 protected:
  AcceleratorObject() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }

  llvm::Expected<std::unique_ptr<llvm::Module>> toLlvm(llvm::StringRef text) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_, "kernel.mlir");
    if (!module_) return llvm::createStringError("does not parse");
    if (llvm::Error error = lowerXfrToLlvm(*module_)) return error;
    return emitLlvmIr(*module_, target_, llvmContext_);
  }

  std::vector<char> object(llvm::StringRef text) {
    auto llvmModule = toLlvm(text);
    EXPECT_TRUE(bool(llvmModule)) << llvm::toString(llvmModule.takeError());
    if (!llvmModule) return {};
    auto bytes = emitObject(**llvmModule, target_);
    EXPECT_TRUE(bool(bytes)) << llvm::toString(bytes.takeError());
    return bytes ? *bytes : std::vector<char>{};
  }

  mlir::MLIRContext context_;
  llvm::LLVMContext llvmContext_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  targets::TargetSpec target_ = vectorTarget();
};

constexpr char kLoop[] = R"(module attributes {xfr.needs = ["xfr.dma", "scratch>=64"]} {
  llvm.func @entry(%a: !llvm.ptr {llvm.noalias}, %n: i64) {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %c = llvm.mlir.constant(3.0 : f16) : f16
    scf.for %i = %zero to %n step %one : i64 {
      %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f16
      %v = llvm.load %p : !llvm.ptr -> f16
      %w = arith.mulf %v, %c : f16
      llvm.store %w, %p : f16, !llvm.ptr
    }
    llvm.return
  }
})";

llvm::object::ELF64LEObjectFile parse(const std::vector<char>& bytes) {
  return llvm::cantFail(llvm::object::ELF64LEObjectFile::create(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "program")));
}

std::string section(const std::vector<char>& bytes, llvm::StringRef name) {
  auto file = parse(bytes);
  for (const llvm::object::SectionRef& section : file.sections())
    if (llvm::cantFail(section.getName()) == name) return llvm::cantFail(section.getContents()).str();
  return "";
}

TEST_F(AcceleratorObject, LoopVectorisesForTheTargetsLength) {
  auto llvmModule = toLlvm(kLoop);
  ASSERT_TRUE(bool(llvmModule)) << llvm::toString(llvmModule.takeError());
  auto text = emitAssembly(**llvmModule, target_);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_NE(text->find("vfmul"), std::string::npos) << *text;
  EXPECT_NE(text->find("kernel.mlir"), std::string::npos);
}

TEST_F(AcceleratorObject, ScalarTargetGetsScalarCode) {
  target_.teams[0].vlenBits = 0;
  auto llvmModule = toLlvm(kLoop);
  ASSERT_TRUE(bool(llvmModule)) << llvm::toString(llvmModule.takeError());
  auto text = emitAssembly(**llvmModule, target_);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_EQ(text->find("vset"), std::string::npos) << *text;
  EXPECT_NE(text->find("fmul.h"), std::string::npos) << *text;
}

TEST_F(AcceleratorObject, ElfStandsAtTheProgramBaseWithNoteEntryAndLines) {
  auto elf = linkElf(object(kLoop), "entry");
  ASSERT_TRUE(bool(elf)) << llvm::toString(elf.takeError());
  auto file = parse(*elf);
  EXPECT_EQ(file.getELFFile().getHeader().e_machine, std::uint16_t{llvm::ELF::EM_RISCV});
  EXPECT_EQ(file.getELFFile().getHeader().e_type, std::uint16_t{llvm::ELF::ET_EXEC});
  std::uint64_t entry = 0;
  for (const llvm::object::SymbolRef& symbol : file.symbols())
    if (llvm::cantFail(symbol.getName()) == "entry") entry = llvm::cantFail(symbol.getAddress());
  EXPECT_GE(entry, 0x40000000u);
  EXPECT_EQ(file.getELFFile().getHeader().e_entry, entry);

  const std::string note = section(*elf, ".note.forerun");
  ASSERT_GE(note.size(), 28u);
  EXPECT_EQ(note.substr(12, 8), std::string("Forerun\0", 8));
  for (const char* need : {"v", "vlen>=512", "zvfh", "xfr.dma", "scratch>=64"})
    EXPECT_NE(note.find(std::string("\0", 1) + need + std::string("\0", 1)), std::string::npos) << need;

  auto dwarf = llvm::DWARFContext::create(file);
  llvm::DILineInfo line =
      dwarf->getLineInfoForAddress({entry, llvm::object::SectionedAddress::UndefSection}).value_or(llvm::DILineInfo{});
  EXPECT_NE(line.FileName.find("kernel.mlir"), std::string::npos) << line.FileName;
  EXPECT_GE(line.Line, 2u);
}

TEST_F(AcceleratorObject, LibraryCallIsRefusedByName) {
  const std::vector<char> bytes = object(R"(module {
    llvm.func @entry(%a: f64, %p: !llvm.ptr) {
      %v = arith.remf %a, %a : f64
      llvm.store %v, %p : f64, !llvm.ptr
      llvm.return
    }
  })");
  auto elf = linkElf(bytes, "entry");
  ASSERT_FALSE(bool(elf));
  EXPECT_NE(llvm::toString(elf.takeError()).find("calls fmod"), std::string::npos);
}

TEST_F(AcceleratorObject, SameModuleGivesSameBytes) {
  auto first = linkElf(object(kLoop), "entry");
  auto second = linkElf(object(kLoop), "entry");
  ASSERT_TRUE(bool(first) && bool(second));
  EXPECT_EQ(*first, *second);
}

TEST(ComputeTeams, ScalarTeamsDoNotComputeBesideVectorTeams) {
  targets::TargetSpec target = vectorTarget();
  targets::TeamSpec scalar;
  scalar.count = 1;
  target.teams.insert(target.teams.begin(), scalar);
  const ComputeTeams teams = computeTeams(target);
  EXPECT_EQ(teams.first, 1u);
  EXPECT_EQ(teams.count, 4u);
  EXPECT_EQ(teams.coreTeams, 5u);
  EXPECT_EQ(teams.vlenBits, 512u);
}

}  // namespace
}  // namespace forerun::backends::accelerator
