//===- VectorMnemonicsTest.cpp - every mnemonic is accounted for ------------===//
// Each vector instruction that LLVM knows is either decoded or on the list of unsupported ones, which is printed.
#include "simulator/core/instructions/Vector.h"
#include "tests/simulator/core/VectorTestHart.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <gtest/gtest.h>

namespace forerun::sim::core {
namespace {

TEST(VectorMnemonics, EveryOneIsDecodedOrRefusedByName) {
  const llvm::MCInstrInfo& info = vectorTarget().instructions();
  unsigned decodedCount = 0;
  std::vector<std::string> refused;
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode) {
    const llvm::StringRef name = info.getName(opcode);
    const llvm::MCInstrDesc& desc = info.get(opcode);
    if (!name.starts_with("V") || desc.isPseudo()) continue;
    // Operands of the right kinds suffice for decoding.
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    for (const llvm::MCOperandInfo& operand : desc.operands()) {
      if (operand.RegClass >= 0)
        inst.addOperand(
            llvm::MCOperand::createReg(vectorTarget().registers().getRegClass(operand.RegClass).getRegister(0)));
      else
        inst.addOperand(llvm::MCOperand::createImm(0));
    }
    DecodedVector decoded;
    const bool known = decodeVector(name, inst, vectorTarget().registers(), decoded);
    EXPECT_NE(known, isUnsupportedVector(name)) << name.str();
    if (known) {
      ++decodedCount;
      EXPECT_NE(decoded.executor, nullptr) << name.str();
    } else {
      refused.push_back(name.str());
    }
  }
  std::string list;
  for (const std::string& name : refused) list += " " + name;
  std::printf("%u vector mnemonics decoded, %zu unsupported:%s\n", decodedCount, refused.size(), list.c_str());
  EXPECT_EQ(decodedCount, 631u);  // V 1.0, Zvfh, Zvfbfmin, Zvfbfwma in LLVM 22
}

}  // namespace
}  // namespace forerun::sim::core
