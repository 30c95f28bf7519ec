//===- BankedMemoryTiming.cpp - time of scratch and accumulator accesses -----===//
// Cuts accesses into rows of banks and books each row.
#include "simulator/scratchpad/BankedMemoryTiming.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace forerun::sim {

BankedMemoryTiming::BankedMemoryTiming(const targets::BankedMemorySpec& spec, const Horizon* horizon)
    : banks_(std::max<std::uint32_t>(spec.banks, 1)),
      widthShift_(static_cast<std::uint32_t>(std::countr_zero(std::max<std::uint32_t>(spec.bankWidthBytes, 1)))),
      widthMask_((std::uint32_t{1} << widthShift_) - 1),
      bits_(std::min<std::uint32_t>(banks_, 64)),
      allBanks_(~std::uint64_t{0} >> (64 - bits_)),
      rowBytes_(std::uint64_t{banks_} << widthShift_),
      latency_(spec.latencyCycles),
      calendar_(horizon, spec.ports * std::max<std::uint32_t>(1, banks_ / 64)) {
  assert(std::has_single_bit(std::max<std::uint32_t>(spec.bankWidthBytes, 1)) && "targets are validated");
}

BankedMemoryTiming::Access BankedMemoryTiming::accessRows(std::uint64_t offset, std::uint64_t bytes, Cycles at) {
  Access result{kNever, at, at + latency_, false};
  if (bytes == 0) return {at, at, at + latency_, false};
  Cycles want = at;
  while (bytes > 0) {
    // A row may start at any word: banks are distinct as long as it is not longer than all banks together.
    const std::uint64_t room = rowBytes_ - (offset & widthMask_);
    const std::uint64_t piece = std::min(bytes, room);
    const Cycles served = calendar_.reserve(want, maskOf(offset, piece));
    result.conflict |= served > want;
    result.first = std::min(result.first, served);
    result.last = served;
    want = served + 1;
    offset += piece;
    bytes -= piece;
  }
  result.ready = result.last + latency_;
  return result;
}

}  // namespace forerun::sim
