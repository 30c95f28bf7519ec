//===- MemoryPort.h - the way from an engine to memory outside its core -------===//
// What DMA timing needs of NoC, caches and DRAM; a test can stand in for them.
#pragma once

#include "simulator/kernel/Cycles.h"
#include "simulator/kernel/Reply.h"

#include <cstdint>

namespace forerun::sim::dma {

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  /// Contiguous request of core `core` for [address, address + bytes) of global memory or another core's scratch, sent
  /// at `at`; returns when all data is at the core, or kNever when that is not decided yet and `reply` receives it.
  virtual Cycles readOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at,
                             Reply reply) = 0;
  /// Data leave the core at `at`; returns when the write is acknowledged, or kNever likewise.
  virtual Cycles writeOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at,
                              Reply reply) = 0;
  /// One write to the scratch of every core in the mask `cores` (not `core` itself), at the same offset; returns when
  /// the last is acknowledged.
  virtual Cycles multicastOutside(std::uint32_t core, std::uint64_t cores, std::uint64_t offset, std::uint32_t bytes,
                                  Cycles at) = 0;
};

}  // namespace forerun::sim::dma
