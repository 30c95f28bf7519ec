//===- VectorOracle.h - single vector instructions under QEMU ---------------===//
// Sends records to VectorOracleGuest.c, which runs them under qemu-riscv64, and reads the resulting state back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::sim::core {

/// One run: state before, and up to 8 instruction words. Layout shared with VectorOracleGuest.c.
struct OracleRecord {
  std::uint64_t words = 0, usesWindow = 0, vtype = 0, avl = 0, vstart = 0, frm = 0, vxrm = 0, x10 = 0, x11 = 0, f10 = 0;
  std::uint32_t code[8] = {};
};
struct OracleResult {
  std::uint64_t traps = 0, vl = 0, fflags = 0, vxsat = 0, x12 = 0, f12 = 0, vtype = 0, vstart = 0;
};
inline constexpr std::size_t kOracleWindowBytes = 4096;

struct OracleCase {
  OracleRecord record;
  std::vector<std::uint8_t> registers;  ///< 32 * VLEN / 8
  std::vector<std::uint8_t> window;  ///< kOracleWindowBytes when record.usesWindow; record.x10 is relative to it then
};
struct OracleOutcome {
  OracleResult result;
  std::vector<std::uint8_t> registers, window;
};

/// Why the oracle cannot run here; empty when it can.
std::string oracleMissing();
/// Runs all cases in one QEMU process.
std::vector<OracleOutcome> runOracle(std::uint32_t vlenBits, const std::vector<OracleCase>& cases);

}  // namespace forerun::sim::core
