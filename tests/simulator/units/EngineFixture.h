//===- EngineFixture.h - a small memory for tests of engines ----------------===//
// Two cores with scratch, accumulators and global memory, and random descriptors over them.
#pragma once

#include "simulator/memory/AddressSpace.h"
#include "simulator/scratchpad/EngineMemory.h"

#include <cstring>
#include <random>

namespace forerun::sim::test {

inline MemorySizes smallSizes() {
  MemorySizes sizes;
  sizes.cores = 2;
  sizes.privateBytesPerTeam = {4096};
  sizes.scratchBytes = 1 << 18;
  sizes.accumulatorBytes = 1 << 18;
  sizes.globalBytes = 1 << 20;
  return sizes;
}

struct EngineFixture {
  AddressSpace space{smallSizes()};
  EngineMemory memory{space, 0, 2, true};
  std::mt19937_64 random{12345};

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  }
  Mapping at(std::uint64_t address) { return space.find(0, 0, address); }
  std::uint8_t* host(std::uint64_t address) {
    Mapping m = at(address);
    return m.data + (address - m.base);
  }
  /// Random bits that make small finite numbers of the type, marked as written.
  void fillRandom(isa::ElementType type, std::uint64_t address, std::int64_t elements, bool specials = false) {
    const unsigned bytes = isa::storageBytes(type);
    std::uniform_real_distribution<double> small(-4, 4);
    for (std::int64_t i = 0; i < elements; ++i) {
      std::uint8_t* to = host(address) + i * bytes;
      if (isa::isFloat(type)) {
        double value = small(random);
        if (specials && below(16) == 0) value = below(2) ? INFINITY : NAN;
        isa::storeFromDouble(type, to, value);
      } else {
        isa::storeFromInt(type, to, static_cast<std::int64_t>(random()));
      }
    }
    Mapping m = at(address);
    if (m.initialised) std::memset(m.initialised + (address - m.base), 1, static_cast<std::size_t>(elements * bytes));
  }
};

}  // namespace forerun::sim::test
