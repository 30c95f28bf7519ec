//===- TargetAxes.h - the axes of an accelerator ---------------------------===//
// Extents and banks that layouts are checked against, read from the target file.
#pragma once

#include "compiler/dialect/layout/Banks.h"
#include "targets/TargetSpec.h"

namespace forerun::layout {

/// Memory axes m, bank and partition (of scratch), and the units lane, team, core, cluster, chip. `lane`: elements of
/// `elementBits` in a vector register of the widest team of a core (1 without vector units); `team` counts all harts of
/// a core.
AxisSet axesOf(const targets::TargetSpec& target, unsigned elementBits = 32);

/// Banks of a core's scratchpad.
BankGeometry scratchBanks(const targets::TargetSpec& target);

}  // namespace forerun::layout
