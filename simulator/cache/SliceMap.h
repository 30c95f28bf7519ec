//===- SliceMap.h - which L2 slice holds an address --------------------------===//
// The hash from addresses to slices and sets, kept in step with the DRAM's channel interleaving.
#pragma once

#include "simulator/dram/AddressMap.h"
#include "targets/TargetSpec.h"

#include <bit>
#include <cstdint>

namespace forerun::sim::cache {

/// value mod n, plus the sum of the higher digits of value in base n, mod n: every aligned run of n values takes each result once, and strides that are
/// multiples of n do not all give the same one.
inline std::uint64_t foldedModulo(std::uint64_t value, std::uint64_t n) {
  if (n == 1) return 0;
  std::uint64_t sum = 0;
  if (std::has_single_bit(n)) {
    const unsigned bits = static_cast<unsigned>(std::countr_zero(n));
    for (; value != 0; value >>= bits) sum += value & (n - 1);
    return sum & (n - 1);
  }
  for (; value != 0; value /= n) sum += value % n;
  return sum % n;
}

/// Slices are memory-side: a slice caches the addresses of its own DRAM channels, so traffic between them stays off the network. Addresses interleave in
/// pieces of pieceBytes() = the larger of a line and the DRAM's channel interleave. With k slices a channel (slices a multiple of channels) a channel's
/// pieces rotate over its k slices (foldedModulo); with k channels a slice, slice = channel / k; when neither divides the other, pieces rotate over all
/// slices and each slice reaches every channel.
class SliceMap {
 public:
  SliceMap(const targets::TargetSpec& target, const dram::AddressMap& dram) : dram_(dram), slices_(target.l2.slices), channels_(target.dram.channels) {
    pieceBytes_ = target.l2.line > dram.interleaveBytes() ? target.l2.line : dram.interleaveBytes();
  }

  std::uint32_t sliceOf(std::uint64_t offset) const {
    std::uint64_t piece = offset / pieceBytes_;
    if (pieceBytes_ == dram_.interleaveBytes()) {
      if (slices_ % channels_ == 0) {
        std::uint32_t perChannel = slices_ / channels_;
        return dram_.channelOf(offset) * perChannel + static_cast<std::uint32_t>(foldedModulo(piece / channels_, perChannel));
      }
      if (channels_ % slices_ == 0) return dram_.channelOf(offset) / (channels_ / slices_);
    }
    return static_cast<std::uint32_t>(foldedModulo(piece, slices_));
  }
  /// Bytes from the start of one aligned piece of this size on lie in one slice.
  std::uint32_t pieceBytes() const { return pieceBytes_; }
  /// Number of the line among those of its slice, dense enough to index sets with.
  std::uint64_t lineInSlice(std::uint64_t offset, std::uint32_t lineBytes) const {
    std::uint64_t piece = offset / pieceBytes_, group = slices_ > channels_ ? slices_ : channels_;
    std::uint64_t perSlice = group / slices_ ? group / slices_ : 1;
    std::uint64_t pieceInSlice = piece / group * perSlice + (perSlice > 1 ? dram_.channelOf(offset) % perSlice : 0);
    return pieceInSlice * (pieceBytes_ / lineBytes) + offset % pieceBytes_ / lineBytes;
  }

 private:
  const dram::AddressMap& dram_;
  std::uint32_t slices_, channels_, pieceBytes_;
};

}  // namespace forerun::sim::cache
