//===- GpuSpec.h - one GPU, as its target file describes it -----------------===//
// What code generation for a GPU needs to know; there is no model of one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::targets {

struct GpuSpec {
  std::string name, description;
  std::vector<std::string> sources;  ///< where the numbers come from
  std::string path;                  ///< file it was read from
  std::string arch;                  ///< as LLVM calls it: "sm_80"
  std::uint32_t ptxVersion = 0;      ///< major * 10 + minor
  std::uint32_t warpSize = 0;        ///< threads
  std::uint32_t warpsPerGroup = 0;   ///< of a warpgroup: teams of a group
  std::uint32_t warpsPerCta = 0;     ///< teams of a core
  std::uint32_t maxThreads = 0;      ///< of a CTA
  std::uint64_t sharedBytes = 0;     ///< that a CTA may use
  std::uint32_t sharedBanks = 0;
  std::uint32_t sharedBankWidthBytes = 0;  ///< that a bank serves in a cycle
};

}  // namespace forerun::targets
