//===- Comparison.h - how far two results are apart -------------------------===//
// Every check of a result goes through here, so that "equal" means the same everywhere: equal bits, except sign and
// payload of NaN.
#pragma once

#include "compiler/runtime/Tensor.h"

namespace forerun::runtime {

/// What counts as agreement. An element passes when it has equal bits (any NaN equals any NaN) or satisfies one of the
/// given bounds.
struct Tolerance {
  double absolute = 0;            ///< |actual - expected| <= absolute
  double relative = 0;            ///< ... <= relative * |expected|
  std::uint64_t ulp = 0;          ///< distance in units in the last place of the type; 0 = no such bound
  llvm::ArrayRef<double> radius;  ///< ... <= radius[i], when not empty (one entry an element)
};

struct Comparison {
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;   ///< elements that are not bit-equal
  std::uint64_t mismatches = 0;  ///< elements outside the tolerance
  std::uint64_t maxUlp = 0;      ///< NaN against a number, and infinities against numbers, count as UINT64_MAX
  double meanUlp = 0;            ///< over elements with finite distance
  double maxAbsolute = 0, maxRelative = 0;  ///< over pairs of finite numbers
  std::int64_t firstMismatch = -1;          ///< linear index
  double firstExpected = 0, firstActual = 0;

  /// Nothing compared is a failure.
  bool passed() const { return compared > 0 && mismatches == 0; }
};

/// Distance of two elements in representable numbers between them; -0 and +0 are 0 apart, NaN is 0 from NaN and
/// UINT64_MAX from all else. Integers: absolute difference.
std::uint64_t ulpDistance(ElementType type, const void* a, const void* b);

/// Both tensors must have the same type and shape (asserted: callers check files first).
Comparison compare(const Tensor& expected, const Tensor& actual, const Tolerance& tolerance = {});

}  // namespace forerun::runtime
