//===- HostSpec.h - this computer, as a target of the compiler --------------===//
// How many cores and teams kernels see when they run on the CPU; what its cores can do is asked from LLVM.
#pragma once

#include <cstdint>
#include <string>

namespace forerun::targets {

struct HostSpec {
  /// Of a team. Regions of lanes are loops, so that it is no number of the computer: kernels see the same everywhere.
  static constexpr std::uint32_t kLanes = 8;
  std::string name, description;
  std::string path;                 ///< file it was read from
  std::uint32_t cores = 0;          ///< 0: as many as this computer has
  std::uint32_t teams = 0;          ///< of a core
  std::uint32_t coreCount() const;  ///< at least 1
};

}  // namespace forerun::targets
