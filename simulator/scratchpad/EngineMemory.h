//===- EngineMemory.h - checked memory access of engines --------------------===//
// Turns the boxes of commands into host pointers, with bounds, region and initialisation checks.
#pragma once

#include "simulator/memory/AddressSpace.h"
#include "simulator/scratchpad/StridedBox.h"

#include <cstdint>

namespace forerun::sim {

/// Host view of a box: element at machine address a is at data + (a - first), its shadow byte at initialised + (a -
/// first).
struct HostBox {
  std::uint8_t* data = nullptr;         ///< of box.first; null when the box is empty
  std::uint8_t* initialised = nullptr;  ///< null when the region is not tracked
  std::uint64_t first = 0;
  Mapping mapping;

  std::uint8_t* at(std::uint64_t address) const { return data + static_cast<std::int64_t>(address - first); }
};

/// Memory as the engines of one core see it.
class EngineMemory {
 public:
  /// `cores`: of the chip. `checkInitialised` false: reads of bytes never written are allowed.
  EngineMemory(const AddressSpace& space, std::uint32_t core, std::uint32_t cores, bool checkInitialised)
      : space_(space), core_(core), cores_(cores), checkInitialised_(checkInitialised) {}

  /// Whole box must lie in one data region (not private, not program). Throws IllegalProgram naming `role` and the
  /// address.
  HostBox resolve(const StridedBox& box, const char* role) const;
  /// As resolve, and the region must be `region` (a core's own scratch may also be named by its remote alias).
  HostBox resolve(const StridedBox& box, Region region, const char* role) const;
  /// Every byte must have been written. `host` is the resolved box.
  void requireInitialised(const StridedBox& box, const HostBox& host, const char* role) const;
  void markInitialised(const StridedBox& box, const HostBox& host) const;

  /// One name for every byte of the chip: a core's scratch becomes its remote alias, accumulators get addresses of
  /// their own.
  std::uint64_t canonical(std::uint64_t address) const { return canonical(core_, address); }
  static std::uint64_t canonical(std::uint32_t core, std::uint64_t address);
  /// Core whose scratch or accumulators hold a canonical address; `cores()` for global memory and everything else.
  std::uint32_t ownerOf(std::uint64_t canonicalAddress) const;
  StridedBox canonical(const StridedBox& box) const { return box.empty() ? box : box.movedTo(canonical(box.first)); }

  std::uint32_t core() const { return core_; }
  std::uint32_t cores() const { return cores_; }

 private:
  const AddressSpace& space_;
  std::uint32_t core_, cores_;
  bool checkInitialised_;
};

/// Canonical addresses of accumulators: kCanonicalAccumulator + core * 2^32 + offset.
inline constexpr std::uint64_t kCanonicalAccumulator = std::uint64_t{1} << 62;

}  // namespace forerun::sim
