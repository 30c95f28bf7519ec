//===- TargetAxes.h - the axes of a target ---------------------------------===//
// Extents and banks that layouts are checked against, read from the target file.
#pragma once

#include "compiler/dialect/layout/Banks.h"
#include "targets/GpuSpec.h"
#include "targets/HostSpec.h"
#include "targets/TargetSpec.h"

namespace forerun::layout {

/// Memory axes m, bank and partition (of scratch), and the units lane, team, group, core, cluster, chip. `lane`:
/// elements of `elementBits` in a vector register of the widest team of a core (1 without vector units); `team` counts
/// all harts of a core.
AxisSet axesOf(const targets::TargetSpec& target, unsigned elementBits = 32);

/// Memory axes m and bank (of shared memory), and lane (thread of a warp), team (warp of a CTA), group (warpgroup;
/// where a CTA holds whole ones), core (CTA; how many there are is the launch's) and chip.
AxisSet axesOf(const targets::GpuSpec& target);

/// Memory axis m, and team, core, chip.
AxisSet axesOf(const targets::HostSpec& target);

/// Banks of a core's scratchpad, of a CTA's shared memory.
BankGeometry scratchBanks(const targets::TargetSpec& target);
BankGeometry scratchBanks(const targets::GpuSpec& target);
BankGeometry scratchBanks(const targets::HostSpec& target);  ///< one: it has none

}  // namespace forerun::layout
