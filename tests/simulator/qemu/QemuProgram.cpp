//===- QemuProgram.cpp - the same program under QEMU and under the hart -----===//
// Process handling and comparison.
#include "tests/simulator/qemu/QemuProgram.h"

#include "tests/simulator/core/TestMachine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <gtest/gtest.h>

namespace forerun::test {

namespace core = sim::core;

std::string qemuProgramPath(const std::string& name) {
  return std::string(FORERUN_QEMU_PROGRAMS) + "/" + name + ".elf";
}

std::string qemuMissing() {
  if (!FORERUN_QEMU_COMPILER) return "the build found no clang with a RISC-V target to compile the programs";
  if (!llvm::sys::findProgramByName("qemu-riscv64")) return "qemu-riscv64 is not installed (package qemu-user)";
  return {};
}

ProgramOutput runUnderQemu(const std::string& path) {
  llvm::SmallString<128> file;
  int descriptor = -1;
  if (llvm::sys::fs::createTemporaryFile("forerun-qemu", "out", descriptor, file))
    ADD_FAILURE() << "cannot make a temporary file";
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  const std::string qemu = llvm::cantFail(llvm::errorOrToExpected(llvm::sys::findProgramByName("qemu-riscv64")));
  const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(file), std::nullopt};
  std::string message;
  ProgramOutput result;
  result.exitCode = llvm::sys::ExecuteAndWait(
      qemu, {qemu, "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=512,elen=64,Zfh=true,Zfhmin=true", path}, std::nullopt,
      redirects, 120, 0, &message);
  if (result.exitCode < 0) ADD_FAILURE() << "QEMU: " << message;
  auto buffer = llvm::MemoryBuffer::getFile(file, false, false);
  if (buffer) result.text = (*buffer)->getBuffer().str();
  llvm::sys::fs::remove(file);
  return result;
}

ProgramOutput runOnHart(const std::string& path, core::HartMode mode) {
  core::TestMachine machine(mode);
  const core::Program program = core::Program::fromFile(path);
  machine.start(program);
  ProgramOutput result;
  try {
    if (!machine.run(4'000'000'000)) ADD_FAILURE() << path << " did not end";
  } catch (const sim::Error& error) {
    ADD_FAILURE() << path << ": " << error.what() << " at pc 0x" << std::hex << error.pc << " `" << error.instruction
                  << "` " << program.sourceLocation(error.pc);
  }
  if (mode == core::HartMode::Timed && machine.hart().status() == core::HartStatus::Exited)
    machine.hart().cycles(machine.hart().now());
  result.text = machine.environment.output;
  result.exitCode = static_cast<int>(machine.hart().exitCode() & 255);
  return result;
}

/// The first line that differs, with the last lines before it; "" when none does.
static std::string firstDifference(llvm::StringRef expected, llvm::StringRef actual) {
  std::string before[3];
  for (unsigned line = 1; !expected.empty() || !actual.empty(); ++line) {
    const auto [wanted, expectedRest] = expected.split('\n');
    const auto [found, actualRest] = actual.split('\n');
    if (wanted != found) {
      return "line " + std::to_string(line) + ": QEMU prints `" + wanted.str() + "`, the hart `" + found.str() +
             "`\nafter\n" + before[0] + "\n" + before[1] + "\n" + before[2];
    }
    before[0] = before[1];
    before[1] = before[2];
    before[2] = wanted.str();
    expected = expectedRest;
    actual = actualRest;
  }
  return {};
}

void compareWithQemu(const std::string& path) {
  const ProgramOutput expected = runUnderQemu(path);
  for (const core::HartMode mode : {core::HartMode::Functional, core::HartMode::Timed}) {
    SCOPED_TRACE(mode == core::HartMode::Timed ? "timing mode" : "functional mode");
    const ProgramOutput actual = runOnHart(path, mode);
    EXPECT_FALSE(expected.text.empty());
    if (actual.text != expected.text) ADD_FAILURE() << path << ", " << firstDifference(expected.text, actual.text);
    EXPECT_EQ(actual.exitCode, expected.exitCode);
  }
}

}  // namespace forerun::test
