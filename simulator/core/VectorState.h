//===- VectorState.h - architectural state of the vector extension ----------===//
// Registers and CSRs of V 1.0, shared by the hart and the vector instruction groups.
#pragma once

#include <cstdint>
#include <vector>

namespace forerun::sim::core {

struct VectorState {
  std::uint32_t vlenBits = 0;  ///< 0 = no vector unit
  std::vector<std::uint8_t>
      registers;  ///< 32 * vlenBits / 8 bytes, v0 first, little-endian elements; padded by 64 bytes
  std::uint64_t vl = 0, vtype = std::uint64_t{1} << 63, vstart = 0;
  std::uint8_t vxrm = 0;
  bool vxsat = false;

  std::uint32_t vlenBytes() const { return vlenBits / 8; }
  std::uint8_t* reg(unsigned number) { return registers.data() + std::size_t{number} * vlenBytes(); }
};

}  // namespace forerun::sim::core
