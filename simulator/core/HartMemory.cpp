//===- HartMemory.cpp - the slow path of memory access ----------------------===//
// Looks a region up and words the refusals.
#include "simulator/core/HartMemory.h"

#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

namespace forerun::sim::core {

const MemoryWindow& HartMemory::fill(std::uint64_t address, std::uint32_t bytes) {
  const Mapping mapping = space_.find(core_, team_, address);
  if (mapping.region == Region::Unmapped)
    throw Error(
        ErrorKind::IllegalProgram,
        llvm::formatv("access of {0} bytes at address {1:x} outside every memory region of this hart", bytes, address)
            .str());
  if (bytes > mapping.bytes || address - mapping.base > mapping.bytes - bytes)
    throw Error(ErrorKind::IllegalProgram,
                llvm::formatv("access of {0} bytes at address {1:x} crosses the end of its region at {2:x}", bytes,
                              address, mapping.base + mapping.bytes)
                    .str());
  MemoryWindow& window = windows_[slot(address)];
  window = {mapping.base, mapping.bytes, mapping.data, checkInitialised_ ? mapping.initialised : nullptr,
            mapping.region == Region::Private || mapping.region == Region::Program};
  return window;
}

void HartMemory::failUninitialised(std::uint64_t address) {
  throw Error(
      ErrorKind::IllegalProgram,
      llvm::formatv("read of address {0:x}, which was never written; store or copy to it first", address).str());
}

}  // namespace forerun::sim::core
