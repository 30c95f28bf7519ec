//===- TextTest.cpp - parser and printer of layouts ------------------------===//
// Round trips, and every error with its column.
#include "tests/compiler/dialect/layout/LayoutFixture.h"

#include <utility>

namespace forerun::layout {
namespace {

TEST(LayoutText, RoundTrip) {
  for (const char* written :
       {"S[(8,2,4,2):(4@lane,1@warp,1@lane,1)] + R[2:4@warp] + 5@warp", "S[30:1]", "S[():()]", "S[(1,1):(0,7)]",
        "swizzle(3,3,3) of S[(8,64):(64,1)] + 512", "S[4:-1] + R[(2,2):(-8,16)] + 3", "S[16:1@lane] - 2@core + 1@team"})
    EXPECT_EQ(print(read(written)), written);
}

TEST(LayoutText, ShortForms) {
  EXPECT_EQ(print(read("(3,4):(4,1)")), "S[(3,4):(4,1)]");
  EXPECT_EQ(print(read("  S [ 4 : 1 @ m ] +R[2:4]+R[2:8]+ 1 + -3 - 4@lane ")), "S[4:1] + R[(2,2):(4,8)] - 4@lane - 2");
  EXPECT_EQ(print(read("(30):(1)")), "S[30:1]");
  EXPECT_EQ(print(read("4:1 + 2 - 2")), "S[4:1]");
}

TEST(LayoutText, ErrorsAreLocated) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: expected S[...], found the end; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"T[4:1]", "column 1: expected S[...], found 'T'; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S(4:1)", "column 2: expected '[', found '('; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S[(8,2):(2)]",
       "column 3: expected as many strides as extents, found 2 extents and 1 strides; give each extent one"},
      {"S[4]",
       "column 4: expected ':' between extents and strides, found ']'; write S[(extents):(strides@axes)] + R[...] + "
       "offset@axis"},
      {"S[(8,2:(2,1)]", "column 7: expected ',' or ')', found ':'; close the list of extents or strides"},
      {"S[(8,0):(2,1)]", "column 6: expected a positive extent, found 0; a layout places at least one element"},
      {"S[4:x]", "column 5: expected a stride, found 'x'; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S[4:1@]",
       "column 7: expected the name of an axis after '@', found ']'; write m, lane, team, core or another axis of "
       "the target"},
      {"S[4:1@9x]", "column 7: '9x' is no axis name: write a letter, then letters, digits or '_'"},
      {"S[4:1@aVeryLongAxisName]", "column 7: axis name 'aVeryLongAxisName' has 17 characters; use at most 16"},
      {"S[4:1", "column 6: expected ']', found the end; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S[4:1] R[2:4]",
       "column 8: expected '+' or the end, found 'R'; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S[4:1] + Q[2:4]",
       "column 10: expected R[...] or an offset, found 'Q'; write S[(extents):(strides@axes)] + R[...] + offset@axis"},
      {"S[99999999999999999999:1]", "column 3: integer 99999999999999999999 is too large; layouts reach at most 2^60"},
      {"S[(4611686018427387904,4):(1,1)]",
       "column 1: S is too large: extents and strides reach past 2^60; use smaller ones"},
      {"S[(1048576,1048576):(2199023255552,1048576)]",
       "column 1: the layout is too large: axis 'm' reaches past 2^60; use smaller extents and strides"},
      {"S[4:1] + R[2:0]",
       "column 8: replicas fall on one another, so that a write or reduction would count twice; expected distinct "
       "places, give "
       "them strides that step over each other"},
      {"S[4:1] + R[(2,3):(2,1)]",
       "column 8: replicas fall on one another, so that a write or reduction would count twice; expected distinct "
       "places, give "
       "them strides that step over each other"},
      {"swizzle(3,3) of S[64:1]", "column 12: expected ',', found ')'; write swizzle(base,bits,shift) of S[...]"},
      {"swizzle(3,3,3) S[64:1]", "column 16: expected 'of', found 'S'; write swizzle(base,bits,shift) of S[...]"},
      {"swizzle(3,3,99) of S[64:1]", "column 13: expected 0 to 59 bits, found 99"},
      {"swizzle(3,3,2) of S[64:1]",
       "column 1: swizzle(3,3,2) is none: expected bits of at least 1 and a shift of at least as many"},
      {"swizzle(3,3,3) of S[(8,8):(8,1@lane)]",
       "column 1: a swizzle permutes addresses, and this layout uses axis 'lane'; write it over a layout of axis m "
       "alone"},
      {"swizzle(3,3,3) of S[8:-1]",
       "column 1: a swizzle needs addresses from 0, and this layout reaches -7; add an offset"},
  };
  for (const auto& [written, message] : cases) EXPECT_EQ(errorOf(parse(written)), message) << written;
}

TEST(LayoutText, MutatedTextsNeverCrash) {
  const std::string written = "swizzle(3,3,3) of S[(8,2,4,2):(64,-1@lane,16,1)] + R[2:4@warp] + 5@warp - 77";
  for (std::size_t cut = 0; cut <= written.size(); ++cut) llvm::consumeError(parse(written.substr(0, cut)).takeError());
  for (std::size_t at = 0; at < written.size(); ++at)
    for (const char c : std::string("()[]:,+-@9 RSz\t\xff")) {
      std::string mutated = written;
      mutated[at] = c;
      llvm::Expected<Layout> layout = parse(mutated);
      if (layout)
        EXPECT_EQ(text(parse(print(*layout))), print(*layout));
      else
        llvm::consumeError(layout.takeError());
    }
}

}  // namespace
}  // namespace forerun::layout
