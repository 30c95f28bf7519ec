//===- DmaFunction.h - what DMA commands move -------------------------------===//
// xdma.copy and xdma.index on the bytes of the machine (docs/machine-contract.md); no time.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/scratchpad/EngineMemory.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::dma {

/// What a command moved, for credits and statistics.
struct DmaWork {
  std::uint64_t readBytes = 0;     ///< of present source elements (and indices)
  std::uint64_t writtenBytes = 0;  ///< of elements written, over all destinations of a multicast
  std::vector<std::int64_t> rows;  ///< xdma.index: index of every walked row
};

/// Functional DMA of one core.
class DmaFunction {
 public:
  explicit DmaFunction(const EngineMemory& memory) : memory_(memory) {}

  /// Executes the command. Throws IllegalProgram (shapes, regions, bounds, uninitialised sources, indices out of
  /// range).
  DmaWork execute(const Command& command);

 private:
  DmaWork copy(const Command& command);
  DmaWork index(const Command& command);

  const EngineMemory& memory_;
  std::vector<std::uint8_t> staging_;
};

/// Destinations of a command: its own, or one box a core of its multicast mask. Throws IllegalProgram when the mask
/// names a core that the chip lacks or the destination is not local scratch. Shared with timing.
std::vector<StridedBox> destinations(const Descriptor& descriptor, const StridedBox& box, std::uint32_t core,
                                     std::uint32_t cores);

/// Part of the source that a copy reads: inside the destination's walk, the source's extents and bounds.
std::array<IndexRange, 4> copySourceRange(const Descriptor& destination, const Descriptor& source);

}  // namespace forerun::sim::dma
