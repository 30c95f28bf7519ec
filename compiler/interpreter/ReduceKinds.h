//===- ReduceKinds.h - identity and combination of each reduction -----------===//
// Plain scalar functions, templated over the host type of a column.
#pragma once

#include "compiler/interpreter/Columns.h"
#include "compiler/interpreter/Reduce.h"
#include "compiler/interpreter/Uncertainty.h"

#include <algorithm>
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

/// The combination in an element type: sums and products of f16 and bf16 round every step.
template <ReduceKind kind, typename T>
T combineElements(ElementType type, T a, T b) {
  T result = reduceCombine<kind, T>(a, b);
  if constexpr (std::is_same_v<T, float>)
    if (type != ElementType::F32) roundColumn(type, &result, 1);
  return result;
}

/// How far a combination may lie from the reference's (Uncertainty.h), element by element.
template <ReduceKind kind>
class CombinedRadius {
 public:
  void add(double value, double radius) {
    const double x = std::fabs(value);
    if constexpr (kind == ReduceKind::Add)
      sum_ += x, radius_ += radius;
    else if constexpr (kind == ReduceKind::Mul)
      sum_ *= x, radius_ *= x + radius, most_ *= std::max(x + radius, 1.0);
    else
      radius_ = std::max(radius_, radius);
  }
  /// Of `terms` elements of the type; `fixedOrder`: combined in one order everywhere, so that certain elements give a
  /// certain result.
  double result(ElementType type, std::int64_t terms, bool fixedOrder) const {
    if constexpr (kind != ReduceKind::Add && kind != ReduceKind::Mul) return radius_;
    const double certain = kind == ReduceKind::Add ? radius_ : radius_ - sum_;
    const bool open = isa::isFloat(type) && terms > 1 && (!fixedOrder || certain > 0);
    if (!open) return certain;
    const double most = kind == ReduceKind::Add ? sum_ + radius_ : most_;
    if (!(most <= largestFinite(type))) return std::numeric_limits<double>::infinity();
    const auto count = static_cast<double>(terms);
    const double rounding = 2.0 * count * std::ldexp(1.0, -static_cast<int>(significandBits(type)));
    if constexpr (kind == ReduceKind::Add) return radius_ + rounding * sum_;
    return certain + rounding * radius_ + count * unitInLastPlace(type, 0) * most_;
  }

 private:
  static constexpr double kStart = kind == ReduceKind::Mul ? 1 : 0;
  double sum_ = kStart, radius_ = kStart;  ///< of mul: products of |x| and of |x| + r
  double most_ = 1;                        ///< of mul: what a part of the product may reach
};

/// fn.operator()<kind, T>(), T being the host type of the elements; not for argmin and argmax.
template <typename Fn>
auto dispatchCombination(ReduceKind kind, ElementType type, Fn fn) {
  auto withType = [&]<ReduceKind which>() {
    switch (laneOf(type)) {
      case Lane::I8:
        return fn.template operator()<which, std::int8_t>();
      case Lane::I16:
        return fn.template operator()<which, std::int16_t>();
      case Lane::I32:
        return fn.template operator()<which, std::int32_t>();
      case Lane::I64:
        return fn.template operator()<which, std::int64_t>();
      case Lane::F64:
        return fn.template operator()<which, double>();
      default:
        return fn.template operator()<which, float>();
    }
  };
  switch (kind) {
    case ReduceKind::Mul:
      return withType.template operator()<ReduceKind::Mul>();
    case ReduceKind::Min:
      return withType.template operator()<ReduceKind::Min>();
    case ReduceKind::Max:
      return withType.template operator()<ReduceKind::Max>();
    case ReduceKind::MinNum:
      return withType.template operator()<ReduceKind::MinNum>();
    case ReduceKind::MaxNum:
      return withType.template operator()<ReduceKind::MaxNum>();
    case ReduceKind::And:
      return withType.template operator()<ReduceKind::And>();
    case ReduceKind::Or:
      return withType.template operator()<ReduceKind::Or>();
    case ReduceKind::Xor:
      return withType.template operator()<ReduceKind::Xor>();
    default:
      return withType.template operator()<ReduceKind::Add>();
  }
}

}  // namespace forerun::interpreter
