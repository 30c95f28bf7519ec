//===- VectorOracle.cpp - single vector instructions under QEMU -------------===//
// See VectorOracle.h.
#include "tests/simulator/core/VectorOracle.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace forerun::sim::core {

std::string oracleMissing() {
  if (!llvm::sys::findProgramByName("qemu-riscv64")) return "qemu-riscv64 is not installed";
  if (!llvm::sys::fs::exists(FORERUN_VECTOR_GUEST)) return "the guest program was not built: no clang-22 for RISC-V";
  return "";
}

std::vector<OracleOutcome> runOracle(std::uint32_t vlenBits, const std::vector<OracleCase>& cases) {
  llvm::SmallString<128> input, output;
  if (llvm::sys::fs::createTemporaryFile("forerun-oracle", "in", input) ||
      llvm::sys::fs::createTemporaryFile("forerun-oracle", "out", output))
    throw std::runtime_error("cannot create temporary files");
  {
    std::ofstream file(input.c_str(), std::ios::binary);
    for (const OracleCase& c : cases) {
      file.write(reinterpret_cast<const char*>(&c.record), sizeof c.record);
      file.write(reinterpret_cast<const char*>(c.registers.data()), static_cast<std::streamsize>(c.registers.size()));
      if (c.record.usesWindow) file.write(reinterpret_cast<const char*>(c.window.data()), kOracleWindowBytes);
    }
  }
  const std::string cpu = "rv64,v=true,vext_spec=v1.0,elen=64,Zfh=true,vlen=" + std::to_string(vlenBits);
  const std::string qemu = *llvm::sys::findProgramByName("qemu-riscv64");
  const llvm::StringRef arguments[] = {qemu, "-cpu", cpu, FORERUN_VECTOR_GUEST};
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(input), llvm::StringRef(output), std::nullopt};
  std::string error;
  const int status = llvm::sys::ExecuteAndWait(qemu, arguments, std::nullopt, redirects, 240, 0, &error);
  std::vector<OracleOutcome> outcomes;
  std::ifstream file(output.c_str(), std::ios::binary);
  for (const OracleCase& c : cases) {
    OracleOutcome o;
    o.registers.resize(c.registers.size());
    file.read(reinterpret_cast<char*>(&o.result), sizeof o.result);
    file.read(reinterpret_cast<char*>(o.registers.data()), static_cast<std::streamsize>(o.registers.size()));
    if (c.record.usesWindow) {
      o.window.resize(kOracleWindowBytes);
      file.read(reinterpret_cast<char*>(o.window.data()), kOracleWindowBytes);
    }
    if (!file) break;
    outcomes.push_back(std::move(o));
  }
  std::remove(input.c_str());
  std::remove(output.c_str());
  if (status != 0 || outcomes.size() != cases.size())
    throw std::runtime_error("oracle stopped with status " + std::to_string(status) + " after " +
                             std::to_string(outcomes.size()) + " of " + std::to_string(cases.size()) + " cases " +
                             error);
  return outcomes;
}

}  // namespace forerun::sim::core
