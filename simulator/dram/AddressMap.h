//===- AddressMap.h - where an address lies in the DRAM ---------------------===//
// Splits a byte offset of global memory into channel, rank, bank group, bank, row and column, as the target's mapping
// string says.
#pragma once

#include "targets/TargetSpec.h"

#include <cstdint>

namespace forerun::sim::dram {

struct Location {
  std::uint32_t channel = 0;
  std::uint32_t rank = 0;
  std::uint32_t group = 0;   ///< bank group within the rank
  std::uint32_t bank = 0;    ///< bank within the group
  std::uint32_t column = 0;  ///< in bursts
  std::uint64_t row = 0;
};

/// Channels interleave every `interleaveBytes`: block b = offset / interleaveBytes lies in channel (b + fold) mod
/// channels, at block b / channels of it. `fold` sums the digits (base channels) of b / channels, so that power-of-two
/// strides do not stay in one channel; with one channel all is the identity.
///
/// Inside a channel the mapping names the parts from high to low, joined by '-': "row", "rank" (optional when there is
/// one), "bank", "group", "column" each once; "column" counts bursts. A last part "xor" mixes the row's digits (base
/// banks) into bank and group (permutation-based interleaving), so that streams at power-of-two distances do not meet
/// in one bank.
class AddressMap {
 public:
  /// Throws BadConfig when the mapping is malformed or a size is not a power of two.
  explicit AddressMap(const targets::DramSpec& dram);

  Location locate(std::uint64_t offset) const;
  std::uint32_t channelOf(std::uint64_t offset) const { return split(offset).channel; }

  /// Bursts from the one that holds `offset` on that are neighbours in one row; ends at the channel's piece.
  std::uint32_t burstsInRow(std::uint64_t offset) const {
    if (shift_[Column] != 0) return 1;
    std::uint64_t burst = offset >> burstBits_;
    unsigned bits =
        channels_ > 1 && interleaveBits_ - burstBits_ < bits_[Column] ? interleaveBits_ - burstBits_ : bits_[Column];
    return (1u << bits) - static_cast<std::uint32_t>(burst & ((std::uint64_t{1} << bits) - 1));
  }

  std::uint32_t burstBytes() const { return 1u << burstBits_; }
  /// Offsets inside one aligned piece of this size lie in one channel.
  std::uint32_t interleaveBytes() const { return 1u << interleaveBits_; }

 private:
  enum Part { Column, Group, Bank, Rank, Row, kParts };
  struct Split {
    std::uint32_t channel;
    std::uint64_t offset;  ///< within the channel
  };
  Split split(std::uint64_t offset) const {
    if (channels_ == 1) return {0, offset};
    std::uint64_t block = offset >> interleaveBits_, inBlock = offset & ((std::uint64_t{1} << interleaveBits_) - 1);
    if (powerOfTwoChannels_) {
      std::uint64_t upper = block >> channelBits_, fold = block;
      // Sum of digits in base `channels`; carries past a digit fall away with the mask.
      for (std::uint64_t digits = upper; digits != 0; digits >>= channelBits_) fold += digits;
      return {static_cast<std::uint32_t>(fold & (channels_ - 1)), upper << interleaveBits_ | inBlock};
    }
    std::uint64_t upper = block / channels_, fold = block % channels_;
    for (std::uint64_t digits = upper; digits != 0; digits /= channels_) fold += digits % channels_;
    return {static_cast<std::uint32_t>(fold % channels_), upper << interleaveBits_ | inBlock};
  }

  std::uint32_t channels_;
  unsigned channelBits_ = 0;
  bool powerOfTwoChannels_ = false;
  unsigned burstBits_, interleaveBits_;
  unsigned bits_[kParts],
      shift_[kParts];  ///< of the burst number within a channel; the row takes what is left when it is highest
  bool xor_ = false;
};

}  // namespace forerun::sim::dram
