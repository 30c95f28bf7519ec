//===- Derived.h - what follows from a target's numbers --------------------===//
// Peak rates, bandwidths, latencies and capacities, each with the formula that gives it: `forerun targets show`,
// reports and rooflines take them from here.
#pragma once

#include "targets/GpuSpec.h"
#include "targets/HostSpec.h"
#include "targets/TargetSpec.h"

#include <string>
#include <string_view>
#include <vector>

namespace forerun::targets {

struct Figure {
  std::string name;     ///< "dram.peak", "teams.vector.f32"
  double value = 0;     ///< in `unit`
  std::string text;     ///< instead of a value, for what is not a number
  std::string unit;     ///< "B/s", "B/cycle", "FLOP/s", "cycles" (of the reference clock), "B", ...
  std::string formula;  ///< in terms of keys
};

/// Every derived figure, in file order. Each key of the target enters at least one of them.
std::vector<Figure> derive(const TargetSpec& spec);
std::vector<Figure> derive(const GpuSpec& spec);
std::vector<Figure> derive(const HostSpec& spec);

/// "51.2 GB/s", "24 cycles", "512 KiB": a figure for people.
std::string show(const Figure& figure);

// The peaks that rooflines use, over all cores of a chip.
double matrixMacsPerSecond(const TargetSpec& spec,
                           std::string_view type);  ///< 0 when the array does not multiply the type
double vectorOpsPerSecond(const TargetSpec& spec,
                          unsigned elementBits);  ///< one instruction's element operations; a multiply-add is one
double dramPeakBytesPerSecond(const TargetSpec& spec);
double dramAttainableBytesPerSecond(const TargetSpec& spec);  ///< peak less the time in refresh
double l2BytesPerSecond(const TargetSpec& spec);              ///< 0 without an L2
double nocBytesPerSecond(const TargetSpec& spec);             ///< into all cores together, as their links allow
double scratchBytesPerSecond(const TargetSpec& spec);
double accBytesPerSecond(const TargetSpec& spec);

}  // namespace forerun::targets
