//===- Command.h - what a hart hands to an engine --------------------------===//
// Snapshotted descriptors and the decoded Xfr command, as they travel from a hart to a queue.
#pragma once

#include "isa/ElementType.h"
#include "simulator/kernel/Cycles.h"

#include <array>
#include <cstdint>
#include <limits>

namespace forerun::sim {

/// One descriptor, see docs/machine-contract.md. Dimension 0 is innermost; strides are bytes.
struct Descriptor {
  std::uint64_t base = 0;
  std::array<std::int64_t, 4> extent{1, 1, 1, 1};
  std::array<std::int64_t, 4> stride{0, 0, 0, 0};
  std::array<std::int64_t, 4> high{kUnbounded, kUnbounded, kUnbounded, kUnbounded};
  std::array<std::int64_t, 4> low{0, 0, 0, 0};
  isa::ElementType type = isa::ElementType::F32;
  std::uint64_t fill = 0;
  std::uint32_t queue = 0;
  std::uint64_t multicast = 0;
  std::uint64_t credit = 0;
  float scale = 1.0f;

  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();
};

enum class CommandKind : std::uint8_t {
  DmaCopy,
  DmaIndex,
  MatrixLoad,
  MatrixRun,
  MatrixStore,
  VectorMap,
  VectorReduce
};

struct Command {
  CommandKind kind;
  bool swapWeights = false;    ///< xmm.run
  bool accumulate = false;     ///< xmm.run
  bool transpose = false;      ///< xmm.load: B is stored N x K
  std::uint8_t indexMode = 0;  ///< xdma.index: 0 gather, 1 scatter replace, 2 scatter add
  Descriptor first;            ///< dDst of DMA; dB of load; dAcc of run and store. Its `queue` picks the queue.
  Descriptor second;           ///< dSrc of DMA; dA of run; dDst of store
  Descriptor third;            ///< dIdx of xdma.index
  std::uint64_t after = 0;     ///< token that must be complete before the command starts; 0 = none
  std::uint64_t pc = 0;        ///< of the issuing instruction, for messages and profiles
};

}  // namespace forerun::sim
