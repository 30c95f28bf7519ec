//===- Divisor.h - division by a number that is known early -----------------===//
// Sizes of hardware are mostly powers of two but need not be; address hashes divide by them for every request.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace forerun::sim {

/// A shift and a mask where the divisor is a power of two, a division elsewhere. Cheap to make from a number.
class Divisor {
 public:
  Divisor(std::uint64_t value)
      : value_(value), shift_(std::has_single_bit(value) ? static_cast<int>(std::countr_zero(value)) : -1) {
    assert(value != 0);
  }

  std::uint64_t value() const { return value_; }
  std::uint64_t quotient(std::uint64_t n) const { return shift_ >= 0 ? n >> shift_ : n / value_; }
  std::uint64_t remainder(std::uint64_t n) const { return shift_ >= 0 ? n & (value_ - 1) : n % value_; }

 private:
  std::uint64_t value_;
  int shift_;  ///< -1: no power of two
};

}  // namespace forerun::sim
