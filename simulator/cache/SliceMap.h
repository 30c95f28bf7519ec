//===- SliceMap.h - which L2 slice holds an address --------------------------===//
// The hash from addresses to slices and sets, kept in step with the DRAM's channel interleaving.
#pragma once

#include "simulator/dram/AddressMap.h"
#include "simulator/kernel/Divisor.h"
#include "targets/TargetSpec.h"

#include <algorithm>
#include <cstdint>

namespace forerun::sim::cache {

/// value mod n, plus the sum of the higher digits of value in base n, mod n: every aligned run of n values takes each
/// result once, and strides that are multiples of n do not all give the same one.
inline std::uint64_t foldedModulo(std::uint64_t value, const Divisor& n) {
  if (n.value() == 1) return 0;
  std::uint64_t sum = 0;
  for (; value != 0; value = n.quotient(value)) sum += n.remainder(value);
  return n.remainder(sum);
}

/// Slices are memory-side: a slice caches the addresses of its own DRAM channels, so traffic between them stays off the
/// network. Addresses interleave in pieces of pieceBytes() = the larger of a line and the DRAM's channel interleave.
/// With k slices a channel (slices a multiple of channels) a channel's pieces rotate over its k slices (foldedModulo);
/// with k channels a slice, slice = channel / k; when neither divides the other, pieces rotate over all slices and each
/// slice reaches every channel.
class SliceMap {
 public:
  SliceMap(const targets::TargetSpec& target, const dram::AddressMap& dram)
      : dram_(dram),
        slices_(target.l2.slices),
        channels_(target.dram.channels),
        group_(std::max(target.l2.slices, target.dram.channels)),
        slicesPerChannel_(std::max(target.l2.slices / target.dram.channels, 1u)),
        channelsPerSlice_(std::max(target.dram.channels / target.l2.slices, 1u)),
        pieceBytes_(std::max(target.l2.line, dram.interleaveBytes())) {
    if (pieceBytes_.value() != dram.interleaveBytes()) return;
    if (target.l2.slices % target.dram.channels == 0)
      follows_ = Follows::SlicesOfChannel;
    else if (target.dram.channels % target.l2.slices == 0)
      follows_ = Follows::ChannelsOfSlice;
  }

  std::uint32_t sliceOf(std::uint64_t offset) const {
    const std::uint64_t piece = pieceBytes_.quotient(offset);
    switch (follows_) {
      case Follows::SlicesOfChannel:
        return static_cast<std::uint32_t>(dram_.channelOf(offset) * slicesPerChannel_.value() +
                                          foldedModulo(channels_.quotient(piece), slicesPerChannel_));
      case Follows::ChannelsOfSlice:
        return static_cast<std::uint32_t>(channelsPerSlice_.quotient(dram_.channelOf(offset)));
      case Follows::Nothing:
        break;
    }
    return static_cast<std::uint32_t>(foldedModulo(piece, slices_));
  }
  /// Bytes from the start of one aligned piece of this size on lie in one slice.
  std::uint32_t pieceBytes() const { return static_cast<std::uint32_t>(pieceBytes_.value()); }
  /// Number of the line among those of its slice, dense enough to index sets with.
  std::uint64_t lineInSlice(std::uint64_t offset, std::uint32_t lineBytes) const {
    const Divisor line(lineBytes);
    std::uint64_t pieceInSlice = group_.quotient(pieceBytes_.quotient(offset)) * channelsPerSlice_.value();
    if (channelsPerSlice_.value() > 1) pieceInSlice += channelsPerSlice_.remainder(dram_.channelOf(offset));
    return line.quotient(pieceInSlice * pieceBytes_.value() + pieceBytes_.remainder(offset));
  }

 private:
  enum class Follows : std::uint8_t { Nothing, SlicesOfChannel, ChannelsOfSlice };

  const dram::AddressMap& dram_;
  Divisor slices_, channels_, group_, slicesPerChannel_, channelsPerSlice_, pieceBytes_;
  Follows follows_ = Follows::Nothing;
};

}  // namespace forerun::sim::cache
