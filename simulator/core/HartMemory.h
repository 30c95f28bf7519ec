//===- HartMemory.h - checked functional memory access of one hart ----------===//
// Turns machine addresses into host pointers, with bounds and initialisation checks; remembers the last mappings.
#pragma once

#include "simulator/memory/AddressSpace.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::core {

/// One contiguous piece of memory that a vector instruction touched, for the timing model.
struct MemoryRun {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

class HartMemory {
 public:
  HartMemory(AddressSpace& space, std::uint32_t core, std::uint32_t team);

  /// Host pointer to [address, address + bytes). Throws sim::Error(IllegalProgram) when unmapped, out of its region, or (read) not initialised.
  const std::uint8_t* read(std::uint64_t address, std::uint32_t bytes);
  /// As read; marks the bytes initialised.
  std::uint8_t* write(std::uint64_t address, std::uint32_t bytes);

 private:
  const Mapping& lookup(std::uint64_t address, std::uint32_t bytes);

  AddressSpace& space_;
  std::uint32_t core_, team_;
  std::vector<Mapping> recent_;
};

}  // namespace forerun::sim::core
