//===- HartMemory.h - checked functional memory access of one hart ----------===//
// Turns machine addresses into host pointers, with bounds and initialisation checks; remembers the last mappings.
#pragma once

#include "simulator/memory/AddressSpace.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace forerun::sim::core {

/// One contiguous piece of memory that a vector instruction touched, for the timing model.
struct MemoryRun {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// What the hot path needs of a mapping. Has at least 8 bytes, so that bytes - n never wraps for scalar accesses.
struct MemoryWindow {
  std::uint64_t base = 0, bytes = 8;
  std::uint8_t* data = nullptr;
  std::uint8_t* initialised = nullptr;  ///< as in Mapping
  bool tightlyCoupled =
      false;  ///< private or program memory: latency is a key of the team, no access to the rest of the chip
};

class HartMemory {
 public:
  HartMemory(AddressSpace& space, std::uint32_t core, std::uint32_t team) : space_(space), core_(core), team_(team) {
    forget();
  }

  /// Host pointer to [address, address + bytes). Throws sim::Error(IllegalProgram) when unmapped, out of its region, or
  /// (read) not initialised.
  const std::uint8_t* read(std::uint64_t address, std::uint32_t bytes) {
    const MemoryWindow& window = find(address, bytes);
    const std::uint64_t offset = address - window.base;
    if (window.initialised) requireInitialised(window, address, bytes);
    return window.data + offset;
  }
  /// As read; marks the bytes initialised.
  std::uint8_t* write(std::uint64_t address, std::uint32_t bytes) {
    const MemoryWindow& window = find(address, bytes);
    const std::uint64_t offset = address - window.base;
    if (window.initialised) std::memset(window.initialised + offset, 1, bytes);
    return window.data + offset;
  }

  /// Off: reads of memory that was never written are let through (faster on scratch and accumulator memory).
  void checkInitialised(bool on) {
    checkInitialised_ = on;
    forget();
  }

  /// The window that holds [address, address + bytes); throws as read does.
  const MemoryWindow& find(std::uint64_t address, std::uint32_t bytes) {
    const MemoryWindow& window = windows_[slot(address)];
    if (window.bytes >= bytes && address - window.base <= window.bytes - bytes) [[likely]]
      return window;
    return fill(address, bytes);
  }
  /// The window that was last used near `address`; the caller checks that it holds it (regions have at least 8 bytes).
  const MemoryWindow* recent(std::uint64_t address) const { return &windows_[slot(address)]; }
  /// Throws when a byte was never written.
  static void requireInitialised(const MemoryWindow& window, std::uint64_t address, std::uint32_t bytes) {
    const std::uint8_t* flags = window.initialised + (address - window.base);
    for (std::uint32_t i = 0; i < bytes; ++i)
      if (!flags[i]) [[unlikely]]
        failUninitialised(address + i);
  }

 private:
  static constexpr std::size_t kWindows = 64;
  static constexpr std::uint64_t kWindowNowhere = ~std::uint64_t{0} << 4;  // not in slot 0
  /// Regions are multiples of 256 MiB; the sum keeps local, remote and global ones apart (collisions only cost a
  /// look-up).
  static std::size_t slot(std::uint64_t address) {
    return ((address >> 28) + (address >> 36) * 8 + (address >> 40) * 16) % kWindows;
  }
  const MemoryWindow& fill(std::uint64_t address, std::uint32_t bytes);
  /// Empty slots hold a window that no address of the slot lies in.
  void forget() {
    for (std::size_t i = 0; i < kWindows; ++i) {
      windows_[i] = {};
      windows_[i].base = i == slot(0) ? kWindowNowhere : 0;
    }
  }
  [[noreturn]] static void failUninitialised(std::uint64_t address);

  AddressSpace& space_;
  std::uint32_t core_, team_;
  bool checkInitialised_ = true;
  std::array<MemoryWindow, kWindows> windows_{};
};

}  // namespace forerun::sim::core
