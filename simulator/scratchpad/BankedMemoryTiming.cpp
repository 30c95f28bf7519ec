//===- BankedMemoryTiming.cpp - time of scratch and accumulator accesses -----===//
// Cuts accesses into rows of banks and books each row.
#include "simulator/scratchpad/BankedMemoryTiming.h"

#include <algorithm>

namespace forerun::sim {

BankedMemoryTiming::BankedMemoryTiming(const targets::BankedMemorySpec& spec, const Horizon* horizon)
    : banks_(std::max<std::uint32_t>(spec.banks, 1)),
      width_(std::max<std::uint32_t>(spec.bankWidthBytes, 1)),
      rowBytes_(std::uint64_t{banks_} * width_),
      latency_(spec.latencyCycles),
      calendar_(horizon, spec.ports * std::max<std::uint32_t>(1, banks_ / 64)) {}

std::uint64_t BankedMemoryTiming::maskOf(std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t firstWord = offset / width_, lastWord = (offset + bytes - 1) / width_;
  const std::uint32_t bits = std::min<std::uint32_t>(banks_, 64);
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t words = lastWord - firstWord + 1;
  if (words >= bits) return all;
  const unsigned start = firstWord % bits;
  const std::uint64_t run = (std::uint64_t{1} << words) - 1;
  return ((run << start) | (start + words > bits ? run >> (bits - start) : 0)) & all;
}

BankedMemoryTiming::Access BankedMemoryTiming::access(std::uint64_t offset, std::uint64_t bytes, Cycles at) {
  Access result{kNever, at, at + latency_, false};
  if (bytes == 0) return {at, at, at + latency_, false};
  bytesServed_ += bytes;
  Cycles want = at;
  while (bytes > 0) {
    // A row may start at any word: banks are distinct as long as it is not longer than all banks together.
    const std::uint64_t room = rowBytes_ - offset % width_;
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
