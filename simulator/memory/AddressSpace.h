//===- AddressSpace.h - the bytes of the machine ---------------------------===//
// One store of data for all harts and engines, by the address map of docs/machine-contract.md. Caches hold tags only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace forerun::sim {

enum class Region : std::uint8_t { Scratch, Accumulator, Private, Program, RemoteScratch, Global, Unmapped };

inline constexpr std::uint64_t kScratchBase = 0x1000'0000;
inline constexpr std::uint64_t kAccumulatorBase = 0x2000'0000;
inline constexpr std::uint64_t kPrivateBase = 0x3000'0000;
inline constexpr std::uint64_t kProgramBase = 0x4000'0000;
inline constexpr std::uint64_t kProgramBytes = 0x4000'0000;
inline constexpr std::uint64_t kRemoteScratchBase = 0x10'0000'0000;
inline constexpr std::uint64_t kRemoteScratchStride = 0x1000'0000;
inline constexpr std::uint64_t kGlobalBase = 0x100'0000'0000;

/// Bytes that one flag of Mapping::writtenLines stands for.
inline constexpr std::uint64_t kWrittenLineBytes = 64;

/// A contiguous piece of the machine's memory as the host sees it.
struct Mapping {
  Region region = Region::Unmapped;
  std::uint32_t core = 0;   ///< owner, for scratch, remote scratch and accumulator
  std::uint64_t base = 0;   ///< machine address of data[0]
  std::uint64_t bytes = 0;  ///< length of the region from base
  std::uint8_t* data = nullptr;
  std::uint8_t* initialised =
      nullptr;  ///< one byte a data byte, 0 = never written; null when not tracked (all but scratch and accumulator)
  /// One byte a line of kWrittenLineBytes, counted from `base`: 1 = every byte of it is marked in `initialised`, 0 =
  /// look there. Bytes never become unwritten, so a line that was found complete once need not be looked at again. Null
  /// when not tracked.
  std::uint8_t* writtenLines = nullptr;
};

struct MemorySizes {
  std::uint32_t cores = 1;
  std::vector<std::uint64_t> privateBytesPerTeam;  ///< one entry a hart of a core
  std::uint64_t scratchBytes = 0;
  std::uint64_t accumulatorBytes = 0;
  std::uint64_t globalBytes = 0;
};

/// Owns the memory; pages are touched lazily, so large targets cost nothing until used.
class AddressSpace {
 public:
  explicit AddressSpace(const MemorySizes& sizes);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// The region that holds `address` as seen by hart (core, team); region == Unmapped when none does. Callers check
  /// that [address, address + n) lies inside and cache the mapping.
  Mapping find(std::uint32_t core, std::uint32_t team, std::uint64_t address) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forerun::sim
