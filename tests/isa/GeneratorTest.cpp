//===- GeneratorTest.cpp - mistakes in the instruction tables --------------===//
// The generator must stop the build with the name of the record at fault. Each case breaks one thing in the records of
// the real tables.
#include "isa/generator/Model.h"

#include <gtest/gtest.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

namespace forerun::isa::generator {
namespace {

class Generator : public testing::Test {
 protected:
  void SetUp() override {
    auto text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(ISA_RECORDS)));
    records = llvm::cantFail(llvm::json::parse(text->getBuffer()));
  }
  llvm::json::Object& record(llvm::StringRef name) { return *records.getAsObject()->getObject(name); }
  static llvm::json::Object reference(llvm::StringRef name) {
    return llvm::json::Object{{"def", name}, {"kind", "def"}, {"printable", name}};
  }
  /// The k-th operand's record. Operands made by shared definitions (Token, After) change for all instructions.
  llvm::json::Object& operand(llvm::StringRef instruction, std::size_t k) {
    const auto& list = *record(instruction).getArray("operands");
    return record(*list[k].getAsObject()->getString("def"));
  }
  std::string error() {
    auto model = parseModel(llvm::formatv("{0}", records).str());
    return model ? "" : llvm::toString(model.takeError());
  }

  llvm::json::Value records = nullptr;
};

TEST_F(Generator, RealTablesAreFine) { EXPECT_EQ(error(), ""); }

TEST_F(Generator, TwoInstructionsWithOneEncoding) {
  record("XdmaIndex")["funct3"] = 0;
  EXPECT_EQ(error(), "XdmaCopy and XdmaIndex share an encoding");
}

TEST_F(Generator, FieldsThatOverlap) {
  operand("XmmRun", 1)["slot"] = reference("Rs2");
  EXPECT_EQ(error(), "XmmRun: operand 'dAcc' overlaps other bits");
}

TEST_F(Generator, FlagWiderThanOneBit) {
  operand("XmmLoad", 3)["slot"] = reference("Funct2");
  EXPECT_EQ(error(), "XmmLoad: flag 'transpose' must be one bit");
}

TEST_F(Generator, NamesTakenTwice) {
  record("XdmaIndex")["mnemonic"] = "xdma.copy";
  EXPECT_EQ(error(), "XdmaIndex: mnemonic 'xdma.copy' is taken");
  SetUp();
  operand("XmmRun", 2)["name"] = "dA";
  EXPECT_EQ(error(), "XmmRun: two operands are named 'dA'");
}

TEST_F(Generator, ConstantsThatDoNotFit) {
  record("XmmRun")["funct"] = 2;
  EXPECT_EQ(error(), "XmmRun: the function constant does not fit beside the operands");
  SetUp();
  record("XdSet")["funct3"] = 8;
  EXPECT_EQ(error(), "XdSet: funct3 does not fit");
  SetUp();
  operand("XdmaIndex", 4)["slot"] = reference("Funct2Bit0");
  EXPECT_EQ(error(), "XdmaIndex: values of operand 'mode' do not fit its bits");
}

TEST_F(Generator, MissingTexts) {
  record("Xnext")["semantics"] = "";
  EXPECT_EQ(error(), "Xnext: no summary or no semantics");
}

TEST_F(Generator, NotARecordDump) {
  auto model = parseModel("[1]");
  ASSERT_FALSE(model);
  EXPECT_EQ(llvm::toString(model.takeError()), "not a record dump");
}

}  // namespace
}  // namespace forerun::isa::generator
