//===- VectorSemanticsTest.cpp - rules of the vector extension --------------===//
// Each rule of V 1.0 that is easy to get wrong, stated by hand: configuration, tails, masks, vstart, overlap, rounding,
// saturation, fault-only-first.
#include "simulator/kernel/Error.h"
#include "tests/simulator/core/VectorTestHart.h"

#include <gtest/gtest.h>

#include <cstring>

namespace forerun::sim::core {
namespace {

constexpr std::uint32_t kVlen = 256;

class VectorSemantics : public testing::Test {
 protected:
  VectorTestHart hart{kVlen};

  /// vtype as in assembly, e.g. "e32, m2", with AVL.
  void configure(const std::string& type, std::uint64_t avl) {
    hart.x[10] = avl;
    hart.run("vsetvli a1, a0, " + type + ", tu, mu");
  }
  template <class T>
  void fill(unsigned reg, T first, T step, unsigned n) {
    for (unsigned i = 0; i < n; ++i) hart.element<T>(reg, i) = static_cast<T>(first + step * static_cast<T>(i));
  }
  /// Assemblers refuse some of these; then `line` has another vs2, or vd, which is replaced.
  void refused(const std::string& line, int vs2 = -1, int vd = -1) {
    std::uint32_t word = vectorTarget().assemble(line);
    if (vs2 >= 0) word = (word & ~(31u << 20)) | static_cast<std::uint32_t>(vs2) << 20;
    if (vd >= 0) word = (word & ~(31u << 7)) | static_cast<std::uint32_t>(vd) << 7;
    try {
      hart.run(word);
      ADD_FAILURE() << line << " was not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::IllegalProgram) << line;
    }
  }
};

TEST_F(VectorSemantics, VlIsTheSmallerOfAvlAndVlmax) {
  configure("e32, m1", 100);
  EXPECT_EQ(hart.x[11], 8u);
  configure("e32, m8", 63);
  EXPECT_EQ(hart.x[11], 63u);
  configure("e8, mf8", 100);
  EXPECT_EQ(hart.x[11], 4u);
  hart.run("vsetvli a1, zero, e16, m2, ta, ma");  // VLMAX
  EXPECT_EQ(hart.x[11], 32u);
  configure("e32, m1", 3);
  hart.run("vsetvli zero, zero, e32, m1, ta, ma");  // keeps vl
  EXPECT_EQ(hart.v.vl, 3u);
  hart.run("vsetivli a1, 5, e64, m2, ta, ma");
  EXPECT_EQ(hart.x[11], 5u);
  hart.x[12] = 0x18;  // e64, m1
  hart.run("vsetvl a1, a0, a2");
  EXPECT_EQ(hart.x[11], 3u);
}

TEST_F(VectorSemantics, UnsupportedTypeSetsVillAndStopsTheNextInstruction) {
  for (std::uint64_t vtype : {std::uint64_t{0x20}, std::uint64_t{4}, std::uint64_t{0x100},
                              std::uint64_t{0x1f}}) {  // SEW 128, LMUL 4, reserved bit, e64 mf2
    hart.x[10] = 4;
    hart.x[12] = vtype;
    hart.run("vsetvl a1, a0, a2");
    EXPECT_EQ(hart.v.vtype, kVtypeIllegal) << vtype;
    EXPECT_EQ(hart.x[11], 0u);
    refused("vadd.vv v1, v2, v3");
    hart.x[13] = VectorTestHart::kMemory;
    EXPECT_NO_THROW(hart.run("vl1re8.v v1, (a3)"));  // whole registers do not depend on vtype
  }
}

TEST_F(VectorSemantics, TailAndInactiveElementsStay) {
  configure("e32, m1", 5);
  fill<std::uint32_t>(1, 100, 0, 8);
  fill<std::uint32_t>(2, 0, 1, 8);
  fill<std::uint32_t>(3, 10, 1, 8);
  hart.element<std::uint8_t>(0, 0) = 0b01101;
  hart.run("vadd.vv v1, v2, v3, v0.t");
  const std::uint32_t expected[8] = {10, 100, 14, 16, 100, 100, 100, 100};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(hart.element<std::uint32_t>(1, i), expected[i]) << i;
}

TEST_F(VectorSemantics, VlZeroChangesNothingButVmvXS) {
  configure("e32, m1", 0);
  fill<std::uint32_t>(1, 7, 0, 8);
  fill<std::uint32_t>(2, 0xfffffff0u, 1, 8);
  hart.run("vadd.vv v1, v2, v2");
  hart.run("vredsum.vs v1, v2, v2");
  hart.run("vmv.s.x v1, a0");
  EXPECT_EQ(hart.element<std::uint32_t>(1, 0), 7u);
  hart.run("vmv.x.s a2, v2");
  EXPECT_EQ(hart.x[12], 0xfffffffffffffff0u);  // sign-extended
  hart.run("vcpop.m a2, v2");
  EXPECT_EQ(hart.x[12], 0u);
  hart.run("vfirst.m a2, v2");
  EXPECT_EQ(hart.x[12], ~std::uint64_t{0});
}

TEST_F(VectorSemantics, VstartSkipsElementsAndIsReset) {
  configure("e32, m1", 8);
  fill<std::uint32_t>(1, 9, 0, 8);
  fill<std::uint32_t>(2, 1, 1, 8);
  hart.v.vstart = 3;
  hart.run("vadd.vi v1, v2, 0");
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(hart.element<std::uint32_t>(1, i), i < 3 ? 9 : 1 + i);
  EXPECT_EQ(hart.v.vstart, 0u);
  hart.v.vstart = 1;
  refused("vredsum.vs v1, v2, v2");
  hart.v.vstart = 1;
  refused("vcompress.vm v1, v2, v3");
}

TEST_F(VectorSemantics, RegisterGroupsMustBeAlignedAndMayOverlapOnlyAtTheRightEnd) {
  configure("e16, m2", 16);
  refused("vadd.vv v1, v2, v4");
  refused("vadd.vv v2, v3, v4");
  EXPECT_NO_THROW(hart.run("vadd.vv v2, v2, v4"));
  EXPECT_NO_THROW(hart.run("vwadd.vv v4, v6, v8"));  // source in the highest part
  refused("vwadd.vv v4, v10, v8", 4);
  EXPECT_NO_THROW(hart.run("vnsrl.wi v4, v4, 1"));  // result in the lowest part
  refused("vnsrl.wi v6, v4, 1");
  EXPECT_NO_THROW(hart.run("vmseq.vv v4, v4, v8"));
  refused("vmseq.vv v5, v4, v8");
  refused("vslideup.vi v4, v8, 1", 4);
  EXPECT_NO_THROW(hart.run("vslidedown.vi v4, v4, 1"));
  refused("vrgather.vv v4, v6, v8", 4);
  refused("vadd.vv v2, v2, v4, v0.t", -1, 0);
  EXPECT_NO_THROW(hart.run("vmseq.vv v0, v2, v4, v0.t"));
  refused("vmsbf.m v3, v4", 3);
  hart.x[10] = VectorTestHart::kMemory;
  refused("vlseg5e16.v v4, (a0)");  // 5 * 2 registers
  refused("vlseg2e16.v v30, (a0)");
  configure("e64, m8", 4);
  refused("vwadd.vv v8, v16, v24");  // no 128-bit elements
  configure("e8, m1", 4);
  refused("vfadd.vv v1, v2, v3");  // no 8-bit floats
}

TEST_F(VectorSemantics, WideningReadsItsSourceBeforeOverwritingIt) {
  configure("e16, m1", 16);
  fill<std::uint16_t>(5, 1, 1, 16);
  hart.run("vwaddu.vx v4, v5, zero");
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(hart.element<std::uint32_t>(4, i), 1 + i);
}

TEST_F(VectorSemantics, FixedPointRoundsByVxrm) {
  configure("e8, m1", 6);
  const std::int8_t values[6] = {5, 6, 7, -5, -6, -7};  // quarters: 1.25 1.5 1.75 -1.25 -1.5 -1.75
  const std::int8_t expected[4][6] = {
      {1, 2, 2, -1, -1, -2}, {1, 2, 2, -1, -2, -2}, {1, 1, 1, -2, -2, -2}, {1, 1, 1, -1, -1, -1}};
  for (unsigned mode = 0; mode < 4; ++mode) {
    hart.v.vxrm = static_cast<std::uint8_t>(mode);
    for (unsigned i = 0; i < 6; ++i) hart.element<std::int8_t>(2, i) = values[i];
    hart.run("vssra.vi v1, v2, 2");
    for (unsigned i = 0; i < 6; ++i)
      EXPECT_EQ(hart.element<std::int8_t>(1, i), expected[mode][i]) << "vxrm " << mode << " of " << int(values[i]);
  }
}

TEST_F(VectorSemantics, SaturationSetsVxsatForActiveElementsOnly) {
  configure("e8, m1", 4);
  fill<std::uint8_t>(2, 200, 0, 4);
  fill<std::uint8_t>(3, 0, 40, 4);  // 0 40 80 120
  hart.element<std::uint8_t>(0, 0) = 0b0011;
  hart.run("vsaddu.vv v1, v2, v3, v0.t");
  EXPECT_FALSE(hart.v.vxsat);
  hart.run("vsaddu.vv v1, v2, v3");
  EXPECT_TRUE(hart.v.vxsat);
  EXPECT_EQ(hart.element<std::uint8_t>(1, 1), 240);
  EXPECT_EQ(hart.element<std::uint8_t>(1, 2), 255);
  hart.v.vxsat = false;
  fill<std::uint8_t>(2, 0x80, 0, 4);
  hart.run("vsmul.vv v1, v2, v2");  // -1 * -1
  EXPECT_TRUE(hart.v.vxsat);
  EXPECT_EQ(hart.element<std::uint8_t>(1, 0), 0x7f);
}

TEST_F(VectorSemantics, DivisionByZeroAndOverflowHaveFixedResults) {
  configure("e32, m1", 3);
  const std::int32_t a[3] = {7, INT32_MIN, -7}, b[3] = {0, -1, 2};
  std::memcpy(&hart.element<std::int32_t>(2, 0), a, sizeof a);
  std::memcpy(&hart.element<std::int32_t>(3, 0), b, sizeof b);
  hart.run("vdiv.vv v4, v2, v3");
  hart.run("vrem.vv v5, v2, v3");
  const std::int32_t quotient[3] = {-1, INT32_MIN, -3}, rest[3] = {7, 0, -1};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(hart.element<std::int32_t>(4, i), quotient[i]);
    EXPECT_EQ(hart.element<std::int32_t>(5, i), rest[i]);
  }
}

TEST_F(VectorSemantics, FloatFlagsComeFromActiveElementsOnly) {
  configure("e32, m1", 4);
  fill<float>(2, 1.0f, 0.0f, 4);
  fill<float>(3, 0.0f, 1.0f, 4);  // 0 1 2 3
  hart.element<std::uint8_t>(0, 0) = 0b0110;
  hart.run("vfdiv.vv v1, v2, v3, v0.t");
  EXPECT_EQ(hart.fflags, 0);  // 1/1 and 1/2 are exact
  hart.run("vfdiv.vv v1, v2, v3");
  EXPECT_EQ(hart.fflags, 8 | 1);  // 1/0, 1/3
}

TEST_F(VectorSemantics, AccruedFlagsStay) {
  configure("e32, m1", 4);
  hart.fflags = 16;
  fill<float>(2, 1.0f, 0.0f, 4);
  fill<float>(3, 3.0f, 0.0f, 4);
  hart.run("vfdiv.vv v1, v2, v3");
  EXPECT_EQ(hart.fflags, 16 | 1);
  hart.fflags = 0;
  hart.run("vfadd.vv v1, v2, v3");
  EXPECT_EQ(hart.fflags, 0);
}

TEST_F(VectorSemantics, EveryRoundingModeRoundsATieItsWay) {
  configure("e32, m1", 2);
  // 1 + 2^-24 and -(1 + 2^-24): exactly between two floats.
  const float one = 1.0f, up = 1.0f + 0x1p-23f;
  const float expected[5][2] = {{one, -one}, {one, -one}, {one, -up}, {up, -one}, {up, -up}};
  for (unsigned mode = 0; mode < 5; ++mode) {
    hart.frm = static_cast<std::uint8_t>(mode);
    hart.fflags = 0;
    hart.element<float>(2, 0) = one, hart.element<float>(2, 1) = -one;
    hart.element<float>(3, 0) = 0x1p-24f, hart.element<float>(3, 1) = -0x1p-24f;
    hart.run("vfadd.vv v1, v2, v3");
    EXPECT_EQ(hart.element<float>(1, 0), expected[mode][0]) << mode;
    EXPECT_EQ(hart.element<float>(1, 1), expected[mode][1]) << mode;
    EXPECT_EQ(hart.fflags, 1) << mode;
  }
  hart.frm = 5;
  refused("vfadd.vv v1, v2, v3");
}

TEST_F(VectorSemantics, ScalarsThatAreNotNanBoxedReadAsNan) {
  configure("e32, m1", 1);
  hart.f[10] = 0x3f800000;
  hart.element<float>(2, 0) = 1.0f;
  hart.run("vfadd.vf v1, v2, fa0");
  EXPECT_EQ(hart.element<std::uint32_t>(1, 0), 0x7fc00000u);
  hart.run("vfmv.f.s fa1, v2");
  EXPECT_EQ(hart.f[11], 0xffffffff3f800000u);
}

TEST_F(VectorSemantics, SlidesAndGathersStopAtVlmax) {
  configure("e32, m1", 8);
  fill<std::uint32_t>(2, 1, 1, 8);
  hart.x[10] = 6;
  hart.run("vslidedown.vx v1, v2, a0");
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(hart.element<std::uint32_t>(1, i), i < 2 ? 7 + i : 0);
  hart.x[10] = ~std::uint64_t{0};
  hart.run("vslidedown.vx v1, v2, a0");
  EXPECT_EQ(hart.element<std::uint32_t>(1, 0), 0u);
  fill<std::uint32_t>(3, 7, 1, 8);  // 7 8 9...
  hart.run("vrgather.vv v1, v2, v3");
  EXPECT_EQ(hart.element<std::uint32_t>(1, 0), 8u);
  EXPECT_EQ(hart.element<std::uint32_t>(1, 1), 0u);
}

TEST_F(VectorSemantics, FaultOnlyFirstShortensVl) {
  configure("e8, m1", 32);
  const std::uint64_t end = VectorTestHart::kMemory + VectorTestHart::kMemoryBytes;
  hart.x[10] = end - 5;
  hart.run("vle8ff.v v1, (a0)");
  EXPECT_EQ(hart.v.vl, 5u);
  configure("e8, m1", 32);
  hart.x[10] = end;
  refused("vle8ff.v v1, (a0)");
  refused("vle8.v v1, (a0)");
}

TEST_F(VectorSemantics, MisalignedElementsAreRefused) {
  configure("e32, m1", 2);
  hart.x[10] = VectorTestHart::kMemory + 2;
  refused("vle32.v v1, (a0)");
  EXPECT_NO_THROW(hart.run("vle16.v v1, (a0)"));
  hart.x[10] = VectorTestHart::kMemory;
  hart.x[11] = 6;
  refused("vlse32.v v1, (a0), a1");
}

TEST_F(VectorSemantics, RunsListWhatWasTouchedInOrder) {
  configure("e32, m1", 6);
  hart.x[10] = VectorTestHart::kMemory;
  hart.run("vle32.v v1, (a0)");
  ASSERT_EQ(hart.runs.size(), 1u);
  EXPECT_EQ(hart.runs[0].bytes, 24u);
  hart.runs.clear();
  hart.element<std::uint8_t>(0, 0) = 0b110011;
  hart.run("vse32.v v1, (a0), v0.t");
  ASSERT_EQ(hart.runs.size(), 2u);
  EXPECT_EQ(hart.runs[0].bytes, 8u);
  EXPECT_EQ(hart.runs[1].address, VectorTestHart::kMemory + 16);
  hart.runs.clear();
  hart.x[11] = 16;
  hart.run("vlse32.v v1, (a0), a1");
  EXPECT_EQ(hart.runs.size(), 6u);
  hart.runs.clear();
  hart.x[11] = 4;
  hart.run("vlse32.v v1, (a0), a1");
  EXPECT_EQ(hart.runs.size(), 1u);
}

TEST_F(VectorSemantics, SegmentsGoToConsecutiveGroups) {
  configure("e16, m1", 4);
  for (unsigned i = 0; i < 24; ++i) hart.memory()[i] = static_cast<std::uint8_t>(i);
  hart.x[10] = VectorTestHart::kMemory;
  hart.run("vlseg3e16.v v4, (a0)");
  for (unsigned field = 0; field < 3; ++field)
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(hart.element<std::uint16_t>(4 + field, i), 0x0100 + 0x0202 * (3 * i + field));
}

TEST(VectorLength, AnyVlenFrom128To65536Works) {
  for (std::uint32_t vlen = 128; vlen <= 65536; vlen *= 2) {
    VectorTestHart hart(vlen);
    hart.run("vsetvli a1, zero, e8, m8, ta, ma");
    ASSERT_EQ(hart.x[11], vlen);
    hart.run("vmv.v.i v8, 3");
    hart.run("vsetvli a1, zero, e16, m8, ta, ma");
    hart.run("vid.v v16");
    hart.run("vadd.vv v24, v16, v8");
    hart.run("vmsltu.vx v0, v24, a1");
    const std::uint64_t n = vlen / 2;
    for (std::uint64_t i : {std::uint64_t{0}, n / 3, n - 1})
      ASSERT_EQ(hart.element<std::uint16_t>(24, i), static_cast<std::uint16_t>(i + 0x0303));
    hart.run("vcpop.m a2, v0");
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < n; ++i)
      expected += static_cast<std::uint16_t>(i + 0x0303) < static_cast<std::uint16_t>(n);
    EXPECT_EQ(hart.x[12], expected) << vlen;
    hart.run("vredsum.vs v8, v16, v16");
    EXPECT_EQ(hart.element<std::uint16_t>(8, 0), static_cast<std::uint16_t>(n * (n - 1) / 2));
  }
}

}  // namespace
}  // namespace forerun::sim::core
