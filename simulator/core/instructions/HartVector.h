//===- HartVector.h - vector instructions in the hart -----------------------===//
// Joins the vector groups with issue, scoreboard and timing.
#pragma once

#include "simulator/core/Op.h"
#include "targets/TargetSpec.h"

namespace forerun::sim::core {

enum class HartMode : std::uint8_t;
struct DecodedVector;

/// Completes `op` for an instruction that outlives it.
void fillVectorOp(const DecodedVector& decoded, const targets::TeamSpec& team, HartMode mode, Op& op);

}  // namespace forerun::sim::core
