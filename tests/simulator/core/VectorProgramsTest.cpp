//===- VectorProgramsTest.cpp - vectorised C programs against QEMU ----------===//
// Loops compiled at -O3 for V, Zfh and Zvfh print the same on the hart, in both modes, as under QEMU.
#include "tests/simulator/qemu/QemuProgram.h"

#include <gtest/gtest.h>

namespace forerun::test {
namespace {

class VectorProgram : public testing::TestWithParam<const char*> {};

TEST_P(VectorProgram, PrintsWhatQemuPrints) {
  if (const std::string missing = qemuMissing(); !missing.empty()) GTEST_SKIP() << missing;
  compareWithQemu(qemuProgramPath(std::string("vector-") + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Qemu, VectorProgram, testing::Values("integers", "floating", "memory"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace forerun::test
