//===- EncodingTest.cpp - encode, decode and disassemble -------------------===//
// Random operands through every instruction, reserved bits, and encodings written out by hand.
#include "isa/ElementType.h"
#include "isa/Isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace forerun::isa {
namespace {

std::vector<std::uint32_t> randomOperands(const InstructionInfo& instruction, std::mt19937& random) {
  std::vector<std::uint32_t> operands;
  for (const OperandInfo& operand : instruction.operands)
    operands.push_back(operand.values.empty() ? static_cast<std::uint32_t>(random()) & ((1u << operand.width) - 1)
                                              : operand.values[random() % operand.values.size()].value);
  return operands;
}

TEST(Encoding, EveryInstructionRoundTrips) {
  std::mt19937 random(1);
  ASSERT_EQ(instructions().size(), kOpcodeCount);
  for (const InstructionInfo& instruction : instructions()) {
    EXPECT_EQ(&info(instruction.opcode), &instruction);
    for (int i = 0; i < 1000; ++i) {
      const auto operands = randomOperands(instruction, random);
      const std::uint32_t word = encode(instruction.opcode, operands);
      const auto decoded = decode(word);
      ASSERT_TRUE(decoded) << instruction.mnemonic;
      EXPECT_EQ(decoded->opcode, instruction.opcode);
      EXPECT_EQ(encode(*decoded), word);
      EXPECT_TRUE(isXfrSpace(word));
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const OperandInfo& operand = instruction.operands[k];
        const std::uint32_t field = operand.lowBit == 7    ? decoded->rd
                                    : operand.lowBit == 15 ? decoded->rs1
                                    : operand.lowBit == 20 ? decoded->rs2
                                    : operand.lowBit == 27 ? decoded->rs3
                                    : operand.lowBit == 26 ? decoded->funct2 >> 1
                                    : operand.width == 1   ? decoded->funct2 & 1u
                                                           : decoded->funct2;
        EXPECT_EQ(field, operands[k]) << instruction.mnemonic << " " << operand.name;
      }
    }
  }
}

TEST(Encoding, AnyChangedReservedBitIsAnotherInstructionOrRejected) {
  std::mt19937 random(2);
  for (const InstructionInfo& instruction : instructions()) {
    const std::uint32_t word = encode(instruction.opcode, randomOperands(instruction, random));
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (!((instruction.mask >> bit) & 1)) continue;
      const auto decoded = decode(word ^ (1u << bit));
      // Bits 0..14 and the function constant choose the instruction; the others must be zero.
      if (decoded) EXPECT_NE(decoded->opcode, instruction.opcode) << instruction.mnemonic << " bit " << bit;
      const bool chooses = bit < 7 || (bit >= 12 && bit < 15) || (bit >= 25 && (word & 0x7f) == 0x0b);
      if (!chooses) EXPECT_FALSE(decoded) << instruction.mnemonic << " bit " << bit;
    }
  }
}

TEST(Encoding, DecodedWordsHaveNoOtherEncoding) {
  std::mt19937 random(3);
  unsigned accepted = 0;
  for (int i = 0; i < 2000000; ++i) {
    constexpr std::uint32_t kMajors[] = {0x0b, 0x2b, 0x5b, 0x7b};
    const std::uint32_t word = (static_cast<std::uint32_t>(random()) & ~0x7fu) | kMajors[random() % 4];
    const auto decoded = decode(word);
    if (!decoded) continue;
    ++accepted;
    ASSERT_EQ(encode(*decoded), word);
  }
  EXPECT_GT(accepted, 10000u);
}

TEST(Encoding, ReservedValuesOfNamedFieldsAreRejected) {
  EXPECT_TRUE(decode(encode(Opcode::XdSet, {3, 22, 10})));
  for (std::uint32_t field = 23; field < 31; ++field)
    EXPECT_FALSE(decode(encode(Opcode::XdSet, {3, field, 10}))) << field;
  EXPECT_TRUE(decode(encode(Opcode::XdSet, {3, 31, 10})));
  EXPECT_TRUE(decode(encode(Opcode::Xid, {10, 13})));
  EXPECT_FALSE(decode(encode(Opcode::Xid, {10, 14})));
  EXPECT_FALSE(decode(encode(Opcode::Xmark, {10, 2})));
  EXPECT_TRUE(decode(encode(Opcode::XdmaIndex, {10, 1, 2, 3, 2})));
  EXPECT_FALSE(decode(encode(Opcode::XdmaIndex, {10, 1, 2, 3, 3})));
}

TEST(Encoding, WordsWrittenOutByHand) {
  // xdma.copy a0, d1, d2, a3: rs3 = 2, funct2 = 0, rs2 = 1, rs1 = 13, funct3 = 0, rd = 10.
  EXPECT_EQ(encode(Opcode::XdmaCopy, {10, 1, 2, 13}), 2u << 27 | 1u << 20 | 13u << 15 | 10u << 7 | 0x2bu);
  // xmm.run a0, dA = d4, dAcc = d5, swap and accumulate: rs2 is the command's first descriptor, dAcc.
  EXPECT_EQ(encode(Opcode::XmmRun, {10, 4, 5, 0, 1, 1}), 4u << 27 | 3u << 25 | 5u << 20 | 3u << 12 | 10u << 7 | 0x2bu);
  // xd.set d7, type, a1.
  EXPECT_EQ(encode(Opcode::XdSet, {7, 17, 11}), 17u << 20 | 11u << 15 | 7u << 7 | 0x0bu);
  // xbar.arrive a0, a1, a2.
  EXPECT_EQ(encode(Opcode::XbarArrive, {10, 11, 12}), 1u << 25 | 12u << 20 | 11u << 15 | 2u << 12 | 10u << 7 | 0x0bu);
  EXPECT_FALSE(decode(0x0000007b));
  EXPECT_FALSE(decode(0));
  EXPECT_FALSE(isXfrSpace(0x00000013));
}

TEST(Encoding, DisassemblyNamesOperands) {
  EXPECT_EQ(disassemble(encode(Opcode::XdmaCopy, {10, 1, 2, 0})), "xdma.copy a0, d1, d2, zero");
  EXPECT_EQ(disassemble(encode(Opcode::XmmRun, {10, 4, 5, 6, 1, 1})), "xmm.run a0, d4, d5, t1, swap, accumulate");
  EXPECT_EQ(disassemble(encode(Opcode::XmmRun, {10, 4, 5, 6, 0, 1})), "xmm.run a0, d4, d5, t1, accumulate");
  EXPECT_EQ(disassemble(encode(Opcode::XdSet, {31, 2, 12})), "xd.set d31, extent1, a2");
  EXPECT_EQ(disassemble(encode(Opcode::Xid, {5, 12})), "xid t0, dma_queues");
  EXPECT_EQ(disassemble(encode(Opcode::XdmaIndex, {10, 1, 2, 3, 2})), "xdma.index a0, d1, d2, d3, scatter_add");
  EXPECT_EQ(disassemble(encode(Opcode::Xnext, {10})), "xnext a0");
  EXPECT_EQ(disassemble(0xfff0000bu), ".4byte 0xfff0000b");
}

TEST(Encoding, NamesAndTypeCodesAgree) {
  EXPECT_EQ(name(DescriptorField::Multicast), "multicast");
  EXPECT_EQ(name(Identity::MatrixQueues), "matrix_queues");
  const std::pair<ElementTypeCode, ElementType> codes[] = {{ElementTypeCode::I1, ElementType::I1},
                                                           {ElementTypeCode::I8, ElementType::I8},
                                                           {ElementTypeCode::I16, ElementType::I16},
                                                           {ElementTypeCode::I32, ElementType::I32},
                                                           {ElementTypeCode::I64, ElementType::I64},
                                                           {ElementTypeCode::F16, ElementType::F16},
                                                           {ElementTypeCode::Bf16, ElementType::BF16},
                                                           {ElementTypeCode::F32, ElementType::F32},
                                                           {ElementTypeCode::F64, ElementType::F64},
                                                           {ElementTypeCode::F8e4m3fn, ElementType::F8E4M3FN},
                                                           {ElementTypeCode::F8e5m2, ElementType::F8E5M2},
                                                           {ElementTypeCode::I4, ElementType::I4},
                                                           {ElementTypeCode::F4e2m1fn, ElementType::F4E2M1FN},
                                                           {ElementTypeCode::F8e8m0fnu, ElementType::F8E8M0FNU}};
  ASSERT_EQ(std::size(codes), kElementTypeCount);
  for (const auto& [code, type] : codes) EXPECT_EQ(static_cast<unsigned>(code), static_cast<unsigned>(type));
}

TEST(Encoding, EveryInstructionIsOnTheReferencePage) {
  const std::string page(referencePage());
  for (const InstructionInfo& instruction : instructions())
    EXPECT_NE(page.find("## `" + std::string(instruction.mnemonic) + "`: " + std::string(instruction.summary)),
              std::string::npos);
}

}  // namespace
}  // namespace forerun::isa
