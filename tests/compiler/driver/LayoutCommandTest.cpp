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

/// Layouts whose places are known from other sources: fragments, fused dimensions, tiles, windows, swizzles,
/// partitioned memories, meshes, replicas. Each command and a line of what it prints.
TEST_F(Command, LayoutDrawsKnownLayouts) {
  const std::string fragment = "'S[(8,2,4,2):(4@lane,1@warp,1@lane,1)] + R[2:4@warp] + 5@warp' --shape=8x16 ";
  const std::string swizzle = "'swizzle(3,3,3) of S[(8,64):(64,1)]' ";
  const std::string window = "'S[(4,2,4):(8,60,1)] + 20' --shape=4x8 ";
  const std::string banked = "'S[(32,4,128,512):(512@F,16384@F,1@P,1@F)]' --shape=32x512x512 ";
  const std::string mesh = "'S[(2,32,128):(1@gx,128,1)] + R[2:1@gy]' --shape=64x128 ";
  const std::pair<std::string, const char*> cases[] = {
      {fragment + "--at=0,0", "(0,0) is at lane 0, warp {5, 9}, m 0"},
      {fragment + "--at=1,0", "(1,0) is at lane 4, warp {5, 9}, m 0"},
      {fragment + "--at=0,8", "(0,8) is at lane 0, warp {6, 10}, m 0"},
      {fragment + "--at=7,15", "(7,15) is at lane 31, warp {6, 10}, m 1"},
      {"'(3,4,5,2):(20,5,1,60)'", "canonical: S[(60,2):(1,60)]"},
      {"'(8,2,3,6):(6,24,6,1)'", "canonical: S[(8,2,18):(6,24,1)]"},
      {"'(8,2,8,4):(64,1,8,2)'", "canonical: S[(8,2,32):(64,1,2)]"},
      {"'(2,4):(1,2)'", "axes: m 0 to 7"},
      {"'S[(8,4,1,2):(4@lane,1@lane,2,1)]'", "canonical: S[(32,2):(1@lane,1)]"},
      {"'S[(2,64,128):(2@warp,128,1)] + R[2:1@warp]'", "canonical: S[(2,8192):(2@warp,1)] + R[2:1@warp]"},
      {"'(2,2,2,2):(8,4,2,1)'", "canonical: S[16:1]"},
      {window, "0   20   21   22   23   80   81   82   83"},
      {window, "3   44   45   46   47  104  105  106  107"},
      {swizzle + "--at=3,20", "(3,20) is at m 204"},
      {swizzle + "--at=7,0", "(7,0) is at m 504"},
      {swizzle + "--access=0:8,0:1 --type=f16 --target=sm_80", "8 places in 8 words of 4 bytes: 1 cycle, no conflict"},
      {swizzle + "--access=0:8,0:1 --type=f16 --target=sm_80", "7  28"},
      {swizzle + "--access=0:8,0:8 --type=f16 --target=sm_80",
       "64 places in 32 words of 4 bytes: 1 cycle, no conflict"},
      {"'(8,64):(64,1)' --access=0:8,0:8 --type=f16 --target=sm_80",
       "64 places in 32 words of 4 bytes: 8 cycles because of bank conflicts, 1 would do"},
      {"'(8,64):(72,1)' --access=0:8,0:8 --type=f16 --target=sm_80",
       "64 places in 32 words of 4 bytes: 1 cycle, no conflict"},
      {"'S[(2,512,8):(1@bank,1@F,1@P)]' --shape=1024x8 --at=700,3", "(700,3) is at bank 1, F 188, P 3"},
      {banked + "--at=3,300,7", "(3,300,7) is at F 34311, P 44"},
      {mesh + "--at=33,5", "(33,5) is at gx 1, m 133, gy {0, 1}"},
      {"'(8,6):(8,1)'", "axes: m 0 to 61"},
      {"'S[(8,8,8):(64@F,1@P,1@F)]' --window=0:1,0:1,0:1", "axes: F 0 to 455, P 0 to 7"},
      {"'S[1:0] + R[(8,4):(4,1)]'", "canonical: S[():()] + R[32:1]"},
  };
  for (const auto& [command, line] : cases) {
    const Outcome result = run(wordsOf("layout " + command));
    EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
    EXPECT_NE(("\n" + result.out).find("\n" + std::string(line) + "\n"), std::string::npos)
        << command << "\nexpected: " << line << "\n"
        << result.out;
  }
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
              "forerun: error: --access needs the banks of a target: add --target=T\n");
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
