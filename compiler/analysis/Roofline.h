//===- Roofline.h - no run of this launch on this target can take less ------===//
// The bound in reference cycles that follows from the least work and the target's peaks, computed before the run.
#pragma once

#include "compiler/analysis/LaunchWork.h"
#include "targets/TargetSpec.h"

#include <string>

namespace forerun::analysis {

/// All in cycles of the reference clock (f = its Hz); peaks are those of targets/Derived.h.
/// | limit  | cycles | | matrix | f * sum over types: macs / matrixMacsPerSecond(type) | | vector | f * sum over
/// widths: vectorOps / vectorOpsPerSecond(width)                                                     | | dram   | f *
/// (readBytes + writtenBytes) / dramPeakBytesPerSecond                                                        | | noc
/// | f * (readBytes + writtenBytes) / nocBytesPerSecond: what is read must reach a core once, what is written leave one
/// | | issue  | commands * issueCycles of their engine / harts of the chip; commands = copies + 2 (load, run) per
/// array-sized piece of each product: ceil(k / rows) * ceil(n / cols) | A limit that the target lacks altogether (no
/// matrix unit for the type) is 0 and leaves the work out of the bound.
struct Roofline {
  double matrixCycles = 0, vectorCycles = 0, dramCycles = 0, nocCycles = 0, issueCycles = 0;

  double boundCycles() const;
  /// "matrix", "vector", "dram", "noc" or "issue".
  std::string limit() const;
};

Roofline roofline(const LaunchWork& work, const targets::TargetSpec& target);

}  // namespace forerun::analysis
