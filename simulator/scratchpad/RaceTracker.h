//===- RaceTracker.h - who may touch which bytes of a core's memories now ----===//
// Commands register the bytes that they read and write from issue to retirement; a conflicting access meanwhile is a
// race.
#pragma once

#include "simulator/kernel/Cycles.h"
#include "simulator/scratchpad/StridedBox.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::sim {

/// A command as messages name it, with what is known to happen before it.
struct RaceParty {
  std::uint64_t id = 0;     ///< unique, to unregister
  std::uint32_t core = 0;   ///< that issued it
  std::uint32_t queue = 0;  ///< of that core
  std::uint64_t sequence = 0;
  std::uint64_t pc = 0;   ///< of the issuing instruction
  const char* name = "";  ///< "xdma.copy"
  /// Sequence number up to which each queue of its core is complete before this command starts.
  std::vector<std::uint64_t> after;

  /// "xdma.copy of core 0 (queue 1, command 7, issued at pc 0x40000010)".
  std::string describe() const;
};

/// Pending commands over the scratch and accumulator bytes of one core. Addresses are canonical (EngineMemory). Not
/// copied per access: a count of readers and writers a granule answers most questions.
class RaceTracker {
 public:
  RaceTracker(std::uint64_t scratchFirst, std::uint64_t scratchBytes, std::uint64_t accumulatorFirst,
              std::uint64_t accumulatorBytes);

  bool owns(std::uint64_t address) const { return areaOf(address) != nullptr; }

  /// Registers the command's box. Throws IllegalProgram (race) when an unordered command of another queue conflicts.
  /// `party` must stay where it is until it retires.
  void add(const RaceParty& party, const StridedBox& box, bool write);
  void remove(std::uint64_t id);
  bool empty() const { return entries_.empty(); }

  /// A hart touches [address, address + bytes), which it calls `shown`. Throws IllegalProgram (race) naming the command
  /// when it conflicts.
  void check(std::uint64_t address, std::uint64_t bytes, bool write, std::uint64_t shown) const {
    if (entries_.empty()) return;
    const Area* area = areaOf(address);
    if (!area) return;
    const std::uint64_t offset = address - area->first;
    for (std::uint64_t g = offset / kGranule; g <= (offset + bytes - 1) / kGranule && g < area->writers.size(); ++g)
      if (area->writers[g] || (write && area->readers[g])) return checkSlowly(address, bytes, write, shown);
  }

 private:
  static constexpr std::uint64_t kGranule = 256;
  struct Area {
    std::uint64_t first = 0, bytes = 0;
    std::vector<std::uint16_t> readers, writers;
  };
  /// What every new box is compared with comes first.
  struct Entry {
    std::uint64_t id;
    const RaceParty* party;
    bool write;
    std::uint64_t end;  ///< of the box
    StridedBox box;
  };

  const Area* areaOf(std::uint64_t address) const {
    for (const Area& area : areas_)
      if (address - area.first < area.bytes) return &area;
    return nullptr;
  }
  void checkSlowly(std::uint64_t address, std::uint64_t bytes, bool write, std::uint64_t shown) const;
  void count(const Entry& entry, int step);

  Area areas_[2];
  std::vector<Entry> entries_;
};

}  // namespace forerun::sim
