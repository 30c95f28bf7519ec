//===- RaceTracker.cpp - who may touch which bytes of a core's memories now --===//
// Granules reject; boxes decide.
#include "simulator/scratchpad/RaceTracker.h"

#include "simulator/kernel/Error.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace forerun::sim {

namespace {

/// The other command is complete before `party` starts, or the other way round.
bool ordered(const RaceParty& a, const RaceParty& b) {
  if (a.core != b.core) return false;
  if (a.queue == b.queue) return true;
  auto before = [](const RaceParty& first, const RaceParty& second) {
    return first.queue < second.after.size() && second.after[first.queue] >= first.sequence;
  };
  return before(a, b) || before(b, a);
}

}  // namespace

std::string RaceParty::describe() const {
  return std::string(name) + " of core " + std::to_string(core) + " (queue " + std::to_string(queue) + ", command " +
         std::to_string(sequence) + ", issued at pc 0x" + llvm::utohexstr(pc, true) + ")";
}

RaceTracker::RaceTracker(std::uint64_t scratchFirst, std::uint64_t scratchBytes, std::uint64_t accumulatorFirst,
                         std::uint64_t accumulatorBytes) {
  areas_[0] = {scratchFirst, scratchBytes, {}, {}};
  areas_[1] = {accumulatorFirst, accumulatorBytes, {}, {}};
  for (Area& area : areas_) {
    area.readers.resize(area.bytes / kGranule + 1);
    area.writers.resize(area.bytes / kGranule + 1);
  }
}

void RaceTracker::count(const Entry& entry, int step) {
  const Area* found = areaOf(entry.box.first);
  if (!found) return;
  Area& area = areas_[found == &areas_[1]];
  std::vector<std::uint16_t>& counts = entry.write ? area.writers : area.readers;
  const std::uint64_t last = std::min((entry.end - 1 - area.first) / kGranule, counts.size() - 1);
  for (std::uint64_t g = (entry.box.first - area.first) / kGranule; g <= last; ++g)
    counts[g] = static_cast<std::uint16_t>(counts[g] + step);
}

void RaceTracker::add(const RaceParty& party, const StridedBox& box, bool write) {
  if (box.empty() || !owns(box.first)) return;
  const std::uint64_t end = box.end();
  for (const Entry& other : entries_) {
    if (other.end <= box.first || end <= other.box.first || !(write || other.write) || other.id == party.id) continue;
    if (ordered(*other.party, party) || !overlaps(box, other.box)) continue;
    throw Error(ErrorKind::IllegalProgram, std::string("race: ") + party.describe() + (write ? " writes" : " reads") +
                                               " bytes that " + other.party->describe() +
                                               (other.write ? " may still write" : " may still read") +
                                               "; wait for its token first, or pass the token as `after`");
  }
  entries_.push_back({party.id, &party, write, end, box});
  count(entries_.back(), 1);
}

void RaceTracker::remove(std::uint64_t id) {
  for (std::size_t i = 0; i < entries_.size();) {
    if (entries_[i].id != id) {
      ++i;
      continue;
    }
    count(entries_[i], -1);
    entries_[i] = entries_.back();
    entries_.pop_back();
  }
}

void RaceTracker::checkSlowly(std::uint64_t address, std::uint64_t bytes, bool write, std::uint64_t shown) const {
  for (const Entry& entry : entries_) {
    if (!(write || entry.write) || !overlaps(entry.box, address, address + bytes)) continue;
    throw Error(ErrorKind::IllegalProgram, std::string("race: ") + (write ? "store to " : "load from ") + "0x" +
                                               llvm::utohexstr(shown, true) + " while " + entry.party->describe() +
                                               (entry.write ? " may still write" : " may still read") +
                                               " these bytes; wait for its token first");
  }
}

}  // namespace forerun::sim
