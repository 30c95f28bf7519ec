//===- QemuProgram.h - the same program under QEMU and under the hart -------===//
// QEMU user mode is an independent oracle for RISC-V: run both, compare what they print.
#pragma once

#include "simulator/core/Hart.h"

#include <optional>
#include <string>

namespace forerun::test {

struct ProgramOutput {
  std::string text;
  int exitCode = 0;

  bool operator==(const ProgramOutput&) const = default;
};

/// Path of a program that CMake's forerun_qemu_program(NAME ...) built.
std::string qemuProgramPath(const std::string& name);

/// Why programs cannot be compared here (no qemu-riscv64, no clang when the build was configured), to be shown by
/// GTEST_SKIP; "" when they can.
std::string qemuMissing();

/// Runs an ELF under qemu-riscv64 with V (VLEN 512), Zfh and Zvfh.
ProgramOutput runUnderQemu(const std::string& path);

/// Runs it on one hart of ours.
ProgramOutput runOnHart(const std::string& path, sim::core::HartMode mode);

/// Expects equal output and exit code in functional and in timing mode.
void compareWithQemu(const std::string& path);

}  // namespace forerun::test
