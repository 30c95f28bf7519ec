//===- Cycles.h - simulated time ------------------------------------------===//
// The unit in which all components of the model count time.
#pragma once

#include <cstdint>

namespace forerun::sim {

/// A point in time or a duration, in cycles of the chip's reference clock (`clocks.reference` of the target). Units in
/// another clock domain convert with the exact ratio, rounded up (targets/TargetSpec.h).
using Cycles = std::uint64_t;

inline constexpr Cycles kNever = ~Cycles{0};

}  // namespace forerun::sim
