//===- LaunchWork.h - the least that a launch must do, as numbers ------------===//
// Plain data: bounds and reports need no MLIR.
#pragma once

#include "isa/ElementType.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace forerun::analysis {

using isa::ElementType;

/// One matrix product of a kernel: valid elements only.
struct MatmulWork {
  std::int64_t m = 0, n = 0, k = 0;
  std::uint64_t count = 0;
  ElementType type = ElementType::F16;
};

struct LaunchWork {
  std::string kernel;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::map<ElementType, std::uint64_t> macs;  ///< multiply-adds by operand type
  std::vector<MatmulWork> matmuls;            ///< distinct shapes
  std::map<unsigned, std::uint64_t>
      vectorOps;  ///< arithmetic steps of maps and reductions x elements, by bits of the widest type
  std::uint64_t readBytes = 0, writtenBytes = 0;  ///< distinct bytes of global memory read, and written
  std::uint64_t copies = 0;                       ///< whole-tile moves, one DMA command each at least
};

}  // namespace forerun::analysis
