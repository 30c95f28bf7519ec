//===- BlockOps.h - ops that stand for no instruction -----------------------===//
// What the block builder puts between and after decoded instructions.
#pragma once

#include "simulator/core/Op.h"

namespace forerun::sim::core {

Handler continueBlockHandler(bool timed);
Handler exitAtZeroHandler(bool timed);
/// Timing mode only: `immediate` is the line number, `latency` its slot in the cache.
Handler fetchLineHandler();

}  // namespace forerun::sim::core
