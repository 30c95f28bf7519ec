//===- ElfNoteTest.cpp - needs and note bytes ------------------------------===//
// Bytes written out by hand, and every way in which they can be wrong.
#include "isa/ElfNote.h"

#include <gtest/gtest.h>

namespace forerun::isa {
namespace {

TEST(ElfNote, NeedsParseAndPrint) {
  EXPECT_EQ(parseNeed("xfr.dma"), (Need{"xfr.dma", Need::Relation::Present, 0}));
  EXPECT_EQ(parseNeed("scratch>=393216"), (Need{"scratch", Need::Relation::AtLeast, 393216}));
  EXPECT_EQ(parseNeed("matrix.rows=32"), (Need{"matrix.rows", Need::Relation::Equal, 32}));
  for (const char* text : {"v", "vlen>=512", "matrix.cols=32"}) EXPECT_EQ(toString(*parseNeed(text)), text);
  for (const char* text : {"", ">=3", "teams>=", "teams>=x", "teams>=4 ", "teams>4", "teams==4", "te ams", "teams=-1",
                           "teams>=99999999999999999999"})
    EXPECT_FALSE(parseNeed(text)) << text;
}

TEST(ElfNote, BytesAreAsTheContractSays) {
  const auto bytes = buildNote({1, 2, {*parseNeed("v")}});
  const std::vector<std::uint8_t> expected{8,   0,   0,   0, 10, 0, 0, 0, 1, 0, 0, 0, 'F', 'o', 'r', 'e',
                                           'r', 'u', 'n', 0, 1,  0, 0, 0, 2, 0, 0, 0, 'v', 0,   0,   0};
  EXPECT_EQ(bytes, expected);
}

TEST(ElfNote, SeveralNotesMergeAndOthersAreSkipped) {
  auto section = buildNote({1, 0, {*parseNeed("xfr.dma"), *parseNeed("teams>=4")}});
  std::vector<std::uint8_t> other = buildNote({7, 7, {}});
  other[12] = 'f';
  const auto second = buildNote({1, 3, {*parseNeed("teams>=4"), *parseNeed("xfr.matrix")}});
  section.insert(section.end(), other.begin(), other.end());
  section.insert(section.end(), second.begin(), second.end());
  std::string error;
  const auto note = parseNotes(section, error);
  ASSERT_TRUE(note) << error;
  EXPECT_EQ(note->major, 1u);
  EXPECT_EQ(note->minor, 3u);
  EXPECT_EQ(note->needs, (std::vector<Need>{*parseNeed("xfr.dma"), *parseNeed("teams>=4"), *parseNeed("xfr.matrix")}));
}

TEST(ElfNote, MalformedSectionsAreRefused) {
  std::string error;
  const auto good = buildNote({1, 0, {*parseNeed("xfr.dma")}});
  for (std::size_t size = 1; size < good.size(); ++size)
    EXPECT_FALSE(parseNotes(std::span(good).first(size), error)) << size;
  EXPECT_EQ(error, ".note.forerun: a note is cut short");
  EXPECT_FALSE(parseNotes({}, error));
  EXPECT_EQ(error, ".note.forerun: no note of owner Forerun and type 1");
  auto huge = good;
  huge[3] = 0xff;
  EXPECT_FALSE(parseNotes(huge, error));
  huge = good;
  huge[7] = 0xff;
  EXPECT_FALSE(parseNotes(huge, error));
  auto bad = good;
  bad[28] = ' ';
  EXPECT_FALSE(parseNotes(bad, error));
  EXPECT_EQ(error, ".note.forerun: ' fr.dma' is not a need; expected NAME, NAME>=NUMBER or NAME=NUMBER");
  bad = good;
  bad[35] = 'x';
  EXPECT_FALSE(parseNotes(bad, error));
  auto majors = buildNote({1, 0, {}});
  const auto two = buildNote({2, 0, {}});
  majors.insert(majors.end(), two.begin(), two.end());
  EXPECT_FALSE(parseNotes(majors, error));
  EXPECT_EQ(error, ".note.forerun: objects of ISA versions 1 and 2 are linked together");
}

}  // namespace
}  // namespace forerun::isa
