//===- FloatCompareOps.cpp - comparisons and selection ----------------------===//
// arith.cmpf by predicate number, the class tests of math, and arith.select for every type.
#include "compiler/interpreter/ElementLoops.h"

#include <cmath>

namespace forerun::interpreter {

namespace {

// arith::CmpFPredicate: ordered predicates are false when either operand is NaN, unordered ones true.
template <int predicate>
struct CompareFloat {
  template <typename T>
  static std::uint8_t apply(T a, T b) {
    const bool unordered = std::isnan(a) || std::isnan(b);
    if constexpr (predicate == 0) return 0;
    if constexpr (predicate == 1) return a == b;
    if constexpr (predicate == 2) return a > b;
    if constexpr (predicate == 3) return a >= b;
    if constexpr (predicate == 4) return a < b;
    if constexpr (predicate == 5) return a <= b;
    if constexpr (predicate == 6) return !unordered && a != b;
    if constexpr (predicate == 7) return !unordered;
    if constexpr (predicate == 8) return unordered || a == b;
    if constexpr (predicate == 9) return unordered || a > b;
    if constexpr (predicate == 10) return unordered || a >= b;
    if constexpr (predicate == 11) return unordered || a < b;
    if constexpr (predicate == 12) return unordered || a <= b;
    if constexpr (predicate == 13) return unordered || a != b;
    if constexpr (predicate == 14) return unordered;
    return 1;
  }
};

template <typename T, int... predicates>
ElementFunction pick(std::int64_t predicate, std::integer_sequence<int, predicates...>) {
  ElementFunction result = nullptr;
  ((predicate == predicates ? void(result = binaryLoop<CompareFloat<predicates>, T>) : void()), ...);
  return result;
}

ElementFunction compare(const ElementQuery& query) {
  if (!isa::isFloat(query.operand)) return nullptr;
  constexpr std::make_integer_sequence<int, 16> kAll;
  return query.operand == ElementType::F64 ? pick<double>(query.predicate, kAll) : pick<float>(query.predicate, kAll);
}

struct IsNan {
  template <typename T>
  static std::uint8_t apply(T a) {
    return std::isnan(a);
  }
};
struct IsInf {
  template <typename T>
  static std::uint8_t apply(T a) {
    return std::isinf(a);
  }
};
struct IsFinite {
  template <typename T>
  static std::uint8_t apply(T a) {
    return std::isfinite(a);
  }
};
template <typename F>
ElementFunction classTest(const ElementQuery& query) {
  if (!isa::isFloat(query.operand)) return nullptr;
  return query.operand == ElementType::F64 ? unaryLoop<F, double> : unaryLoop<F, float>;
}

template <typename Bits>
void selectLoop(const ElementCall& call) {
  const auto* condition = call.input<std::uint8_t>(0);
  const Bits *a = call.input<Bits>(1), *b = call.input<Bits>(2);
  for (std::size_t i = 0; i < call.count; ++i) call.output<Bits>()[i] = condition[i] & 1 ? a[i] : b[i];
}

ElementFunction select(const ElementQuery& query) {
  switch (laneBytes(laneOf(query.result))) {
    case 1:
      return selectLoop<std::uint8_t>;
    case 2:
      return selectLoop<std::uint16_t>;
    case 4:
      return selectLoop<std::uint32_t>;
    default:
      return selectLoop<std::uint64_t>;
  }
}

}  // namespace

void addFloatCompareOps(ElementOpTable& table) {
  addElementOp(table, "arith.cmpf", {compare});
  addElementOp(table, "math.isnan", {classTest<IsNan>});
  addElementOp(table, "math.isinf", {classTest<IsInf>});
  addElementOp(table, "math.isfinite", {classTest<IsFinite>});
  addElementOp(table, "arith.select", {select});
}

}  // namespace forerun::interpreter
