//===- HartVectorTimingTest.cpp - cycles of vector sequences ----------------===//
// Chaining, occupancy and memory of vector instructions on sequences whose time can be counted by hand.
#include "tests/simulator/core/ScalarAssembler.h"
#include "tests/simulator/core/TestMachine.h"

#include <gtest/gtest.h>

#include <numeric>

namespace forerun::sim::core {
namespace {

using namespace assembly;

constexpr std::uint32_t vsetvli(unsigned rd, unsigned rs1, unsigned vtype) {
  return vtype << 20 | rs1 << 15 | 7 << 12 | rd << 7 | 0x57;
}
constexpr unsigned kE32M1 = 0xd0, kE32M8 = 0xd3;
constexpr std::uint32_t vectorOp(unsigned funct6, unsigned funct3, unsigned vd, unsigned vs2, unsigned vs1) {
  return funct6 << 26 | 1u << 25 | vs2 << 20 | vs1 << 15 | funct3 << 12 | vd << 7 | 0x57;
}
constexpr std::uint32_t vaddVv(unsigned vd, unsigned vs2, unsigned vs1) { return vectorOp(0, 0, vd, vs2, vs1); }
constexpr std::uint32_t vredsum(unsigned vd, unsigned vs2, unsigned vs1) { return vectorOp(0, 2, vd, vs2, vs1); }
constexpr std::uint32_t vmvXs(unsigned rd, unsigned vs2) { return vectorOp(0x10, 2, rd, vs2, 0); }
constexpr std::uint32_t vdivVv(unsigned vd, unsigned vs2, unsigned vs1) { return vectorOp(0x21, 2, vd, vs2, vs1); }
constexpr std::uint32_t vle32(unsigned vd, unsigned rs1) { return 1u << 25 | rs1 << 15 | 6 << 12 | vd << 7 | 0x07; }
constexpr std::uint32_t vse32(unsigned vs3, unsigned rs1) { return 1u << 25 | rs1 << 15 | 6 << 12 | vs3 << 7 | 0x27; }
constexpr std::uint32_t vlse32(unsigned vd, unsigned rs1, unsigned rs2) {
  return 2u << 26 | 1u << 25 | rs2 << 20 | rs1 << 15 | 6 << 12 | vd << 7 | 0x07;
}

targets::TeamSpec plainTeam() {  // VLEN 512, datapath 256
  targets::TeamSpec team = testTeam();
  team.icacheBytes = 0;
  team.latencies.branchTaken = 0;
  team.latencies.vectorAlu = 3;
  return team;
}

struct Measured {
  Cycles total = 0;
  HartCycles cycles;
  std::uint64_t stalled(StallCause cause) const { return cycles.stalls[static_cast<std::size_t>(cause)]; }
};

/// Sets vl = 16 elements of 32 bits, which takes cycles 0 and 1, then runs the words from cycle 2; counts up to the
/// issue of the final return.
Measured timeOf(std::vector<std::uint32_t> words, unsigned vtype = kE32M1, int vl = 16,
                const targets::TeamSpec& team = plainTeam()) {
  words.insert(words.begin(), {addi(a0, zero, vl), vsetvli(zero, a0, vtype)});
  words.push_back(ret());
  TestMachine machine(HartMode::Timed, team);
  machine.start(words);
  machine.run();
  Measured m;
  m.total = machine.hart().now() - 1;
  m.cycles = machine.hart().cycles(machine.hart().now());
  return m;
}

TEST(HartVectorTiming, AnInstructionKeepsItsUnitForItsOccupancy) {
  EXPECT_EQ(timeOf({vaddVv(1, 2, 3)}).total, 3u);
  // Two cycles each: issue in 2, 4, 6.
  const Measured three = timeOf({vaddVv(1, 2, 3), vaddVv(4, 5, 6), vaddVv(7, 8, 9)});
  EXPECT_EQ(three.total, 7u);
  EXPECT_EQ(three.stalled(StallCause::Structural), 2u);
  // 128 elements of 32 bits: 16 cycles.
  EXPECT_EQ(timeOf({vaddVv(8, 16, 24), vaddVv(8, 16, 24)}, kE32M8, 128).total, 2u + 16 + 1);
  // One element less than a datapath's width more.
  EXPECT_EQ(timeOf({vaddVv(8, 16, 24), vaddVv(8, 16, 24)}, kE32M8, 121).total, 2u + 16 + 1);
  EXPECT_EQ(timeOf({vaddVv(8, 16, 24), vaddVv(8, 16, 24)}, kE32M8, 120).total, 2u + 15 + 1);
}

TEST(HartVectorTiming, ADependentInstructionChains) {
  // The first groups of v8 are there in cycle 2 + 3, long before the last (20); the unit is free in 18.
  const Measured chained = timeOf({vaddVv(8, 16, 24), vaddVv(16, 8, 8)}, kE32M8, 128);
  EXPECT_EQ(chained.total, 19u);
  EXPECT_EQ(chained.stalled(StallCause::RawVector), 2u);
  EXPECT_EQ(chained.stalled(StallCause::Structural), 13u);
  // With m1 the latency is longer than the occupancy: cycle 5, not 4.
  EXPECT_EQ(timeOf({vaddVv(1, 2, 3), vaddVv(4, 1, 1)}).total, 6u);
  EXPECT_EQ(
      timeOf({vaddVv(1, 2, 3), addi(a1, zero, 1), addi(a1, zero, 1), vaddVv(4, 1, 1)}).stalled(StallCause::RawVector),
      0u);
}

TEST(HartVectorTiming, GroupsAreTrackedByRegister) {
  // vl 128 at m8 writes v8..v15: v15 waits, v16 only for the unit.
  targets::TeamSpec team = plainTeam();
  team.latencies.vectorAlu = 40;
  EXPECT_GT(timeOf({vaddVv(8, 16, 24), vsetvli(zero, a0, kE32M1), vaddVv(1, 15, 15)}, kE32M8, 128, team)
                .stalled(StallCause::RawVector),
            20u);
  EXPECT_EQ(timeOf({vaddVv(8, 16, 24), vsetvli(zero, a0, kE32M1), vaddVv(1, 16, 16)}, kE32M8, 128, team)
                .stalled(StallCause::RawVector),
            0u);
}

TEST(HartVectorTiming, AReductionNeedsItsWholeSourceAndItsScalarComesAtTheEnd) {
  targets::TeamSpec team = plainTeam();
  team.latencies.vectorReduce = 8;
  team.crossLaneCycles = 1;
  // vadd in 2: last group in 2 + 3 + 16 - 1 = 20. The reduction starts in 20: 8 + 3 steps, 16 cycles of elements: 20 +
  // 11 + 15 = 46. vmv.x.s in 46, its scalar in 46 + 3; addi in 49, return in 50.
  const Measured m = timeOf({vaddVv(8, 16, 24), vredsum(1, 8, 8), vmvXs(a1, 1), addi(a1, a1, 1)}, kE32M8, 128, team);
  EXPECT_EQ(m.total, 50u);
}

TEST(HartVectorTiming, DivisionTakesItsTimeAnElement) {
  targets::TeamSpec team = plainTeam();
  team.latencies.vectorDivPerElement = 8;
  // 16 elements in 8 lanes: two rounds of 8 cycles.
  EXPECT_EQ(timeOf({vdivVv(1, 2, 3), vdivVv(4, 5, 6)}, kE32M1, 16, team).total, 2u + 16 + 1);
}

TEST(HartVectorTiming, WaitsForTheVectorLength) {
  targets::TeamSpec team = plainTeam();
  team.latencies.vectorSet = 4;
  EXPECT_EQ(timeOf({vaddVv(1, 2, 3)}, kE32M1, 16, team).total, 6u);
}

TEST(HartVectorTiming, PrivateMemoryMovesADatapathACycle) {
  targets::TeamSpec team = plainTeam();
  team.privateBytes = 4 << 20;
  team.privateCycles = 2;
  const std::uint32_t base = lui(a1, 0x30001);
  // lui in 2, load in 3; 64 bytes: groups in 5 and 6; vadd chains in 5.
  const Measured load = timeOf({base, vle32(1, a1), vaddVv(2, 1, 1)}, kE32M1, 16, team);
  EXPECT_EQ(load.total, 6u);
  EXPECT_EQ(load.stalled(StallCause::Memory), 1u);
  // Two loads: the unit is busy for two cycles. Two stores likewise.
  EXPECT_EQ(timeOf({base, vle32(1, a1), vle32(2, a1)}, kE32M1, 16, team).total, 6u);
  EXPECT_EQ(timeOf({base, vse32(1, a1), vse32(2, a1)}, kE32M1, 16, team).total, 6u);
  // A strided load moves an element a cycle.
  EXPECT_EQ(timeOf({base, addi(a2, zero, 8), vlse32(1, a1, a2), vle32(2, a1)}, kE32M1, 16, team).total, 4u + 16 + 1);
}

TEST(HartVectorTiming, OtherMemoryAnswersThroughTheEnvironment) {
  // lui in 2, store in 3 (accepted in 23), load in 4, ready in 24: its first group a cycle earlier.
  const Measured m = timeOf({lui(a1, 0x10000), vse32(1, a1), vle32(2, a1), vaddVv(3, 2, 2)});
  EXPECT_EQ(m.total, 24u);
  EXPECT_EQ(m.stalled(StallCause::Memory), 18u);
}

TEST(HartVectorTiming, IllegalVectorInstructionsAreLocated) {
  for (const HartMode mode : {HartMode::Functional, HartMode::Timed}) {
    TestMachine machine(mode, plainTeam());
    machine.start({addi(a0, zero, 1), vaddVv(1, 2, 3)});  // vtype is still illegal
    try {
      machine.run();
      FAIL() << "nothing was refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::IllegalProgram);
      EXPECT_EQ(error.pc, kProgramBase + 4);
      EXPECT_EQ(error.instruction, "vadd.vv v1, v2, v3");
    }
  }
}

TEST(HartVector, HalfPrecisionNeedsItsFeatures) {
  constexpr unsigned kE16M1 = 0xc8, kE8M1 = 0xc0;
  const auto refused = [](std::uint32_t instruction, unsigned vtype, bool zvfh, bool zvfbfmin) {
    targets::TeamSpec team = plainTeam();
    team.zvfh = zvfh;
    team.zvfbfmin = zvfbfmin;
    TestMachine machine(HartMode::Functional, team);
    machine.start({addi(a0, zero, 4), vsetvli(zero, a0, vtype), instruction, ret()});
    try {
      machine.run();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::UnsupportedFeature) << error.what();
      return true;
    }
    return false;
  };
  const std::uint32_t vfadd = vectorOp(0, 1, 1, 2, 3), vfwcvtFX = vectorOp(0x12, 1, 4, 2, 0b01011),
                      vfncvtbf16 = vectorOp(0x12, 1, 1, 2, 0b11101);
  EXPECT_FALSE(refused(vfadd, kE32M1, false, false));
  EXPECT_TRUE(refused(vfadd, kE16M1, false, false));
  EXPECT_FALSE(refused(vfadd, kE16M1, true, false));
  EXPECT_FALSE(refused(vfwcvtFX, kE16M1, false, false)) << "i16 to f32";
  EXPECT_TRUE(refused(vfwcvtFX, kE8M1, false, false)) << "i8 to f16";
  EXPECT_FALSE(refused(vfwcvtFX, kE8M1, true, false));
  EXPECT_TRUE(refused(vfncvtbf16, kE16M1, true, false));
  EXPECT_FALSE(refused(vfncvtbf16, kE16M1, false, true));
}

}  // namespace
}  // namespace forerun::sim::core
