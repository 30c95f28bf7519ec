//===- ScalarDecoderTest.cpp - compressed forms and disassembly -------------===//
// The expansion of 16-bit encodings against LLVM's own decoding of them, for every encoding.
#include "simulator/core/Compressed.h"
#include "simulator/core/Decoder.h"
#include "simulator/core/instructions/InstructionTable.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace forerun::sim::core {
namespace {

std::array<std::uint8_t, 4> bytesOf(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word >> 16),
          static_cast<std::uint8_t>(word >> 24)};
}

/// LLVM's printer shows most compressed instructions in the assembly of their 32-bit form: both texts must agree.
class Printer {
 public:
  Printer() {
    std::string message;
    const llvm::Triple triple("riscv64");
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, message);
    registers_.reset(target->createMCRegInfo(triple));
    assembly_.reset(target->createMCAsmInfo(*registers_, triple, options_));
    subtarget_.reset(target->createMCSubtargetInfo(triple, "generic-rv64", "+m,+a,+f,+d,+c"));
    instructions_.reset(target->createMCInstrInfo());
    context_ = std::make_unique<llvm::MCContext>(triple, assembly_.get(), registers_.get(), subtarget_.get());
    disassembler_.reset(target->createMCDisassembler(*subtarget_, *context_));
    printer_.reset(target->createMCInstPrinter(triple, 0, *assembly_, *instructions_, *registers_));
  }
  std::string text(llvm::ArrayRef<std::uint8_t> bytes) {
    llvm::MCInst inst;
    std::uint64_t size = 0;
    if (disassembler_->getInstruction(inst, size, bytes, 0, llvm::nulls()) != llvm::MCDisassembler::Success) return {};
    if (instructions_->getName(inst.getOpcode()) == "C_UNIMP") return {};
    std::string out;
    llvm::raw_string_ostream stream(out);
    printer_->printInst(&inst, 0x1000, "", *subtarget_, stream);
    return out;
  }

 private:
  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembly_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

TEST(Compressed, ExpandsEveryEncodingToWhatLlvmPrints) {
  Decoder decoder;  // registers LLVM's target
  Printer printer;
  unsigned valid = 0, differing = 0;
  for (std::uint32_t encoding = 0; encoding < 0x10000; ++encoding) {
    if ((encoding & 3) == 3) continue;
    const auto wide = bytesOf(encoding);
    const std::string compressed = printer.text({wide.data(), 2});
    const auto expanded = expandCompressed(static_cast<std::uint16_t>(encoding));
    ASSERT_EQ(!compressed.empty(), expanded.has_value()) << std::hex << encoding << " " << compressed;
    if (!expanded) continue;
    ++valid;
    const std::string text = printer.text(bytesOf(*expanded));
    if (llvm::StringRef(compressed).starts_with("\tc.")) {  // a hint: whatever it is called, it must change nothing
      const std::uint32_t immediateForm = *expanded & 0x7f;
      const bool writesZero = (*expanded >> 7 & 31) == 0;
      const bool changesNothing = immediateForm == 0x13 && (*expanded >> 20 & 0x3ff) == 0 &&
                                  (*expanded >> 7 & 31) == (*expanded >> 15 & 31);  // + 0, << 0
      if (!writesZero && !changesNothing && ++differing <= 20)
        ADD_FAILURE() << std::hex << encoding << ": `" << text << "` is no hint";
      continue;
    }
    ASSERT_FALSE(text.empty()) << std::hex << encoding << " expands to an illegal " << *expanded;
    if (text != compressed && ++differing <= 20)
      ADD_FAILURE() << std::hex << encoding << ": LLVM prints `" << compressed << "`, the expansion is `" << text
                    << "`";
  }
  EXPECT_GT(valid, 40'000u);
  EXPECT_EQ(differing, 0u);
}

TEST(Decoder, DisassemblesStandardCompressedXfrAndUnknownWords) {
  Decoder decoder;
  EXPECT_EQ(decoder.disassemble(0x40000000, bytesOf(0x00450513)), "addi a0, a0, 4");
  EXPECT_EQ(decoder.disassemble(0x40000000, bytesOf(0x0511)), "addi a0, a0, 4");
  EXPECT_EQ(decoder.disassemble(0x40000000, bytesOf(0xffffffff)), ".insn 0xffffffff");
  const auto vector = bytesOf(0x0d0572d7);
  EXPECT_EQ(decoder.disassemble(0x40000000, vector), "vsetvli t0, a0, e32, m1, ta, ma");
  EXPECT_NE(decoder.disassemble(0x40000000, bytesOf(0x0000000b)).find("xd.set"), std::string::npos);
}

TEST(Decoder, RefusesInstructionsThatAreCutShort) {
  Decoder decoder;
  MachineInstruction instruction;
  const auto bytes = bytesOf(0x00450513);
  EXPECT_FALSE(decoder.decode({bytes.data(), 2}, instruction));
  EXPECT_FALSE(decoder.decode({bytes.data(), 1}, instruction));
  EXPECT_TRUE(decoder.decode({bytes.data(), 4}, instruction));
  EXPECT_EQ(instruction.name, "ADDI");
}

/// Every scalar instruction of the supported extensions that LLVM can decode has a handler.
TEST(InstructionTable, KnowsEveryNameThatRandomWordsDecodeTo) {
  Decoder decoder;
  const InstructionTable table;
  std::uint64_t state = 1;
  unsigned decoded = 0;
  for (int i = 0; i < 400'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    static constexpr std::uint32_t opcodes[] = {0x03, 0x07, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x27, 0x2f, 0x33, 0x37,
                                                0x3b, 0x43, 0x47, 0x4b, 0x4f, 0x53, 0x63, 0x67, 0x6f, 0x73};
    auto word = static_cast<std::uint32_t>(state >> 32);
    word = (word & ~0x7fu) | opcodes[i % std::size(opcodes)];
    if (i % 3 == 0) word &= 0x07ffffff;
    MachineInstruction instruction;
    const auto bytes = bytesOf(word);
    if (!decoder.decode(bytes, instruction)) continue;
    if (instruction.name.starts_with("V") || instruction.name == "UNIMP") continue;
    // Privileged instructions do not exist for user programs.
    static const char* const privileged[] = {"WFI", "MRET", "SRET", "SFENCE_VMA", "DRET", "SCTRCLR", "MNRET"};
    if (std::find(std::begin(privileged), std::end(privileged), instruction.name) != std::end(privileged)) continue;
    ++decoded;
    EXPECT_NE(table.find(instruction.name), nullptr) << instruction.name.str();
  }
  EXPECT_GT(decoded, 50'000u);
}

}  // namespace
}  // namespace forerun::sim::core
