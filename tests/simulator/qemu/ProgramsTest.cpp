//===- ProgramsTest.cpp - compiled C programs against QEMU ------------------===//
// Byte-by-byte equal output in functional and timing mode.
#include "tests/simulator/qemu/QemuProgram.h"

#include <gtest/gtest.h>

namespace forerun::test {
namespace {

class ScalarProgram : public testing::TestWithParam<const char*> {};

TEST_P(ScalarProgram, PrintsWhatQemuPrints) {
  if (const std::string missing = qemuMissing(); !missing.empty()) GTEST_SKIP() << missing;
  compareWithQemu(qemuProgramPath(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Qemu, ScalarProgram,
                         testing::Values("integer", "divide", "strings", "sorts", "crc", "atomics", "floats", "halves",
                                         "rounding", "compressed", "csrs"),
                         [](const auto& info) { return std::string(info.param); });

class RandomInstructions : public testing::TestWithParam<int> {};

TEST_P(RandomInstructions, LeaveTheRegistersThatQemuLeaves) {
  if (const std::string missing = qemuMissing(); !missing.empty()) GTEST_SKIP() << missing;
  compareWithQemu(qemuProgramPath("random-" + std::to_string(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Qemu, RandomInstructions, testing::Range(1, 5));

}  // namespace
}  // namespace forerun::test
