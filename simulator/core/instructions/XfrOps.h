//===- XfrOps.h - Xfr instructions in the hart ------------------------------===//
// Descriptors, commands, tokens, barriers, semaphores and launch.
#pragma once

#include "simulator/core/Op.h"
#include "targets/TargetSpec.h"

namespace forerun::sim::core {

enum class HartMode : std::uint8_t;

/// Completes `op`; false when the encoding is reserved. `endsBlock` is set for instructions that do not fall through.
bool fillXfrOp(std::uint32_t encoding, const targets::TeamSpec& team, HartMode mode, Op& op, bool& endsBlock);

}  // namespace forerun::sim::core
