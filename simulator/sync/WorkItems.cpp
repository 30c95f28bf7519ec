//===- WorkItems.cpp - which core works on which item of the grid ------------===//
// Static items are computed; dynamic ones are remembered until every hart of the core has asked for them.
#include "simulator/sync/WorkItems.h"

#include <algorithm>

namespace forerun::sim::sync {

WorkItems::WorkItems(const targets::LaunchSpec& spec, std::uint32_t cores, std::uint32_t harts, std::uint64_t items)
    : spec_(spec), items_(items), cores_(cores) {
  for (Core& core : cores_) core.asked.assign(harts, 0);
}

Outcome WorkItems::next(HartId hart, Cycles now) {
  Outcome outcome{true, now + spec_.nextItemCycles, ~std::uint64_t{0}};
  Core& core = cores_[hart.core];
  std::uint64_t index = core.asked[hart.team]++;
  if (!spec_.dynamic) {
    std::uint64_t item = hart.core + index * cores_.size();
    if (item >= items_) return outcome;
    if (index == core.known) {
      ++core.known;
      ++handedOut_;
    }
    outcome.value = item;
    return outcome;
  }
  if (index == core.known) {
    if (nextItem_ == items_) {
      --core.asked[hart.team];  // asking again changes nothing
      return outcome;
    }
    core.items.push_back(nextItem_++);
    ++core.known;
    ++handedOut_;
  }
  outcome.value = core.items[index - core.dropped];
  std::uint64_t slowest = *std::min_element(core.asked.begin(), core.asked.end());
  if (slowest - core.dropped > 64) {
    core.items.erase(core.items.begin(), core.items.begin() + static_cast<std::ptrdiff_t>(slowest - core.dropped));
    core.dropped = slowest;
  }
  return outcome;
}

}  // namespace forerun::sim::sync
