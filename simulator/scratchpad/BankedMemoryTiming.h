//===- BankedMemoryTiming.h - time of scratch and accumulator accesses -------===//
// One core's scratchpad or accumulator memory: banks, ports, width, latency; shared by harts, DMA and matrix units.
#pragma once

#include "simulator/scratchpad/BankCalendar.h"
#include "targets/TargetSpec.h"

#include <cstdint>

namespace forerun::sim {

/// Word w (bankWidthBytes wide) of the memory is in bank w % banks. A bank serves `ports` words a cycle. An access of
/// several words takes one cycle when no bank holds two of its words; longer ones are cut into rows of banks *
/// bankWidthBytes. Data is there latencyCycles after the last word was served.
class BankedMemoryTiming {
 public:
  struct Access {
    Cycles first = 0;       ///< cycle in which the first word is served
    Cycles last = 0;        ///< cycle in which the last word is served
    Cycles ready = 0;       ///< last + latencyCycles
    bool conflict = false;  ///< some word waited for its bank
  };

  BankedMemoryTiming(const targets::BankedMemorySpec& spec, const Horizon* horizon);

  /// [offset, offset + bytes) from the start of the memory, in the first free cycles from `at`.
  Access read(std::uint64_t offset, std::uint64_t bytes, Cycles at) {
    bytesRead_ += bytes;
    return access(offset, bytes, at);
  }
  /// The same for a write, or a read and a write of the same bytes at the banks (atomics, sums of the matrix unit).
  Access write(std::uint64_t offset, std::uint64_t bytes, Cycles at) {
    bytesWritten_ += bytes;
    return access(offset, bytes, at);
  }

  /// Largest access that takes one cycle.
  std::uint64_t rowBytes() const { return rowBytes_; }
  std::uint64_t bytesRead() const { return bytesRead_; }
  std::uint64_t bytesWritten() const { return bytesWritten_; }
  Cycles latencyCycles() const { return latency_; }

 private:
  Access access(std::uint64_t offset, std::uint64_t bytes, Cycles at) {
    // Most accesses fit the banks in one row.
    if (bytes - 1 >= rowBytes_ - (offset & widthMask_)) return accessRows(offset, bytes, at);
    const Cycles served = calendar_.reserve(at, maskOf(offset, bytes));
    return {served, served, served + latency_, served > at};
  }
  Access accessRows(std::uint64_t offset, std::uint64_t bytes, Cycles at);
  /// Banks of [offset, offset + bytes), bytes > 0.
  std::uint64_t maskOf(std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t firstWord = offset >> widthShift_,
                        words = ((offset + bytes - 1) >> widthShift_) - firstWord + 1;
    if (words >= bits_) return allBanks_;
    const unsigned start =
        static_cast<unsigned>((bits_ & (bits_ - 1)) == 0 ? firstWord & (bits_ - 1) : firstWord % bits_);
    const std::uint64_t run = (std::uint64_t{1} << words) - 1;
    return ((run << start) | (start + words > bits_ ? run >> (bits_ - start) : 0)) & allBanks_;
  }

  std::uint32_t banks_;
  std::uint32_t widthShift_, widthMask_;  ///< of the width of a bank, a power of two of bytes
  std::uint32_t bits_;                    ///< of a mask
  std::uint64_t allBanks_;
  std::uint64_t rowBytes_;
  Cycles latency_;
  BankCalendar calendar_;
  std::uint64_t bytesRead_ = 0, bytesWritten_ = 0;
};

}  // namespace forerun::sim
