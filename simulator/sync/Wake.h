//===- Wake.h - harts that wait, and when they go on -------------------------===//
// What the synchronisation units tell the chip, and what a deadlock report is made of.
#pragma once

#include "simulator/core/Environment.h"
#include "simulator/kernel/Cycles.h"

#include <string>
#include <vector>

namespace forerun::sim::sync {

/// A blocked hart may retry its instruction at `at`.
struct Wake {
  HartId hart;
  Cycles at = 0;
};

/// A hart that waits, in words: "barrier 2 phase 5 (1 of 4 arrivals and 256 bytes missing)".
struct Waiting {
  HartId hart;
  Cycles since = 0;
  std::string reason;
};

/// One line a waiting hart, ordered by core and team: the text of a Deadlock error.
std::string describeDeadlock(std::vector<Waiting> waiting);

}  // namespace forerun::sim::sync
