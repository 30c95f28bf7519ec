//===- Wake.cpp - harts that wait, and when they go on -----------------------===//
// The text of a deadlock.
#include "simulator/sync/Wake.h"

#include <algorithm>
#include <tuple>

namespace forerun::sim::sync {

std::string describeDeadlock(std::vector<Waiting> waiting) {
  std::sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
    return std::tie(a.hart.core, a.hart.team) < std::tie(b.hart.core, b.hart.team);
  });
  std::string text = "nothing can go on; waiting:";
  if (waiting.empty()) text += " nobody";
  for (const Waiting& one : waiting)
    text += "\n  core " + std::to_string(one.hart.core) + " team " + std::to_string(one.hart.team) + " since cycle " +
            std::to_string(one.since) + " for " + one.reason;
  return text;
}

}  // namespace forerun::sim::sync
