//===- FloatOps.cpp - floating-point arithmetic on elements -----------------===//
// One IEEE operation, rounded once to nearest even. f16 and bf16 compute in f32 or f64 where rounding twice is harmless
// (a format of p digits from one of at least 2p + 2, and no underflow of the wider one), else by round to odd.
#include "compiler/interpreter/ElementLoops.h"

#include <bit>
#include <cmath>

namespace forerun::interpreter {

namespace {

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <typename T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <typename T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Div {
  template <typename T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct Remainder {
  template <typename T>
  static T apply(T a, T b) {
    return std::fmod(a, b);
  }
};
struct Negate {
  template <typename T>
  static T apply(T a) {
    return -a;
  }
};
struct Absolute {
  template <typename T>
  static T apply(T a) {
    return std::fabs(a);
  }
};
struct SquareRoot {
  template <typename T>
  static T apply(T a) {
    return std::sqrt(a);
  }
};
struct Floor {
  template <typename T>
  static T apply(T a) {
    return std::floor(a);
  }
};
struct Ceil {
  template <typename T>
  static T apply(T a) {
    return std::ceil(a);
  }
};
struct Truncate {
  template <typename T>
  static T apply(T a) {
    return std::trunc(a);
  }
};
struct RoundAway {
  template <typename T>
  static T apply(T a) {
    return std::round(a);
  }
};
struct RoundEven {
  template <typename T>
  static T apply(T a) {
    return std::nearbyint(a);
  }
};
struct CopySign {
  template <typename T>
  static T apply(T a, T b) {
    return std::copysign(a, b);
  }
};
struct FusedMultiplyAdd {
  template <typename T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};

// NaN wins; -0 < +0.
struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
};
struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
};
// Numbers win over NaN; -0 < +0.
struct MaximumNumber {
  template <typename T>
  static T apply(T a, T b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : Maximum::apply(a, b);
  }
};
struct MinimumNumber {
  template <typename T>
  static T apply(T a, T b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : Minimum::apply(a, b);
  }
};

/// The f64 nearest to `sum + error` in the sense of round to odd: enough bits remain for a correct rounding to f16 or
/// bf16.
double roundToOdd(double sum, double error) {
  if (error == 0 || !std::isfinite(sum)) return sum;
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (bits & 1) return sum;
  // The exact value lies between sum and its neighbour towards the error; of the two, take the odd one.
  const bool away = (error > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

template <ElementType type>
float roundSmall(double value) {
  return type == ElementType::F16 ? isa::halfToFloat(isa::doubleToHalf(value))
                                  : isa::bfloatToFloat(isa::doubleToBfloat(value));
}

template <ElementType type, typename F>
void smallBinary(const ElementCall& call) {
  const float *a = call.input<float>(0), *b = call.input<float>(1);
  for (std::size_t i = 0; i < call.count; ++i)
    call.output<float>()[i] = roundSmall<type>(F::apply(static_cast<double>(a[i]), static_cast<double>(b[i])));
}

template <ElementType type>
void smallFma(const ElementCall& call) {
  const float *a = call.input<float>(0), *b = call.input<float>(1), *c = call.input<float>(2);
  for (std::size_t i = 0; i < call.count; ++i) {
    // The product is exact in f64; the two-sum gives the error of the addition exactly.
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]), addend = c[i], sum = product + addend;
    const double part = sum - product, error = (product - (sum - part)) + (addend - part);
    call.output<float>()[i] = roundSmall<type>(roundToOdd(sum, std::isfinite(sum) ? error : 0));
  }
}

template <typename F>
ElementFunction binary(const ElementQuery& query) {
  if (query.result == ElementType::F64) return binaryLoop<F, double>;
  return isa::isFloat(query.result) ? binaryLoop<F, float> : nullptr;
}

/// Multiplication and division of bf16 may underflow in f32: they go through f64.
template <typename F>
ElementFunction product(const ElementQuery& query) {
  if (query.result == ElementType::F16) return smallBinary<ElementType::F16, F>;
  if (query.result == ElementType::BF16) return smallBinary<ElementType::BF16, F>;
  return binary<F>(query);
}

template <typename F>
ElementFunction unary(const ElementQuery& query) {
  if (query.result == ElementType::F64) return unaryLoop<F, double>;
  return isa::isFloat(query.result) ? unaryLoop<F, float> : nullptr;
}

ElementFunction fma(const ElementQuery& query) {
  switch (query.result) {
    case ElementType::F16:
      return smallFma<ElementType::F16>;
    case ElementType::BF16:
      return smallFma<ElementType::BF16>;
    case ElementType::F32:
      return ternaryLoop<FusedMultiplyAdd, float>;
    case ElementType::F64:
      return ternaryLoop<FusedMultiplyAdd, double>;
    default:
      return nullptr;
  }
}

}  // namespace

void addFloatOps(ElementOpTable& table) {
  addElementOp(table, "arith.addf", {binary<Add>, true});
  addElementOp(table, "arith.subf", {binary<Sub>, true});
  addElementOp(table, "arith.mulf", {product<Mul>});
  addElementOp(table, "arith.divf", {product<Div>});
  addElementOp(table, "arith.remf", {binary<Remainder>, true});
  addElementOp(table, "arith.negf", {unary<Negate>});
  addElementOp(table, "arith.maximumf", {binary<Maximum>});
  addElementOp(table, "arith.minimumf", {binary<Minimum>});
  addElementOp(table, "arith.maxnumf", {binary<MaximumNumber>});
  addElementOp(table, "arith.minnumf", {binary<MinimumNumber>});
  addElementOp(table, "math.absf", {unary<Absolute>});
  addElementOp(table, "math.sqrt", {unary<SquareRoot>, true});
  addElementOp(table, "math.floor", {unary<Floor>});
  addElementOp(table, "math.ceil", {unary<Ceil>});
  addElementOp(table, "math.trunc", {unary<Truncate>});
  addElementOp(table, "math.round", {unary<RoundAway>});
  addElementOp(table, "math.roundeven", {unary<RoundEven>});
  addElementOp(table, "math.copysign", {binary<CopySign>});
  addElementOp(table, "math.fma", {fma});
}

}  // namespace forerun::interpreter
