//===- BurstWalk.h - a DMA command as a sequence of bursts ---------------------===//
// Orders the dimensions of a command so that the memory outside the core sees the longest contiguous pieces, and cuts
// them into bursts.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/scratchpad/StridedBox.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forerun::sim::dma {

/// One piece of work: a read (readElements > 0), then a write (writeElements > 0). Elements are stride bytes apart.
struct Burst {
  std::uint64_t readAddress = 0, writeAddress = 0;
  std::uint32_t readElements = 0, writeElements = 0;
};

/// Where a walk's operands are.
struct WalkSides {
  bool sourceFar = false, destinationFar = false;  ///< outside the core
};

/// Bursts of xdma.copy or xdma.index. `rows`: indices of the selected side for xdma.index (empty for a copy). A burst
/// is at most `burstBytes` of the far side (the destination when both are near) and does not cross a multiple of
/// burstBytes there; when the far side's innermost neighbours are not adjacent, every element is a burst.
class BurstWalk {
 public:
  BurstWalk(const Command& command, const WalkSides& sides, std::uint32_t burstBytes, std::vector<std::int64_t> rows);

  /// False when there is none left.
  bool next(Burst& burst);

  std::int64_t readStride() const { return loops_[0].sourceStride; }
  std::int64_t writeStride() const { return loops_[0].destinationStride; }
  std::uint32_t readElementBytes() const { return sourceBytes_; }
  std::uint32_t writeElementBytes() const { return destinationBytes_; }

 private:
  struct Loop {
    std::int64_t count = 1, destinationStride = 0, sourceStride = 0;
    std::int64_t sourceBegin = 0, sourceEnd = 1;  ///< indices at which there is a source element
    std::int64_t destinationBegin = 0, destinationEnd = 1;
    bool indexed = false;
  };
  /// Makes two elements of dimension 0 one where a side is packed.
  void walkPacked(Descriptor& dst, std::array<IndexRange, 4>& dstRange, Descriptor& src,
                  std::array<IndexRange, 4>& srcRange);
  bool stepOuter();

  std::array<Loop, 4> loops_;
  std::array<std::int64_t, 4> index_{};
  std::vector<std::int64_t> rows_;
  std::uint8_t mode_ = 0;
  bool indexedCommand_ = false;
  bool farIsSource_ = false;
  bool done_ = false;
  std::uint64_t sourceBase_ = 0, destinationBase_ = 0;
  std::uint32_t sourceBytes_ = 1, destinationBytes_ = 1, burstBytes_ = 1;
};

}  // namespace forerun::sim::dma
