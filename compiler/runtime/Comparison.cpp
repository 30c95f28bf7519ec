//===- Comparison.cpp - how far two results are apart -----------------------===//
// Distances are taken on the ordered integers that float bits map to.
#include "compiler/runtime/Comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace forerun::runtime {

namespace {

constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

std::uint64_t bitsOf(ElementType type, const void* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, isa::storageBytes(type));
  return bits;
}

/// Position of a float on the number line of its type, counted from zero.
std::int64_t ordered(ElementType type, std::uint64_t bits) {
  const unsigned width = isa::storageBits(type);
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (width - 1)) - 1);
  return (bits >> (width - 1)) & 1 ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

}  // namespace

std::uint64_t ulpDistance(ElementType type, const void* a, const void* b) {
  if (isa::isInteger(type)) {
    const std::int64_t x = isa::loadAsInt(type, a), y = isa::loadAsInt(type, b);
    return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                 : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
  }
  const double x = isa::loadAsDouble(type, a), y = isa::loadAsDouble(type, b);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y) ? 0 : kFar;
  if (std::isinf(x) != std::isinf(y) || (std::isinf(x) && x != y)) return kFar;
  const std::int64_t p = ordered(type, bitsOf(type, a)), q = ordered(type, bitsOf(type, b));
  return p > q ? static_cast<std::uint64_t>(p) - static_cast<std::uint64_t>(q)
               : static_cast<std::uint64_t>(q) - static_cast<std::uint64_t>(p);
}

Comparison compare(const Tensor& expected, const Tensor& actual, const Tolerance& tolerance) {
  assert(expected.type == actual.type && expected.shape == actual.shape);
  assert(tolerance.radius.empty() || static_cast<std::int64_t>(tolerance.radius.size()) == expected.elements());
  Comparison result;
  const ElementType type = expected.type;
  const std::size_t bytes = expected.elementBytes();
  double ulpSum = 0;
  std::uint64_t ulpCount = 0;
  const std::int64_t count = expected.elements();
  result.compared = static_cast<std::uint64_t>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t *e = expected.at(i), *a = actual.at(i);
    if (std::memcmp(e, a, bytes) == 0) {
      ++ulpCount;
      continue;
    }
    const double x = expected.asDouble(i), y = actual.asDouble(i);
    if (std::isnan(x) && std::isnan(y)) {
      ++ulpCount;
      continue;
    }
    ++result.differing;
    const std::uint64_t ulp = ulpDistance(type, e, a);
    result.maxUlp = std::max(result.maxUlp, ulp);
    if (ulp != kFar) {
      ulpSum += static_cast<double>(ulp);
      ++ulpCount;
    }
    const bool finite = std::isfinite(x) && std::isfinite(y);
    const double difference = std::fabs(y - x);
    if (finite) {
      result.maxAbsolute = std::max(result.maxAbsolute, difference);
      if (x != 0) result.maxRelative = std::max(result.maxRelative, difference / std::fabs(x));
    }
    // A bound of infinity (an overflow within the error) admits infinities, never NaN.
    const bool number = !std::isnan(x) && !std::isnan(y);
    const double radius = tolerance.radius.empty() ? 0 : tolerance.radius[static_cast<std::size_t>(i)];
    // Zeros of opposite sign differ unless some tolerance is given.
    const bool exact = tolerance.absolute == 0 && tolerance.relative == 0 && tolerance.ulp == 0 && radius == 0;
    const bool inside = !exact && ((finite && (difference <= tolerance.absolute || difference <= radius ||
                                               difference <= tolerance.relative * std::fabs(x))) ||
                                   (number && std::isinf(radius)) || ulp <= tolerance.ulp);
    if (inside) continue;
    if (result.mismatches++ == 0) {
      result.firstMismatch = i;
      result.firstExpected = x;
      result.firstActual = y;
    }
  }
  result.meanUlp = ulpCount ? ulpSum / static_cast<double>(ulpCount) : 0;
  return result;
}

}  // namespace forerun::runtime
