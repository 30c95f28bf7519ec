//===- Report.cpp - sums over a report --------------------------------------===//
// Small derived figures that more than one reader of a report wants.
#include "simulator/Report.h"

namespace forerun::sim {

Cycles LaunchReport::hartStall(const std::string& cause) const {
  Cycles sum = 0;
  for (const UnitReport& unit : units) {
    if (unit.kind != UnitKind::Hart) continue;
    for (const StallReport& stall : unit.stalls)
      if (stall.cause == cause) sum += stall.cycles;
  }
  return sum;
}

}  // namespace forerun::sim
