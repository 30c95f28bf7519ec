//===- TargetSpec.cpp - lookups and clock conversion -----------------------===//
// The exact arithmetic that every unit's timing rests on.
#include "targets/TargetSpec.h"

#include <algorithm>
#include <cassert>

namespace forerun::targets {

std::uint32_t TargetSpec::computingTeams() const {
  const bool anyVector =
      std::ranges::any_of(teams, [](const TeamSpec& team) { return team.vlenBits != 0 && team.count != 0; });
  std::uint32_t count = 0;
  for (const TeamSpec& team : teams) {
    if (team.count == 0) continue;
    if (!anyVector || team.vlenBits != 0)
      count += team.count;
    else if (count != 0)
      break;  // they follow each other
  }
  return count;
}

std::uint32_t TargetSpec::groupTeams(std::uint32_t count) const {
  return teamsPerGroup != 0 && count % teamsPerGroup == 0 ? teamsPerGroup : count;
}

std::uint32_t TargetSpec::teamsPerCore() const {
  std::uint32_t total = 0;
  for (const TeamSpec& team : teams) total += team.count;
  return total;
}

std::uint64_t TargetSpec::hz(const std::string& clock) const {
  const auto found = std::find_if(clocks.begin(), clocks.end(), [&](const Clock& c) { return c.name == clock; });
  assert(found != clocks.end() && "a loaded target only names clocks that it has");
  return found->hz;
}

std::uint64_t TargetSpec::toReference(std::uint64_t cycles, const std::string& clock) const {
  const std::uint64_t from = hz(clock), to = referenceHz();
  if (from == to) return cycles;
  // cycles / from seconds, as reference cycles; the product needs more than 64 bits.
  const auto product = static_cast<unsigned __int128>(cycles) * to;
  return static_cast<std::uint64_t>((product + from - 1) / from);
}

}  // namespace forerun::targets
