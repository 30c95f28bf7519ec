//===- ChipGemmTest.cpp - the C GEMM on whole chips --------------------------------===//
// Equal bits in both modes and against a scalar reference, equal cycles on repetition, time that the array accounts
// for.
#include "ChipFixture.h"

#include <ctime>

using namespace forerun;
using namespace forerun::sim;
using namespace forerun::sim::test;

namespace {

Options options(Mode mode, Cycles quantum = 0) {
  Options o;
  o.mode = mode;
  o.quantum = quantum;
  return o;
}

TEST(ChipGemm, equalsScalarReferenceInBothModes) {
  const targets::TargetSpec edge = target("edge");
  auto functional = simulator(edge, options(Mode::Functional), "gemm_xfr.elf"),
       timed = simulator(edge, options(Mode::Timing), "gemm_xfr.elf");
  ASSERT_TRUE(functional && timed);
  // Sizes that find faults: facts of the numerics page.
  const std::uint64_t sizes[][3] = {{1, 1, 1},       {6, 13, 3},      {15, 37, 7},    {81, 19, 41},
                                    {256, 256, 256}, {457, 330, 512}, {438, 331, 513}};
  for (const auto& size : sizes) {
    const Gemm gemm(size[0], size[1], size[2]);
    const std::vector<float> expected = gemm.reference();
    LaunchReport report;
    EXPECT_TRUE(sameBits(gemm.run(*functional, report), expected)) << size[0] << "x" << size[1] << "x" << size[2];
    EXPECT_EQ(report.matrix.macs, size[0] * size[1] * size[2]);
    EXPECT_TRUE(sameBits(gemm.run(*timed, report), expected)) << size[0] << "x" << size[1] << "x" << size[2];
    EXPECT_EQ(report.matrix.macs, size[0] * size[1] * size[2]);
    EXPECT_TRUE(report.warnings.empty());
    EXPECT_GT(report.cycles, 0u);
    expectSums(report);
  }
}

TEST(ChipGemm, cyclesRepeatAndHardlyDependOnTheQuantum) {
  const targets::TargetSpec edge = target("edge");
  const Gemm gemm(256, 256, 512);
  Cycles cycles[2];
  for (Cycles& c : cycles) {
    auto sim = simulator(edge, options(Mode::Timing), "gemm_xfr.elf");
    LaunchReport report;
    gemm.run(*sim, report);
    c = report.cycles;
  }
  EXPECT_EQ(cycles[0], cycles[1]);
  auto sim = simulator(edge, options(Mode::Timing, 1), "gemm_xfr.elf");
  LaunchReport report;
  gemm.run(*sim, report);
  EXPECT_NEAR(static_cast<double>(report.cycles), static_cast<double>(cycles[0]),
              0.02 * static_cast<double>(cycles[0]));
}

TEST(ChipGemm, keepsTheArraysBusy) {
  auto sim = simulator(target("edge"), options(Mode::Timing), "gemm_xfr.elf");
  const Gemm gemm(1024, 1024, 1024);
  LaunchReport report;
  const std::clock_t begin = std::clock();
  const std::vector<float> c = gemm.run(*sim, report);
  const double hostSeconds =
      static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;  // of this process: other load does not count
  print(report);
  llvm::outs() << "host processor seconds " << hostSeconds << "\n";
  EXPECT_TRUE(sameBits(c, gemm.reference()));
  EXPECT_GT(report.matrix.utilisation, 0.8);
#if __has_feature(address_sanitizer)
  EXPECT_LT(hostSeconds, 60.0);
#else
  EXPECT_LT(hostSeconds, 6.0);  // about 1
#endif
  EXPECT_EQ(report.matrix.peakMacsPerCycle, 4 * 512);
  expectSums(report);
}

TEST(ChipGemm, scalesToManyCoresAndOtherArrays) {
  for (const char* name : {"datacenter", "mtia2i"}) {
    auto timed = simulator(target(name), options(Mode::Timing), "gemm_xfr.elf");
    ASSERT_TRUE(timed);
    const Gemm gemm(300, 1100, 200);
    LaunchReport report;
    EXPECT_TRUE(sameBits(gemm.run(*timed, report), gemm.reference())) << name;
    expectSums(report);
  }
}

}  // namespace
