//===- Philox.h - counter-based random numbers ------------------------------===//
// Test inputs must be the same on every host, in any order and in any part; so element i is a pure function of (seed,
// i).
#pragma once

#include <array>
#include <cstdint>

namespace forerun::runtime {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// 32 random bits of element `index` of the stream `seed`.
std::uint32_t randomBits(std::uint64_t seed, std::uint64_t index);

/// The bits of a stream's elements in order, from element `first`, a multiple of 4, on; one block of the generator
/// gives four.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t first = 0) : seed_(seed), index_(first) {}
  std::uint32_t next() {
    if (index_ % 4 == 0) nextBlock();
    return block_[index_++ % 4];
  }

 private:
  void nextBlock();

  std::uint64_t seed_, index_;
  std::array<std::uint32_t, 4> block_{};
};

/// A standard normal number from 32 random bits: the inverse of the normal distribution (Acklam's rational
/// approximation, relative error below 1.2e-9) at a uniform number. Only +, -, *, / and sqrt are used, so that every
/// host gives the same bits.
double normalOf(std::uint32_t bits);
inline double randomNormal(std::uint64_t seed, std::uint64_t index) { return normalOf(randomBits(seed, index)); }

}  // namespace forerun::runtime
