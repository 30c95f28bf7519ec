//===- ReduceKinds.h - identity and combination of each reduction -----------===//
// Plain scalar functions, templated over the host type of a column.
#pragma once

#include "compiler/interpreter/Reduce.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace forerun::interpreter {

template <ReduceKind kind, typename T>
constexpr T reduceIdentity() {
  using Limits = std::numeric_limits<T>;
  constexpr bool isFloat = std::is_floating_point_v<T>;
  if constexpr (kind == ReduceKind::Add) return isFloat ? static_cast<T>(-0.0) : T(0);
  if constexpr (kind == ReduceKind::Mul) return T(1);
  if constexpr (kind == ReduceKind::Min) return isFloat ? Limits::infinity() : Limits::max();
  if constexpr (kind == ReduceKind::Max) return isFloat ? -Limits::infinity() : Limits::lowest();
  if constexpr (kind == ReduceKind::MinNum || kind == ReduceKind::MaxNum) return isFloat ? Limits::quiet_NaN() : T(0);
  if constexpr (kind == ReduceKind::And) return static_cast<T>(-1);
  return T(0);
}

template <ReduceKind kind, typename T>
T reduceCombine(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool nanA = std::isnan(a), nanB = std::isnan(b);
    if constexpr (kind == ReduceKind::Add) return a + b;
    if constexpr (kind == ReduceKind::Mul) return a * b;
    if constexpr (kind == ReduceKind::Min || kind == ReduceKind::Max)
      if (nanA || nanB) return std::numeric_limits<T>::quiet_NaN();
    if constexpr (kind == ReduceKind::MinNum || kind == ReduceKind::MaxNum)
      if (nanA || nanB) return nanA ? b : a;
    if constexpr (kind == ReduceKind::Min || kind == ReduceKind::MinNum)
      return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
    if constexpr (kind == ReduceKind::Max || kind == ReduceKind::MaxNum)
      return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
    return a;
  } else {
    using U = std::uint64_t;
    if constexpr (kind == ReduceKind::Add) return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    if constexpr (kind == ReduceKind::Mul) return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    if constexpr (kind == ReduceKind::Min || kind == ReduceKind::MinNum) return a < b ? a : b;
    if constexpr (kind == ReduceKind::Max || kind == ReduceKind::MaxNum) return a > b ? a : b;
    if constexpr (kind == ReduceKind::And) return static_cast<T>(a & b);
    if constexpr (kind == ReduceKind::Or) return static_cast<T>(a | b);
    if constexpr (kind == ReduceKind::Xor) return static_cast<T>(a ^ b);
    return a;
  }
}

}  // namespace forerun::interpreter
