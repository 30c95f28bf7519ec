//===- VectorTestMemory.cpp - memory access for vector tests ----------------===//
// A plain HartMemory so that vector tests link without the hart.
#include "simulator/core/HartMemory.h"
#include "simulator/kernel/Error.h"

namespace forerun::sim::core {

HartMemory::HartMemory(AddressSpace& space, std::uint32_t core, std::uint32_t team) : space_(space), core_(core), team_(team) {}

const Mapping& HartMemory::lookup(std::uint64_t address, std::uint32_t bytes) {
  recent_.assign(1, space_.find(core_, team_, address));
  const Mapping& m = recent_.back();
  if (m.region == Region::Unmapped || address - m.base + bytes > m.bytes) throw Error(ErrorKind::IllegalProgram, "access outside memory");
  return m;
}
const std::uint8_t* HartMemory::read(std::uint64_t address, std::uint32_t bytes) {
  const Mapping& m = lookup(address, bytes);
  return m.data + (address - m.base);
}
std::uint8_t* HartMemory::write(std::uint64_t address, std::uint32_t bytes) {
  const Mapping& m = lookup(address, bytes);
  return m.data + (address - m.base);
}

}  // namespace forerun::sim::core
