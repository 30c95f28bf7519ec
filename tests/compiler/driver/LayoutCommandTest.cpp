//===- LayoutCommandTest.cpp - forerun layout, as a shell sees it -----------===//
// The examples of docs/layouts.md, character by character, and bad input.
#include "tests/compiler/driver/CommandFixture.h"

#include "llvm/ADT/StringExtras.h"

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

/// Words of a command line; single quotes keep blanks.
std::vector<std::string> wordsOf(llvm::StringRef line) {
  std::vector<std::string> words;
  while (!(line = line.ltrim()).empty()) {
    if (line.consume_front("'")) {
      words.push_back(line.take_until([](char c) { return c == '\''; }).str());
      line = line.drop_front(words.back().size() + 1);
    } else {
      words.push_back(line.take_until([](char c) { return c == ' '; }).str());
      line = line.drop_front(words.back().size());
    }
  }
  return words;
}

TEST_F(Command, LayoutExamplesOfTheDocumentation) {
  const std::string page = read(FORERUN_DOCS "/layouts.md");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(page).split(lines, '\n');
  unsigned examples = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef command = lines[i];
    if (!command.consume_front("$ forerun ")) continue;
    std::string expected;
    while (++i < lines.size() && !lines[i].starts_with("```") && !lines[i].starts_with("$ "))
      expected += lines[i].str() + "\n";
    --i;
    const Outcome result = run(wordsOf(command));
    EXPECT_EQ(result.out + result.err, expected) << command.str();
    ++examples;
  }
  EXPECT_GE(examples, 6u);
}

TEST_F(Command, LayoutDrawsLargeTilesInPart) {
  const Outcome result = run({"layout", "(4096,4096):(4096,1)"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_LT(result.out.size(), 5000u);
  EXPECT_NE(result.out.find("(rows from 32 and columns from 12 are left out; --window=0:4096,12:4096 goes on)\n"),
            std::string::npos)
      << result.out;
  const Outcome rows = run({"layout", "(64,2,2):(4,2,1)"});
  EXPECT_NE(rows.out.find("(rows from 16,0 are left out; --window=16:64,0:2,0:2 goes on)\n"), std::string::npos)
      << rows.out;
}

TEST_F(Command, LayoutErrorsPointAtTheText) {
  expectError({"layout", "S[(8,4:1]"}, 3,
              "forerun: error: layout, column 7: expected ',' or ')', found ':'; close the list of extents or strides\n"
              "  S[(8,4:1]\n"
              "        ^\n");
  expectError(
      {"layout", "S[4:1] + R[2:0]"}, 3,
      "forerun: error: layout, column 8: replicas fall on one another, so that a write or reduction would count twice; "
      "expected distinct places, give them strides that step over each other\n"
      "  S[4:1] + R[2:0]\n"
      "         ^\n");
}

TEST_F(Command, LayoutOptionsThatDoNotFit) {
  const std::string matrix = "(8,8):(8,1)";
  expectError({"layout"}, 2, "forerun: error: expected one layout, found 0; usage: forerun layout LAYOUT [options]\n");
  expectError({"layout", matrix, "--shape=8x9"}, 3,
              "forerun: error: expected a shape of 64 elements, as the layout has, found 8x9 with 72; change the "
              "extents of S or "
              "the shape\n");
  expectError({"layout", matrix, "--shape=8,8"}, 2,
              "forerun: error: --shape needs non-negative integers as in 8x16, found '8,8'\n");
  expectError({"layout", matrix, "--at=8,0"}, 2,
              "forerun: error: --at=8,0: index 8 of dimension 0 lies outside shape 8x8; expected 0 to 7\n");
  expectError({"layout", matrix, "--at=8"}, 2,
              "forerun: error: --at=8: expected 2 indices, one a dimension of 8x8, found 1\n");
  expectError({"layout", matrix, "--window=0:8,4:4"}, 2,
              "forerun: error: --window=0:8,4:4: range 4:4 of dimension 1 is empty or outside; expected part of 0:8\n");
  expectError({"layout", matrix, "--access=0:8,0"}, 2,
              "forerun: error: --access needs the banks of an accelerator's scratch: name one with --target=T\n");
  expectError({"layout", matrix, "--type=f17"}, 2,
              "forerun: error: --type: unknown element type 'f17'; write f32, f16, bf16, i8...\n");
  expectError({"layout", matrix, "--set", "scratch.banks=8"}, 2,
              "forerun: error: --set changes a target file; name it with --target=T\n");
  expectError({"layout", "S[64:1@lane]", "--target=edge"}, 3,
              "forerun: error: target 'edge': axis 'lane' reaches 63; the target has 0 to 15\n");
  expectError({"layout", "S[64:1@lane]", "--target=sm_80"}, 3,
              "forerun: error: target 'sm_80': axis 'lane' reaches 63; the target has 0 to 31\n");
  expectContains({"layout", "S[4:1@warp]", "--target=edge"}, 3,
                 "forerun: error: target 'edge': unknown axis 'warp'; the target has m, bank, partition, lane, ");
  expectError({"layout", "S[4:1@lane]", "--target=edge", "--access=0:4"}, 3,
              "forerun: error: --access=0:4: bank conflicts are those of addresses, and this layout uses axis 'lane'; "
              "expected a "
              "layout of axis m alone\n");
}

TEST_F(Command, LayoutExtentsFollowTheTarget) {
  const std::vector<std::string> command = {"layout", "S[64:1@lane]", "--target=edge"};
  EXPECT_EQ(run(command).code, 3);
  std::vector<std::string> wider = command;
  wider.insert(wider.end(), {"--set", "teams.0.vlenBits=2048"});
  EXPECT_EQ(run(wider).code, 0) << run(wider).err;
  std::vector<std::string> bytes = command;
  bytes.push_back("--type=i8");
  EXPECT_EQ(run(bytes).code, 0) << run(bytes).err;
}

}  // namespace
