//===- ClockDomain.h - cycles of a unit against the reference clock ---------===//
// Exact conversion between a unit's own clock and the chip's reference clock, so that no unit accumulates rounding.
#pragma once

#include "simulator/kernel/Cycles.h"
#include "simulator/kernel/Error.h"
#include "targets/TargetSpec.h"

#include <numeric>
#include <string>

namespace forerun::sim {

/// Ratio of two clocks in lowest terms. Both directions round up: an event is never seen before it happened.
class ClockDomain {
 public:
  ClockDomain() = default;
  /// Throws BadConfig when a frequency is 0.
  ClockDomain(std::uint64_t unitHz, std::uint64_t referenceHz) {
    if (unitHz == 0 || referenceHz == 0) throw Error(ErrorKind::BadConfig, "a clock of 0 Hz");
    std::uint64_t divisor = std::gcd(unitHz, referenceHz);
    unit_ = unitHz / divisor;
    reference_ = referenceHz / divisor;
  }
  /// The domain of `clock`; throws BadConfig when the target has no clock of that name.
  static ClockDomain of(const targets::TargetSpec& target, const std::string& clock) {
    return {find(target, clock), find(target, target.reference)};
  }

  /// Reference cycles of `cycles` unit cycles (time or duration).
  Cycles toReference(Cycles cycles) const { return scaled(cycles, reference_, unit_); }
  /// Unit cycles of `cycles` reference cycles (time or duration).
  Cycles fromReference(Cycles cycles) const { return scaled(cycles, unit_, reference_); }

 private:
  static std::uint64_t find(const targets::TargetSpec& target, const std::string& name) {
    for (const targets::Clock& clock : target.clocks)
      if (clock.name == name) return clock.hz;
    throw Error(ErrorKind::BadConfig, "target has no clock '" + name + "'");
  }
  static Cycles scaled(Cycles cycles, std::uint64_t numerator, std::uint64_t denominator) {
    if (numerator == denominator || cycles == kNever) return cycles;
    unsigned __int128 product = static_cast<unsigned __int128>(cycles) * numerator + (denominator - 1);
    if (product >> 64) return static_cast<Cycles>(product / denominator);
    return static_cast<std::uint64_t>(product) / denominator;
  }

  std::uint64_t unit_ = 1, reference_ = 1;
};

}  // namespace forerun::sim
