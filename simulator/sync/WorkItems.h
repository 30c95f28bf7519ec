//===- WorkItems.h - which core works on which item of the grid --------------===//
// The command processor's dispenser behind xnext.
#pragma once

#include "simulator/core/Environment.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::sync {

/// The k-th request of every hart of a core yields the core's k-th item. Static: core c gets items c, c + cores, ...;
/// dynamic: the core whose first hart asks for its next item first. Every answer takes nextItemCycles; -1 when no item
/// is left.
class WorkItems {
 public:
  /// `harts` of each core; `items` in the grid.
  WorkItems(const targets::LaunchSpec& spec, std::uint32_t cores, std::uint32_t harts, std::uint64_t items);

  Outcome next(HartId hart, Cycles now);
  /// Items handed out so far, to at least one hart.
  std::uint64_t handedOut() const { return handedOut_; }

 private:
  struct Core {
    std::vector<std::uint64_t> asked;  ///< by hart
    std::vector<std::uint64_t> items;  ///< dynamic: items from number `dropped` on
    std::uint64_t dropped = 0;         ///< items that every hart has had
    std::uint64_t known = 0;           ///< items given to the core
  };

  targets::LaunchSpec spec_;
  std::uint64_t items_, nextItem_ = 0, handedOut_ = 0;
  std::vector<Core> cores_;
};

}  // namespace forerun::sim::sync
