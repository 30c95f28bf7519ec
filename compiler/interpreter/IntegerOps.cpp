//===- IntegerOps.cpp - integer arithmetic on elements ----------------------===//
// Results wrap. Where arith leaves a result undefined the value is RISC-V's: x / 0 is all ones, x % 0 is x, MIN / -1 is
// MIN; a shift past the width gives 0, or the sign for shrsi. (The expanding pass guards map bodies; scalars outside
// rely on this.)
#include "compiler/interpreter/ElementLoops.h"

#include <bit>

namespace forerun::interpreter {

namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
constexpr unsigned kBits = sizeof(T) * 8;

struct AddInt {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};
struct SubInt {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
};
struct MulInt {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  }
};
struct And {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct ShiftLeft {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<Unsigned<T>>(b) < kBits<T>
               ? static_cast<T>(static_cast<std::uint64_t>(a) << static_cast<Unsigned<T>>(b))
               : T(0);
  }
};
struct ShiftRightLogical {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<Unsigned<T>>(b) < kBits<T>
               ? static_cast<T>(static_cast<Unsigned<T>>(a) >> static_cast<Unsigned<T>>(b))
               : T(0);
  }
};
struct ShiftRightArithmetic {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a >> (static_cast<Unsigned<T>>(b) < kBits<T> ? static_cast<Unsigned<T>>(b) : kBits<T> - 1));
  }
};
struct DivSigned {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return T(-1);
    return b == -1 ? SubInt::apply(T(0), a) : static_cast<T>(a / b);
  }
};
struct RemSigned {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return a;
    return b == -1 ? T(0) : static_cast<T>(a % b);
  }
};
struct DivUnsigned {
  template <typename T>
  static T apply(T a, T b) {
    return b == 0 ? T(-1) : static_cast<T>(static_cast<Unsigned<T>>(a) / static_cast<Unsigned<T>>(b));
  }
};
struct RemUnsigned {
  template <typename T>
  static T apply(T a, T b) {
    return b == 0 ? a : static_cast<T>(static_cast<Unsigned<T>>(a) % static_cast<Unsigned<T>>(b));
  }
};
struct FloorDiv {
  template <typename T>
  static T apply(T a, T b) {
    const T quotient = DivSigned::apply(a, b), remainder = RemSigned::apply(a, b);
    return b != 0 && remainder != 0 && ((remainder < 0) != (b < 0)) ? SubInt::apply(quotient, T(1)) : quotient;
  }
};
struct CeilDiv {
  template <typename T>
  static T apply(T a, T b) {
    const T quotient = DivSigned::apply(a, b), remainder = RemSigned::apply(a, b);
    return b != 0 && remainder != 0 && ((remainder < 0) == (b < 0)) ? AddInt::apply(quotient, T(1)) : quotient;
  }
};
struct CeilDivUnsigned {
  template <typename T>
  static T apply(T a, T b) {
    const T quotient = DivUnsigned::apply(a, b);
    return b != 0 && RemUnsigned::apply(a, b) != 0 ? AddInt::apply(quotient, T(1)) : quotient;
  }
};
struct MaxSigned {
  template <typename T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct MinSigned {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct MaxUnsigned {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<Unsigned<T>>(a) > static_cast<Unsigned<T>>(b) ? a : b;
  }
};
struct MinUnsigned {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<Unsigned<T>>(a) < static_cast<Unsigned<T>>(b) ? a : b;
  }
};
struct AbsoluteInt {
  template <typename T>
  static T apply(T a) {
    return a < 0 ? SubInt::apply(T(0), a) : a;
  }
};
struct LeadingZeros {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(std::countl_zero(static_cast<Unsigned<T>>(a)));
  }
};
struct TrailingZeros {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(std::countr_zero(static_cast<Unsigned<T>>(a)));
  }
};
struct PopulationCount {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(std::popcount(static_cast<Unsigned<T>>(a)));
  }
};

// i1 is a byte of 0 or 1 and has one bit: sums and differences are exclusive or, signed values are 0 and -1.
template <typename F>
struct OneBit {
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) {
    return F::template apply<std::int8_t>(static_cast<std::int8_t>(-(a & 1)), static_cast<std::int8_t>(-(b & 1))) & 1;
  }
};

template <typename F>
ElementFunction binary(const ElementQuery& query) {
  switch (query.operand) {
    case ElementType::I1:
      return binaryLoop<OneBit<F>, std::uint8_t>;
    case ElementType::I8:
      return binaryLoop<F, std::int8_t>;
    case ElementType::I16:
      return binaryLoop<F, std::int16_t>;
    case ElementType::I32:
      return binaryLoop<F, std::int32_t>;
    case ElementType::I64:
      return binaryLoop<F, std::int64_t>;
    default:
      return nullptr;
  }
}

/// Operations of one bit that have no use are not defined for i1.
template <typename F>
ElementFunction wide(const ElementQuery& query) {
  return query.operand == ElementType::I1 ? nullptr : binary<F>(query);
}

template <typename F>
ElementFunction unary(const ElementQuery& query) {
  switch (query.operand) {
    case ElementType::I8:
      return unaryLoop<F, std::int8_t>;
    case ElementType::I16:
      return unaryLoop<F, std::int16_t>;
    case ElementType::I32:
      return unaryLoop<F, std::int32_t>;
    case ElementType::I64:
      return unaryLoop<F, std::int64_t>;
    default:
      return nullptr;
  }
}

// arith::CmpIPredicate.
template <int predicate>
struct CompareInt {
  template <typename T>
  static std::uint8_t apply(T a, T b) {
    const auto ua = static_cast<Unsigned<T>>(a), ub = static_cast<Unsigned<T>>(b);
    if constexpr (predicate == 0) return a == b;
    if constexpr (predicate == 1) return a != b;
    if constexpr (predicate == 2) return a < b;
    if constexpr (predicate == 3) return a <= b;
    if constexpr (predicate == 4) return a > b;
    if constexpr (predicate == 5) return a >= b;
    if constexpr (predicate == 6) return ua < ub;
    if constexpr (predicate == 7) return ua <= ub;
    if constexpr (predicate == 8) return ua > ub;
    return ua >= ub;
  }
};

ElementFunction compare(const ElementQuery& query) {
  switch (query.predicate) {
    case 0:
      return binary<CompareInt<0>>(query);
    case 1:
      return binary<CompareInt<1>>(query);
    case 2:
      return binary<CompareInt<2>>(query);
    case 3:
      return binary<CompareInt<3>>(query);
    case 4:
      return binary<CompareInt<4>>(query);
    case 5:
      return binary<CompareInt<5>>(query);
    case 6:
      return binary<CompareInt<6>>(query);
    case 7:
      return binary<CompareInt<7>>(query);
    case 8:
      return binary<CompareInt<8>>(query);
    case 9:
      return binary<CompareInt<9>>(query);
    default:
      return nullptr;
  }
}

}  // namespace

void addIntegerOps(ElementOpTable& table) {
  addElementOp(table, "arith.addi", {binary<AddInt>});
  addElementOp(table, "arith.subi", {binary<SubInt>});
  addElementOp(table, "arith.muli", {binary<MulInt>});
  addElementOp(table, "arith.andi", {binary<And>});
  addElementOp(table, "arith.ori", {binary<Or>});
  addElementOp(table, "arith.xori", {binary<Xor>});
  addElementOp(table, "arith.shli", {wide<ShiftLeft>});
  addElementOp(table, "arith.shrui", {wide<ShiftRightLogical>});
  addElementOp(table, "arith.shrsi", {wide<ShiftRightArithmetic>});
  addElementOp(table, "arith.divsi", {wide<DivSigned>});
  addElementOp(table, "arith.remsi", {wide<RemSigned>});
  addElementOp(table, "arith.divui", {wide<DivUnsigned>});
  addElementOp(table, "arith.remui", {wide<RemUnsigned>});
  addElementOp(table, "arith.floordivsi", {wide<FloorDiv>});
  addElementOp(table, "arith.ceildivsi", {wide<CeilDiv>});
  addElementOp(table, "arith.ceildivui", {wide<CeilDivUnsigned>});
  addElementOp(table, "arith.maxsi", {binary<MaxSigned>});
  addElementOp(table, "arith.minsi", {binary<MinSigned>});
  addElementOp(table, "arith.maxui", {binary<MaxUnsigned>});
  addElementOp(table, "arith.minui", {binary<MinUnsigned>});
  addElementOp(table, "arith.cmpi", {compare});
  addElementOp(table, "math.absi", {unary<AbsoluteInt>});
  addElementOp(table, "math.ctlz", {unary<LeadingZeros>});
  addElementOp(table, "math.cttz", {unary<TrailingZeros>});
  addElementOp(table, "math.ctpop", {unary<PopulationCount>});
}

}  // namespace forerun::interpreter
