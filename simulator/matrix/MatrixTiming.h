//===- MatrixTiming.h - closed forms of the matrix unit ----------------------===//
// Cycles of loads, runs and stores without contention, over target keys; engine clock. Pure functions.
//
// Weight-stationary: a run streams one row of A a cycle (times the type's rate) and its last result leaves rows + cols
// - 2 cycles after the last row entered; with a weight load of `rows` rows in front, one tile takes M + 2 rows + cols -
// 2 cycles (the closed form of systolic arrays). Output-stationary: every block of `rows` rows of A takes K + rows +
// cols - 2 cycles and blocks do not overlap. Dot: one row a cycle, results after an adder tree over `depth` products
// and the partial sums of K.
#pragma once

#include "isa/ElementType.h"
#include "simulator/kernel/Cycles.h"
#include "targets/TargetSpec.h"

#include <bit>
#include <cstdint>

namespace forerun::sim::matrix {

/// Multiply-add rate against one row a cycle; the slower one of two operand types. Types without a rate: {0, 1}.
struct Rate {
  std::uint32_t numerator = 0, denominator = 1;
};
Rate rateOf(const targets::MatrixSpec& spec, isa::ElementType a, isa::ElementType b);

constexpr Cycles ceilDivide(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Cycles of `rows` rows at `rate`, rounded up.
constexpr Cycles atRate(std::uint64_t rows, Rate rate) { return ceilDivide(rows * rate.denominator, rate.numerator); }

/// K x N weights into a buffer.
constexpr Cycles loadCycles(const targets::MatrixSpec& spec, std::uint32_t k) {
  return ceilDivide(k, spec.loadRowsPerCycle ? spec.loadRowsPerCycle : 1);
}

/// A run of M rows of depth K.
struct RunCycles {
  Cycles busy = 0;       ///< array multiplies
  Cycles occupancy = 0;  ///< array is taken before the next run may begin; >= busy
  Cycles drain = 0;      ///< after the occupancy, until the last result is written
};
constexpr RunCycles runCycles(const targets::MatrixSpec& spec, Rate rate, std::uint32_t m, std::uint32_t k) {
  const std::uint64_t rows = m > spec.minRows ? m : spec.minRows;
  const Cycles skew = Cycles{spec.rows} + spec.cols - 2;
  switch (spec.dataflow) {
    case targets::Dataflow::OutputStationary: {
      const Cycles blocks = ceilDivide(rows, spec.rows), busy = blocks * atRate(k, rate);
      return {busy, busy + blocks * skew, 0};
    }
    case targets::Dataflow::Dot: {
      const std::uint32_t depth = spec.depth ? spec.depth : 1;
      const Cycles busy = atRate(rows, rate);
      return {busy, busy, ceilDivide(k, depth) + static_cast<Cycles>(std::bit_width(depth - 1))};
    }
    case targets::Dataflow::WeightStationary:
      break;
  }
  const Cycles busy = atRate(rows, rate);
  return {busy, busy, skew};
}

}  // namespace forerun::sim::matrix
