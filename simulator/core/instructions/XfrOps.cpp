//===- XfrOps.cpp - Xfr instructions in the hart ----------------------------===//
// Descriptors, commands, tokens, barriers, semaphores and launch.
#include "simulator/core/instructions/XfrOps.h"

namespace forerun::sim::core {

bool fillXfrOp(std::uint32_t, const targets::TeamSpec&, HartMode, Op&, bool&) { return false; }

}  // namespace forerun::sim::core
