//===- BankedMemoryTiming.h - time of scratch and accumulator accesses -------===//
// One core's scratchpad or accumulator memory: banks, ports, width, latency; shared by harts, DMA and matrix units.
#pragma once

#include "simulator/scratchpad/BankCalendar.h"
#include "targets/TargetSpec.h"

#include <cstdint>

namespace forerun::sim {

/// Word w (bankWidthBytes wide) of the memory is in bank w % banks. A bank serves `ports` words a cycle. An access of several words
/// takes one cycle when no bank holds two of its words; longer ones are cut into rows of banks * bankWidthBytes. Data is there
/// latencyCycles after the last word was served.
class BankedMemoryTiming {
 public:
  struct Access {
    Cycles first = 0;      ///< cycle in which the first word is served
    Cycles last = 0;       ///< cycle in which the last word is served
    Cycles ready = 0;      ///< last + latencyCycles
    bool conflict = false; ///< some word waited for its bank
  };

  BankedMemoryTiming(const targets::BankedMemorySpec& spec, const Horizon* horizon);

  /// [offset, offset + bytes) from the start of the memory, in the first free cycles from `at`.
  Access access(std::uint64_t offset, std::uint64_t bytes, Cycles at);

  /// Largest access that takes one cycle.
  std::uint64_t rowBytes() const { return rowBytes_; }
  std::uint64_t bytesServed() const { return bytesServed_; }
  Cycles latencyCycles() const { return latency_; }

 private:
  std::uint64_t maskOf(std::uint64_t offset, std::uint64_t bytes) const;

  std::uint32_t banks_, width_;
  std::uint64_t rowBytes_;
  Cycles latency_;
  BankCalendar calendar_;
  std::uint64_t bytesServed_ = 0;
};

}  // namespace forerun::sim
