//===- ScratchStridedBoxTest.cpp - overlap of strided boxes -----------------===//
// The exact test against sets of bytes.
#include "simulator/scratchpad/StridedBox.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace forerun::sim;

namespace {

TEST(StridedBox, overlapEqualsIntersectionOfByteSets) {
  std::mt19937_64 random(7);
  auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  int meeting = 0;
  for (int round = 0; round < 4000; ++round) {
    StridedBox box[2];
    std::set<std::uint64_t> bytes[2];
    for (int side = 0; side < 2; ++side) {
      Descriptor d;
      d.base = 1000 + static_cast<std::uint64_t>(below(300));
      d.type = below(2) ? forerun::isa::ElementType::F16 : forerun::isa::ElementType::F32;
      for (int x = 0; x < 4; ++x) {
        d.extent[x] = below(8) == 0 ? 0 : 1 + below(4);
        d.stride[x] = below(81) - 40;
        if (below(4) == 0) d.low[x] = below(3);
      }
      box[side] = boxOf(d, "test");
      auto range = validRange(d);
      for (std::int64_t a = range[0].begin; a < range[0].end; ++a)
        for (std::int64_t b = range[1].begin; b < range[1].end; ++b)
          for (std::int64_t c = range[2].begin; c < range[2].end; ++c)
            for (std::int64_t e = range[3].begin; e < range[3].end; ++e)
              for (unsigned byte = 0; byte < forerun::isa::storageBytes(d.type); ++byte)
                bytes[side].insert(
                    d.base +
                    static_cast<std::uint64_t>(a * d.stride[0] + b * d.stride[1] + c * d.stride[2] + e * d.stride[3]) +
                    byte);
      ASSERT_EQ(box[side].empty(), bytes[side].empty());
      if (!bytes[side].empty()) {
        ASSERT_EQ(box[side].first, *bytes[side].begin());
        ASSERT_EQ(box[side].end(), *bytes[side].rbegin() + 1);
      }
      std::uint64_t from = 900 + static_cast<std::uint64_t>(below(500)),
                    to = from + static_cast<std::uint64_t>(below(20));
      auto first = bytes[side].lower_bound(from);
      ASSERT_EQ(overlaps(box[side], from, to), first != bytes[side].end() && *first < to) << round;
    }
    bool expected = false;
    for (std::uint64_t byte : bytes[0]) expected |= bytes[1].count(byte) > 0;
    meeting += expected;
    ASSERT_EQ(overlaps(box[0], box[1]), expected) << "round " << round;
  }
  EXPECT_GT(meeting, 300);
}

TEST(StridedBox, rowsOfAFullPitchMergeIntoOneRun) {
  Descriptor d;
  d.extent = {32, 8, 4, 1};
  d.stride = {4, 128, 1024, 0};
  StridedBox box = boxOf(d, "test");
  EXPECT_EQ(box.dimensions, 0u);
  EXPECT_EQ(box.runBytes, 4096u);
}

}  // namespace
