//===- HartTest.cpp - what a hart refuses, and how it stops -----------------===//
// Each bad program gives one located error; blocking, waking and restoring keep the state.
#include "tests/simulator/core/ScalarAssembler.h"
#include "tests/simulator/core/TestMachine.h"

#include "isa/Isa.h"

#include <gtest/gtest.h>

namespace forerun::sim::core {
namespace {

using namespace assembly;

class HartInBothModes : public testing::TestWithParam<HartMode> {
 protected:
  Error errorOf(const std::vector<std::uint32_t>& words, const targets::TeamSpec& team = testTeam(), bool xfr = false) {
    TestMachine machine(GetParam(), team, 1, xfr);
    machine.start(words);
    try {
      machine.run(100'000);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error(ErrorKind::ModelBug, "");
  }
  void expectIllegal(const Error& error, std::uint64_t offset, const std::string& text) {
    EXPECT_EQ(error.kind, ErrorKind::IllegalProgram);
    EXPECT_EQ(error.pc, kProgramBase + offset);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    EXPECT_EQ(error.component, "core 0 team 0");
    EXPECT_FALSE(error.instruction.empty());
  }
};
INSTANTIATE_TEST_SUITE_P(Mode, HartInBothModes, testing::Values(HartMode::Functional, HartMode::Timed),
                         [](const auto& info) { return info.param == HartMode::Timed ? "Timing" : "Functional"; });

TEST_P(HartInBothModes, RefusesMisalignedAccess) {
  expectIllegal(errorOf({addi(a0, zero, 1), lw(a1, sp, 2)}), 4, "misaligned access of 4 bytes");
  const Error error = errorOf({sd(a1, sp, 4)});
  expectIllegal(error, 0, "misaligned");
  EXPECT_EQ(error.instruction, "sd a1, 4(sp)");
}

TEST_P(HartInBothModes, RefusesAccessOutsideMemory) {
  expectIllegal(errorOf({lw(a1, zero, 0)}), 0, "outside every memory region");
  expectIllegal(errorOf({lw(a1, zero, -8)}), 0, "outside every memory region");
  expectIllegal(errorOf({sw(a1, zero, 8)}), 0, "outside every memory region");
  // The end of private memory is 64 bytes above sp.
  expectIllegal(errorOf({ld(a1, sp, 64)}), 0, "0x30400000");
  expectIllegal(errorOf({ld(a1, sp, 56), sd(a1, sp, 64)}), 4, "0x30400000");
}

TEST_P(HartInBothModes, RefusesToReadScratchThatWasNeverWritten) {
  expectIllegal(errorOf({lui(a0, 0x10000), sw(zero, a0, 0), lw(a1, a0, 0), ld(a1, a0, 0)}), 12,
                "0x10000004, which was never written");
}

TEST_P(HartInBothModes, ReadsUnwrittenScratchWhenTheCheckIsOff) {
  TestMachine machine(GetParam());
  machine.hart().checkInitialised(false);
  machine.start({lui(a0, 0x10000), ld(a1, a0, 0), ret()});
  EXPECT_TRUE(machine.run(100'000));
}

TEST_P(HartInBothModes, RefusesIllegalInstructions) {
  expectIllegal(errorOf({addi(a0, zero, 1), 0}), 4, "illegal instruction");
  expectIllegal(errorOf({addi(a0, zero, 1), 0xffffffff}), 4, "illegal instruction");
  expectIllegal(errorOf({0xc0001073}), 0, "illegal instruction");                            // unimp
  expectIllegal(errorOf({encodeI(0x73, 1, a0, zero, 0x300)}), 0, "CSR 0x300");               // mstatus
  expectIllegal(errorOf({encodeI(0x73, 1, a0, zero, 0xc00 - 0x1000)}), 0, "read-only CSR");  // write of cycle
  expectIllegal(errorOf({encodeR(0x53, 0, 5, 1, 2, 3)}), 0, "illegal instruction");          // fadd.s with rm = 5
  // fsrmi 5, then a dynamic rounding mode.
  expectIllegal(errorOf({encodeI(0x73, 5, zero, 5, 2), encodeR(0x53, 0, 7, 1, 2, 3)}), 4, "reserved rounding mode 5");
}

TEST_P(HartInBothModes, RefusesToJumpOutOfProgramMemory) {
  const Error error = errorOf({lui(a0, 0x30000), jalr(zero, a0, 0)});
  EXPECT_NE(std::string(error.what()).find("instruction fetch at 0x30000000"), std::string::npos) << error.what();
}

TEST_P(HartInBothModes, StopsAtEbreakAndUnknownHostCalls) {
  expectIllegal(errorOf({ebreak}), 0, "ebreak");
  expectIllegal(errorOf({addi(a7, zero, 5), ecall}), 4, "host call 5");
  expectIllegal(errorOf({addi(a7, zero, 64), addi(a0, zero, 3), ecall}), 8, "file descriptor 3");
}

TEST_P(HartInBothModes, NamesTheFeatureThatTheTeamLacks) {
  targets::TeamSpec team = testTeam();
  team.vlenBits = 0;
  const Error vector = errorOf({0x0d0572d7}, team);  // vsetvli t0, a0, e32, m1, ta, ma
  EXPECT_EQ(vector.kind, ErrorKind::UnsupportedFeature);
  EXPECT_NE(std::string(vector.what()).find("feature v"), std::string::npos) << vector.what();
  EXPECT_EQ(errorOf({encodeI(0x73, 2, a0, zero, 0xc22 - 0x1000)}, team).kind, ErrorKind::UnsupportedFeature);  // vlenb
}

TEST_P(HartInBothModes, XfrNeedsTheNote) {
  expectIllegal(errorOf({isa::encode(isa::Opcode::Xexit, {zero})}), 0, ".note.forerun");
  expectIllegal(errorOf({0x0000700b}, testTeam(), true), 0, "reserved Xfr encoding");
  expectIllegal(errorOf({addi(a0, zero, 42), isa::encode(isa::Opcode::Xtrap, {a0, zero})}, testTeam(), true), 4,
                "check 42 failed");
}

TEST_P(HartInBothModes, ExitsByHostCallByXexitAndByReturning) {
  const auto exitOf = [&](std::vector<std::uint32_t> words) {
    TestMachine machine(GetParam(), testTeam(), 1, true);
    machine.start(words);
    EXPECT_TRUE(machine.run(100'000));
    EXPECT_EQ(machine.environment.exitCodes.size(), 1u);
    EXPECT_EQ(machine.environment.exitCodes[0], machine.hart().exitCode());
    return machine.hart().exitCode();
  };
  EXPECT_EQ(exitOf({addi(a0, zero, 5), addi(a7, zero, 93), ecall}), 5u);
  EXPECT_EQ(exitOf({addi(a0, zero, 6), addi(a7, zero, 94), ecall}), 6u);
  EXPECT_EQ(exitOf({addi(a0, zero, 7), isa::encode(isa::Opcode::Xexit, {a0})}), 7u);
  EXPECT_EQ(exitOf({addi(a0, zero, 8), ret()}), 0u);
}

TEST_P(HartInBothModes, CommandsCarryASnapshotOfTheirDescriptors) {
  TestMachine machine(GetParam(), testTeam(), 1, true);
  const auto set = [](unsigned d, isa::DescriptorField field, unsigned rs1) {
    return isa::encode(isa::Opcode::XdSet, {d, static_cast<std::uint32_t>(field), rs1});
  };
  machine.start({addi(a0, zero, 100), addi(a1, zero, 3), addi(a2, zero, -4), set(1, isa::DescriptorField::Base, a0),
                 set(1, isa::DescriptorField::Extent1, a1), set(1, isa::DescriptorField::Stride2, a2),
                 set(2, isa::DescriptorField::High3, a1), set(2, isa::DescriptorField::Type, a1),
                 isa::encode(isa::Opcode::XdmaCopy, {a3, 1, 2, a1}), set(1, isa::DescriptorField::Reset, zero),
                 isa::encode(isa::Opcode::XmmRun, {a4, 2, 1, zero, 1, 0}), ret()});
  EXPECT_TRUE(machine.run(100'000));
  ASSERT_EQ(machine.environment.commands.size(), 2u);
  const Command& copy = machine.environment.commands[0];
  EXPECT_EQ(copy.kind, CommandKind::DmaCopy);
  EXPECT_EQ(copy.first.base, 100u);
  EXPECT_EQ(copy.first.extent[1], 3);
  EXPECT_EQ(copy.first.stride[2], -4);
  EXPECT_EQ(copy.second.high[3], 3);
  EXPECT_EQ(copy.second.type, isa::ElementType::I32);
  EXPECT_EQ(copy.after, 3u);
  EXPECT_EQ(copy.pc, kProgramBase + 32);
  const Command& run = machine.environment.commands[1];
  EXPECT_EQ(run.kind, CommandKind::MatrixRun);
  EXPECT_TRUE(run.swapWeights);
  EXPECT_FALSE(run.accumulate);
  EXPECT_EQ(run.first.base, 0u) << "reset";
  EXPECT_EQ(run.second.high[3], 3);
  EXPECT_EQ(machine.hart().state().r[a3], 1u);
  EXPECT_EQ(machine.hart().state().r[a4], 2u);
}

TEST_P(HartInBothModes, AReservedTypeCodeIsRefusedWhenACommandUsesIt) {
  const std::uint32_t setType =
      isa::encode(isa::Opcode::XdSet, {1, static_cast<std::uint32_t>(isa::DescriptorField::Type), a0});
  expectIllegal(
      errorOf({addi(a0, zero, 99), setType, isa::encode(isa::Opcode::XdmaCopy, {a3, 1, 2, zero})}, testTeam(), true), 8,
      "element type code 99");
}

/// Blocks the first wait until told otherwise.
class BlockingEnvironment : public TestEnvironment {
 public:
  Outcome waitToken(HartId, std::uint64_t, Cycles now) override {
    return ++asked == 1 ? Outcome{false, 0, 0} : Outcome{true, now + 5, 0};
  }
  unsigned asked = 0;
};

TEST(Hart, ABlockedInstructionIsRetriedWhenWoken) {
  const targets::TeamSpec team = [] {
    targets::TeamSpec t = testTeam();
    t.icacheBytes = 0;
    return t;
  }();
  TestMachine machine(HartMode::Timed, team, 1, true);
  BlockingEnvironment environment;
  Hart hart({0, 0}, team, {}, machine.space, environment, machine.code);
  machine.start({addi(a0, zero, 1), isa::encode(isa::Opcode::XtokWait, {a0}), addi(a1, zero, 2), ret()});
  hart.start({.pc = kProgramBase}, 0);
  EXPECT_EQ(hart.runUntil(1000).reason, RunReason::Synchronize);
  const RunResult blocked = hart.runUntil(1000);
  EXPECT_EQ(blocked.reason, RunReason::Blocked);
  EXPECT_EQ(blocked.blockedOn, StallCause::Token);
  EXPECT_EQ(hart.pc(), kProgramBase + 4);
  EXPECT_EQ(hart.cycles(30).stalls[static_cast<std::size_t>(StallCause::Token)], 29u);
  EXPECT_EQ(hart.runUntil(1000).reason, RunReason::Blocked);
  hart.wake(50);
  EXPECT_EQ(hart.now(), 50u);
  EXPECT_EQ(hart.runUntil(1000).reason, RunReason::Exited);
  EXPECT_EQ(environment.asked, 2u);
  // The wait issues in 50 and holds until 55; addi and the return (whose penalty of two counts) follow.
  EXPECT_EQ(hart.cycles(hart.now()).stalls[static_cast<std::size_t>(StallCause::Token)], 49u + 4u);
  EXPECT_EQ(hart.now(), 58u);
}

TEST_P(HartInBothModes, StateCanBeTakenOutAndPutBack) {
  const std::vector<std::uint32_t> words{addi(a0, zero, 100), addi(a1, a1, 3), addi(a0, a0, -1), bne(a0, zero, -8),
                                         ret()};
  TestMachine machine(GetParam());
  machine.start(words);
  machine.hart().runUntil(150);
  const HartState saved = machine.hart().state();
  EXPECT_TRUE(machine.run());
  const std::uint64_t result = machine.hart().state().r[a1];
  const Cycles end = machine.hart().now();
  machine.hart().restore(saved);
  EXPECT_TRUE(machine.run());
  EXPECT_EQ(machine.hart().state().r[a1], result);
  EXPECT_EQ(machine.hart().now(), end);
  EXPECT_EQ(result, 300u);
}

TEST_P(HartInBothModes, FenceIMakesWrittenCodeVisible) {
  // Overwrites the addi after the fence.i, which the hart has decoded in its first pass.
  const std::uint32_t patched = addi(a1, a1, 100);
  std::vector<std::uint32_t> words{lui(a2, 0x40000), addi(a0, zero, 2), lw(a3, a2, 40),     fenceI, addi(a1, a1, 1),
                                   sw(a3, a2, 16),   addi(a0, a0, -1),  bne(a0, zero, -16), ret(),  0,
                                   patched};
  TestMachine machine(GetParam());
  machine.start(words);
  EXPECT_TRUE(machine.run(100'000));
  EXPECT_EQ(machine.hart().state().r[a1], 101u);
}

TEST_P(HartInBothModes, HartsCountTogetherThroughAtomics) {
  TestMachine machine(GetParam(), testTeam(), 3);
  machine.start({lui(a1, 0x40001), addi(a0, zero, 1), addi(a3, zero, 50), amoaddW(a2, a0, a1), addi(a3, a3, -1),
                 bne(a3, zero, -8), ret()});
  EXPECT_TRUE(machine.run());
  EXPECT_EQ(*reinterpret_cast<std::uint32_t*>(machine.space.find(0, 0, kProgramBase).data + 0x1000), 150u);
}

}  // namespace
}  // namespace forerun::sim::core
