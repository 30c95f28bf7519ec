//===- ScalarSemanticsTest.cpp - exact meaning of expanded operations ------===//
// Integer division, shifts, conversions, remainders: every value or many, against definitions written apart from the
// expansions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "isa/ElementType.h"
#include "tests/compiler/passes/ScalarProgram.h"

namespace forerun::passes::test {
namespace {

using isa::ElementType;

struct IntegerCase {
  const char* operation;
  std::function<std::int64_t(std::int64_t, std::int64_t)> reference;  ///< of sign- or zero-extended operands
  bool isSigned;
};

std::int64_t floorDivide(std::int64_t x, std::int64_t y) { return x / y - ((x % y != 0) && ((x < 0) != (y < 0))); }
std::int64_t ceilDivide(std::int64_t x, std::int64_t y) { return x / y + ((x % y != 0) && ((x < 0) == (y < 0))); }

class IntegerSemantics : public testing::TestWithParam<IntegerCase> {};

TEST_P(IntegerSemantics, HoldsForAllBytesAndBooleans) {
  const IntegerCase& c = GetParam();
  for (unsigned width : {1u, 8u}) {
    ScalarProgram program = ScalarProgram::unaryLike(c.operation, "i" + std::to_string(width), 2);
    std::uint64_t mask = (1u << width) - 1;
    auto extend = [&](std::uint64_t bits) {
      unsigned shift = 64 - width;
      return c.isSigned ? static_cast<std::int64_t>(bits << shift) >> shift : static_cast<std::int64_t>(bits);
    };
    for (std::uint64_t x = 0; x <= mask; ++x)
      for (std::uint64_t y = 0; y <= mask; ++y) {
        std::uint64_t expected = static_cast<std::uint64_t>(c.reference(extend(x), extend(y))) & mask;
        ASSERT_EQ(program.run({x, y}), expected)
            << c.operation << " i" << width << " " << extend(x) << ", " << extend(y);
      }
  }
}

// Shift amounts are unsigned: the reference sees sign-extended amounts for shrsi and undoes that by the width of i1 and
// i8.
std::int64_t shiftRightSigned(std::int64_t x, std::int64_t y) { return y < 0 || y > 7 ? (x < 0 ? -1 : 0) : x >> y; }

INSTANTIATE_TEST_SUITE_P(
    Operations, IntegerSemantics,
    testing::Values(IntegerCase{"arith.divsi", [](auto x, auto y) { return y == 0 ? -1 : x / y; }, true},
                    IntegerCase{"arith.remsi", [](auto x, auto y) { return y == 0 ? x : x % y; }, true},
                    IntegerCase{"arith.floordivsi", [](auto x, auto y) { return y == 0 ? -1 : floorDivide(x, y); },
                                true},
                    IntegerCase{"arith.ceildivsi", [](auto x, auto y) { return y == 0 ? -1 : ceilDivide(x, y); }, true},
                    IntegerCase{"arith.divui", [](auto x, auto y) { return y == 0 ? -1 : x / y; }, false},
                    IntegerCase{"arith.remui", [](auto x, auto y) { return y == 0 ? x : x % y; }, false},
                    IntegerCase{"arith.ceildivui", [](auto x, auto y) { return y == 0 ? -1 : (x + y - 1) / y; }, false},
                    IntegerCase{"arith.shrsi", shiftRightSigned, true}),
    [](const auto& info) { return std::string(info.param.operation).substr(6); });

TEST(ShiftSemantics, PastTheWidthGivesZero) {
  ScalarProgram left = ScalarProgram::unaryLike("arith.shli", "i8", 2);
  ScalarProgram right = ScalarProgram::unaryLike("arith.shrui", "i8", 2);
  for (std::uint64_t x = 0; x < 256; ++x)
    for (std::uint64_t y = 0; y < 256; ++y) {
      ASSERT_EQ(left.run({x, y}), y < 8 ? (x << y) & 0xff : 0) << x << " << " << y;
      ASSERT_EQ(right.run({x, y}), y < 8 ? x >> y : 0) << x << " >> " << y;
    }
}

TEST(IntegerSemantics64, HoldsAtTheCorners) {
  const std::int64_t corners[] = {0, 1, -1, 2, -2, 3, 7, -3, INT64_MIN, INT64_MIN + 1, INT64_MAX, 1000000007};
  ScalarProgram divide = ScalarProgram::unaryLike("arith.divsi", "i64", 2);
  ScalarProgram remainder = ScalarProgram::unaryLike("arith.remsi", "i64", 2);
  ScalarProgram ceil = ScalarProgram::unaryLike("arith.ceildivsi", "i64", 2);
  for (std::int64_t x : corners)
    for (std::int64_t y : corners) {
      bool overflows = x == INT64_MIN && y == -1;
      std::uint64_t operands[] = {static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
      EXPECT_EQ(static_cast<std::int64_t>(divide.run(operands)), y == 0 ? -1 : overflows ? x : x / y);
      EXPECT_EQ(static_cast<std::int64_t>(remainder.run(operands)), y == 0 ? x : overflows ? 0 : x % y);
      EXPECT_EQ(static_cast<std::int64_t>(ceil.run(operands)), y == 0 ? -1 : overflows ? x : ceilDivide(x, y));
    }
}

TEST(ExtendedSemantics, GivesTheUpperHalf) {
  auto program = [](const std::string& operation, const std::string& type, const std::string& results) {
    return ScalarProgram("func.func @f(%a: " + type + ", %b: " + type + ") -> " + results +
                         " {\n  %l, %h = " + operation + " %a, %b : " + type + (results == type ? "" : ", " + results) +
                         "\n  return %h : " + results + "\n}");
  };
  ScalarProgram bytes = program("arith.mulsi_extended", "i8", "i8"),
                words = program("arith.mulsi_extended", "i64", "i64"),
                unsignedBytes = program("arith.mului_extended", "i8", "i8"),
                unsignedWords = program("arith.mului_extended", "i64", "i64"),
                carry = program("arith.addui_extended", "i8", "i1");
  for (std::uint64_t x = 0; x < 256; ++x)
    for (std::uint64_t y = 0; y < 256; ++y) {
      const int product = static_cast<std::int8_t>(x) * static_cast<std::int8_t>(y);
      ASSERT_EQ(bytes.run({x, y}), static_cast<std::uint64_t>(product >> 8) & 0xff) << x << " * " << y;
      ASSERT_EQ(unsignedBytes.run({x, y}), x * y >> 8) << x << " * " << y;
      ASSERT_EQ(carry.run({x, y}), (x + y) >> 8) << x << " + " << y;
    }
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> values{0,         1,          ~std::uint64_t{0}, std::uint64_t{1} << 63,
                                    INT64_MAX, 0xffffffff, 0x100000000};
  for (int i = 0; i < 50; ++i) values.push_back(random());
  for (std::uint64_t x : values)
    for (std::uint64_t y : values) {
      const auto product = static_cast<__int128>(static_cast<std::int64_t>(x)) * static_cast<std::int64_t>(y);
      ASSERT_EQ(words.run({x, y}), static_cast<std::uint64_t>(product >> 64)) << x << " * " << y;
      ASSERT_EQ(unsignedWords.run({x, y}), static_cast<std::uint64_t>(static_cast<unsigned __int128>(x) * y >> 64));
    }
}

bool isNan(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::F16:
      return (bits & 0x7fff) > 0x7c00;
    case ElementType::BF16:
      return (bits & 0x7fff) > 0x7f80;
    case ElementType::F32:
      return (bits & 0x7fffffff) > 0x7f800000;
    case ElementType::F64:
      return (bits & INT64_MAX) > 0x7ff0000000000000;
    case ElementType::F8E4M3FN:
      return (bits & 0x7f) == 0x7f;
    case ElementType::F8E5M2:
      return (bits & 0x7f) > 0x7c;
    case ElementType::F8E8M0FNU:
      return bits == 0xff;
    default:
      return false;
  }
}

/// All values of up to 16 bits; else corners, values near powers of two and near ties, and random bits.
std::vector<std::uint64_t> valuesOf(ElementType type) {
  std::vector<std::uint64_t> values;
  unsigned bits = type == ElementType::I1 ? 1 : isa::storageBits(type);
  if (bits <= 16) {
    for (std::uint64_t value = 0; value < (std::uint64_t{1} << bits); ++value) values.push_back(value);
    return values;
  }
  std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  std::mt19937_64 random(3);
  for (int i = 0; i < 50000; ++i) values.push_back(random() & mask);
  for (unsigned shift = 0; shift < bits; ++shift)
    for (std::int64_t near = -3; near <= 3; ++near)
      for (std::uint64_t sign : {std::uint64_t{0}, ~std::uint64_t{0}})
        values.push_back((((std::uint64_t{1} << shift) + static_cast<std::uint64_t>(near)) ^ sign) & mask);
  // Numbers of ordinary size, ties of narrow formats and one step beside them.
  for (int i = 0; i < 50000; ++i) {
    double number = std::ldexp(static_cast<double>(random() & 0xfff), static_cast<int>(random() % 80) - 40) *
                    ((random() & 1) ? 1 : -1);
    std::uint64_t stored = 0;
    isa::storeFromDouble(type, &stored, number);
    for (std::uint64_t step : {0, 1, -1}) values.push_back((stored + step) & mask);
  }
  if (type == ElementType::I32) values.push_back(33685505);  // rounds twice through f32: 33554432 instead of 33816576
  return values;
}

TEST(ConversionSemantics, AgreesWithElementTypeForEveryPair) {
  const ElementType types[] = {ElementType::I1,  ElementType::I8,       ElementType::I16,    ElementType::I32,
                               ElementType::I64, ElementType::F16,      ElementType::BF16,   ElementType::F32,
                               ElementType::F64, ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F8E8M0FNU};
  for (ElementType from : types) {
    std::vector<std::uint64_t> values = valuesOf(from);
    for (ElementType to : types) {
      ScalarProgram program =
          ScalarProgram::cast("tile.convert", std::string(isa::name(from)), std::string(isa::name(to)));
      for (std::uint64_t value : values) {
        std::uint64_t expected = 0;
        isa::convertElement(from, &value, to, &expected);
        std::uint64_t found = program.run(value);
        if (isNan(to, expected) && isNan(to, found)) continue;
        ASSERT_EQ(found, expected) << isa::name(from) << " to " << isa::name(to) << " of bits " << std::hex << value;
      }
    }
  }
}

TEST(ConversionSemantics, OverflowAgreesWithElementType) {
  for (ElementType from : {ElementType::I32, ElementType::I64, ElementType::F16, ElementType::BF16, ElementType::F32,
                           ElementType::F64, ElementType::F8E5M2, ElementType::F8E8M0FNU})
    for (ElementType to : {ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F8E8M0FNU}) {
      if (from == to) continue;
      ScalarProgram program = ScalarProgram::cast("tile.convert", std::string(isa::name(from)),
                                                  std::string(isa::name(to)), "overflow <nan>");
      for (std::uint64_t value : valuesOf(from)) {
        std::uint64_t expected = 0;
        isa::convertElement(from, &value, to, &expected, isa::Overflow::NaN);
        std::uint64_t found = program.run(value);
        if (isNan(to, expected) && isNan(to, found)) continue;
        ASSERT_EQ(found, expected) << isa::name(from) << " to " << isa::name(to) << " of bits " << std::hex << value;
      }
    }
}

TEST(ConversionSemantics, UnsignedSaturatesAndRoundsOnce) {
  ScalarProgram toI32 = ScalarProgram::cast("arith.fptoui", "f32", "i32");
  EXPECT_EQ(toI32.run(std::bit_cast<std::uint32_t>(-0.5f)), 0u);
  EXPECT_EQ(toI32.run(std::bit_cast<std::uint32_t>(-5.0f)), 0u);
  EXPECT_EQ(toI32.run(std::bit_cast<std::uint32_t>(4294967040.0f)), 4294967040u);
  EXPECT_EQ(toI32.run(std::bit_cast<std::uint32_t>(4294967296.0f)), 0xffffffffu);
  EXPECT_EQ(toI32.run(std::bit_cast<std::uint32_t>(NAN)), 0u);
  ScalarProgram toI8 = ScalarProgram::cast("arith.fptoui", "f16", "i8");
  EXPECT_EQ(toI8.run(isa::floatToHalf(255.9f)), 255u);
  EXPECT_EQ(toI8.run(isa::floatToHalf(300.0f)), 255u);
  ScalarProgram toBf16 = ScalarProgram::cast("arith.uitofp", "i64", "bf16");
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t value = random() >> (random() % 64);
    // 80-bit numbers hold the integer exactly; fold the last bits into a sticky one before rounding to f64.
    std::uint64_t kept = value >> 54 ? (value & ~std::uint64_t{0xfff}) | ((value & 0xfff) ? 0x800 : 0) : value;
    ASSERT_EQ(toBf16.run(value), isa::doubleToBfloat(static_cast<double>(kept))) << value;
  }
}

TEST(RemainderSemantics, IsFmodForAllMagnitudes) {
  std::mt19937_64 random(5);
  ScalarProgram single = ScalarProgram::unaryLike("arith.remf", "f32", 2);
  ScalarProgram twice = ScalarProgram::unaryLike("arith.remf", "f64", 2);
  auto checkSingle = [&](float x, float y) {
    float found = std::bit_cast<float>(
        static_cast<std::uint32_t>(single.run({std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y)})));
    float expected = std::fmod(x, y);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << x << " rem " << y;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected)) << x << " rem " << y;
    }
  };
  for (int i = 0; i < 50000; ++i) {
    checkSingle(std::bit_cast<float>(static_cast<std::uint32_t>(random())),
                std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    checkSingle(static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 8,
                static_cast<float>(static_cast<int>(random() % 41) - 20) / 4);
    double x = std::bit_cast<double>(random()), y = std::bit_cast<double>(random());
    double found = std::bit_cast<double>(twice.run({std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)}));
    double expected = std::fmod(x, y);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << x << " rem " << y;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << x << " rem " << y;
    }
  }
  const float special[] = {0, 1, INFINITY, NAN, 0x1p-149f, 0x1.fffffep127f, 3.5f};
  for (float x : special)
    for (float y : special)
      for (float sign : {1.0f, -1.0f}) checkSingle(x * sign, y), checkSingle(x, y * sign);
}

/// One rounding of the exact result: f64 holds sums and products of f16 and bf16 exactly or to 53 bits, innocuous for
/// <= 11.
void checkArithmetic(ElementType type) {
  std::mt19937 random(6);
  struct Op {
    const char* name;
    std::function<double(double, double)> reference;
  };
  const Op ops[] = {{"arith.addf", std::plus<>()},
                    {"arith.subf", std::minus<>()},
                    {"arith.mulf", std::multiplies<>()},
                    {"arith.divf", std::divides<>()}};
  for (const Op& op : ops) {
    ScalarProgram program = ScalarProgram::unaryLike(op.name, std::string(isa::name(type)), 2);
    for (int i = 0; i < 200000; ++i) {
      std::uint16_t x = static_cast<std::uint16_t>(random()), y = static_cast<std::uint16_t>(random());
      double exact = op.reference(isa::loadAsDouble(type, &x), isa::loadAsDouble(type, &y));
      std::uint64_t expected = 0, found = program.run({x, y});
      isa::storeFromDouble(type, &expected, exact);
      if (isNan(type, expected) && isNan(type, found)) continue;
      ASSERT_EQ(found, expected) << op.name << " " << std::hex << x << " " << y;
    }
  }
}

TEST(NarrowArithmetic, RoundsOnce) {
  checkArithmetic(ElementType::BF16);
  checkArithmetic(ElementType::F16);
}

TEST(Classification, SeesNanAndInfinity) {
  for (const char* type : {"f32", "bf16"}) {
    auto program = [&](const char* name) {
      return ScalarProgram(std::string("func.func @f(%a: ") + type + ") -> i1 { %r = " + name + " %a : " + type +
                           " return %r : i1 }");
    };
    ScalarProgram nan = program("math.isnan"), infinite = program("math.isinf"), finite = program("math.isfinite");
    for (float x : {0.0f, -1.0f, INFINITY, -INFINITY, NAN, 0x1p-126f}) {
      std::uint64_t bits = type[0] == 'f' ? std::bit_cast<std::uint32_t>(x) : isa::floatToBfloat(x);
      EXPECT_EQ(nan.run(bits) != 0, std::isnan(x));
      EXPECT_EQ(infinite.run(bits) != 0, std::isinf(x));
      EXPECT_EQ(finite.run(bits) != 0, std::isfinite(x));
    }
  }
}

TEST(Rounding, HalfGoesAwayFromZero) {
  ScalarProgram program = ScalarProgram::unaryLike("math.round", "f32");
  for (float x :
       {0.0f, -0.0f, 0.5f, -0.5f, 0.49999997f, 1.5f, 2.5f, -2.5f, 8388609.0f, 4194304.5f, -0.3f, INFINITY, 1e30f}) {
    float found = std::bit_cast<float>(static_cast<std::uint32_t>(program.run(std::bit_cast<std::uint32_t>(x))));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(std::round(x))) << x;
  }
}

}  // namespace
}  // namespace forerun::passes::test
