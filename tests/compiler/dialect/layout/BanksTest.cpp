//===- BanksTest.cpp - bank conflicts --------------------------------------===//
// Accesses whose conflicts can be counted by hand.
#include "compiler/dialect/layout/Banks.h"

#include "tests/compiler/dialect/layout/LayoutFixture.h"

namespace forerun::layout {
namespace {

TEST(LayoutBanks, SwizzleRemovesTheConflictsOfAColumn) {
  const BankGeometry gpu{32, 4, 1};
  const IndexRange matrix[] = {{0, 8}, {0, 8}};  // what eight lanes read as rows of 16 bytes
  const BankUse plain = llvm::cantFail(bankUse({read("(8,64):(64,1)"), {8, 64}}, matrix, 16, gpu));
  EXPECT_EQ(plain.elements, 64);
  EXPECT_EQ(plain.words, 32);
  EXPECT_EQ(plain.cycles, 8);
  EXPECT_EQ(plain.fewestCycles, 1);
  EXPECT_EQ(plain.perBank[0], 8);
  EXPECT_EQ(plain.perBank[4], 0);
  const BankUse swizzled =
      llvm::cantFail(bankUse({read("swizzle(3,3,3) of S[(8,64):(64,1)]"), {8, 64}}, matrix, 16, gpu));
  EXPECT_EQ(swizzled.cycles, 1);
  EXPECT_EQ(swizzled.perBank[31], 1);
}

TEST(LayoutBanks, WordsCountOnceAndPortsShare) {
  const BankUse row = llvm::cantFail(bankUse({read("64:1"), {64}}, {{0, 64}}, 8, {4, 16, 1}));
  EXPECT_EQ(row.words, 4);
  EXPECT_EQ(row.cycles, 1);
  const BankUse broadcast = llvm::cantFail(bankUse({read("64:0"), {64}}, {{0, 64}}, 8, {4, 16, 1}));
  EXPECT_EQ(broadcast.words, 1);
  const BankUse column = llvm::cantFail(bankUse({read("(8,64):(64,1)"), {8, 64}}, {{0, 8}, {0, 1}}, 8, {4, 16, 2}));
  EXPECT_EQ(column.words, 8);
  EXPECT_EQ(column.cycles, 4);  // all in bank 0, two a cycle
  EXPECT_EQ(column.fewestCycles, 1);
  // An element of 8 bytes takes two words of 4.
  EXPECT_EQ(llvm::cantFail(bankUse({read("2:1"), {2}}, {{0, 2}}, 64, {4, 4, 1})).words, 4);
  // Two elements of 4 bits share a byte.
  EXPECT_EQ(llvm::cantFail(bankUse({read("4:1"), {4}}, {{0, 4}}, 4, {4, 1, 1})).words, 2);
}

TEST(LayoutBanks, Refusals) {
  EXPECT_EQ(
      errorOf(bankUse({read("S[4:1@lane]"), {4}}, {{0, 4}}, 8, {})),
      "bank conflicts are those of addresses, and this layout uses axis 'lane'; expected a layout of axis m alone");
  EXPECT_EQ(errorOf(bankUse({read("S[4:-1]"), {4}}, {{0, 4}}, 8, {})),
            "expected addresses from 0, found -3; add an offset");
  EXPECT_EQ(
      errorOf(bankUse({read("16777216:1"), {16777216}}, {{0, 16777216}}, 8, {})),
      "the access touches more than 4194304 places; expected what the memory serves at once, name a smaller window");
}

}  // namespace
}  // namespace forerun::layout
