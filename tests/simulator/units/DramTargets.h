//===- DramTargets.h - DRAM descriptions that tests share -------------------===//
// Device timings from public datasheets; tests/ only, targets/*.yaml hold the ones that users see.
#pragma once

#include "targets/TargetSpec.h"

namespace forerun::sim::dram {

/// DDR4-2400 4 Gb x8, one rank on a 64-bit bus; reference clock = command clock = 1.2 GHz.
inline targets::TargetSpec ddr4() {
  targets::TargetSpec target;
  target.clocks = {{"dram", 1'200'000'000}};
  target.reference = "dram";
  targets::DramSpec& dram = target.dram;
  dram.kind = "DDR4";
  dram.clock = "dram";
  dram.bytes = 4ull << 30;
  dram.channels = 1;
  dram.ranks = 1;
  dram.bankGroups = 4;
  dram.banksPerGroup = 4;
  dram.busBytes = 8;
  dram.dataRate = 2;
  dram.burstLength = 8;
  dram.rowBytes = 8192;
  dram.interleaveBytes = 64;
  dram.mapping = "row-bank-group-column";
  // tRAS 32 ns, tRRD 3.3 / 4.9 ns, tFAW 21 ns, tWR 15 ns, tWTR_L 7.5 ns, tRFC 260 ns, tREFI 7.8 us at tCK 0.833 ns.
  dram.timings = {.tRCD = 16,
                  .tCL = 16,
                  .tCWL = 12,
                  .tRP = 16,
                  .tRAS = 39,
                  .tRRD_S = 4,
                  .tRRD_L = 6,
                  .tFAW = 26,
                  .tCCD_S = 4,
                  .tCCD_L = 6,
                  .tWR = 18,
                  .tWTR = 9,
                  .tRTW = 8,
                  .tRFC = 312,
                  .tREFI = 9360};
  return target;
}

/// HBM3 6.4 Gb/s, 32 pseudo channels of 32 bit: 819 GB/s a stack; command clock 1.6 GHz, refresh spread over banks
/// (counted as tRFC 130 ns).
inline targets::TargetSpec hbm3() {
  targets::TargetSpec target;
  target.clocks = {{"core", 1'500'000'000}, {"dram", 1'600'000'000}};
  target.reference = "core";
  targets::DramSpec& dram = target.dram;
  dram.kind = "HBM3";
  dram.clock = "dram";
  dram.bytes = 16ull << 30;
  dram.channels = 32;
  dram.ranks = 1;
  dram.bankGroups = 4;
  dram.banksPerGroup = 4;
  dram.busBytes = 4;
  dram.dataRate = 4;
  dram.burstLength = 8;
  dram.rowBytes = 1024;
  dram.interleaveBytes = 256;
  dram.mapping = "row-bank-group-column-xor";
  dram.controllerCycles = 20;
  dram.timings = {.tRCD = 22,
                  .tCL = 24,
                  .tCWL = 12,
                  .tRP = 22,
                  .tRAS = 45,
                  .tRRD_S = 3,
                  .tRRD_L = 4,
                  .tFAW = 16,
                  .tCCD_S = 2,
                  .tCCD_L = 4,
                  .tWR = 24,
                  .tWTR = 10,
                  .tRTW = 14,
                  .tRFC = 208,
                  .tREFI = 6240};
  return target;
}

/// LPDDR5-6400, four 16-bit channels: 51.2 GB/s; command clock 800 MHz, eight transfers a clock.
inline targets::TargetSpec lpddr5() {
  targets::TargetSpec target;
  target.clocks = {{"core", 1'000'000'000}, {"dram", 800'000'000}};
  target.reference = "core";
  targets::DramSpec& dram = target.dram;
  dram.kind = "LPDDR5";
  dram.clock = "dram";
  dram.bytes = 8ull << 30;
  dram.channels = 4;
  dram.ranks = 1;
  dram.bankGroups = 4;
  dram.banksPerGroup = 4;
  dram.busBytes = 2;
  dram.dataRate = 8;
  dram.burstLength = 16;
  dram.rowBytes = 2048;
  dram.interleaveBytes = 256;
  dram.mapping = "row-bank-group-column-xor";
  dram.controllerCycles = 10;
  dram.timings = {.tRCD = 15,
                  .tCL = 17,
                  .tCWL = 9,
                  .tRP = 15,
                  .tRAS = 34,
                  .tRRD_S = 4,
                  .tRRD_L = 4,
                  .tFAW = 16,
                  .tCCD_S = 2,
                  .tCCD_L = 4,
                  .tWR = 28,
                  .tWTR = 10,
                  .tRTW = 12,
                  .tRFC = 112,
                  .tREFI = 3125};
  return target;
}

}  // namespace forerun::sim::dram
