//===- Arithmetic.h - integer arithmetic that saturates --------------------===//
// Extents and strides are user input: results past the limit stay past it, and Layout::make refuses them.
#pragma once

#include <cstdint>
#include <limits>

namespace forerun::layout {

/// Sizes and coordinates of a layout stay within +-kLimit, so that sums of a few of them cannot wrap.
inline constexpr std::int64_t kLimit = std::int64_t{1} << 60;

constexpr std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max() : -std::numeric_limits<std::int64_t>::max();
}

constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return a < 0 ? -std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::max();
}

constexpr std::int64_t magnitude(std::int64_t a) { return a < 0 ? multiply(a, -1) : a; }
constexpr bool withinLimit(std::int64_t a) { return a <= kLimit && a >= -kLimit; }

}  // namespace forerun::layout
