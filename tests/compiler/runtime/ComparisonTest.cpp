//===- ComparisonTest.cpp - distances between results -----------------------===//
// Equality of special numbers, ULP at boundaries, bounds an element, and the refusal to pass without comparing.
#include "compiler/runtime/Comparison.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace forerun::runtime;

namespace {

Tensor floats(std::initializer_list<double> values, ElementType type = ElementType::F32) {
  Tensor tensor(type, {static_cast<std::int64_t>(values.size())});
  std::int64_t i = 0;
  for (double value : values) forerun::isa::storeFromDouble(type, tensor.at(i++), value);
  return tensor;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

TEST(Comparison, EqualBitsAndAnyNan) {
  Tensor a = floats({1, kNan, kInf, -0.0}), b = a;
  b.bytes[4] ^= 1;
  b.bytes[7] ^= 0x80;
  const Comparison result = compare(a, b);
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.differing, 0u);
}

TEST(Comparison, ExactMeansBits) {
  const Comparison result = compare(floats({1, 0.0}), floats({1, -0.0}));
  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_EQ(result.firstMismatch, 1);
  EXPECT_EQ(result.maxUlp, 0u);
}

TEST(Comparison, NanAgainstANumberNeverPasses) {
  Tolerance tolerance;
  tolerance.absolute = 1e9;
  const double radius[] = {kInf};
  tolerance.radius = radius;
  EXPECT_EQ(compare(floats({1}), floats({kNan}), tolerance).mismatches, 1u);
  EXPECT_EQ(compare(floats({kNan}), floats({1}), tolerance).mismatches, 1u);
  EXPECT_EQ(compare(floats({1}), floats({kInf}), tolerance).mismatches, 0u);
}

TEST(Comparison, UlpCrossesZeroAndBinades) {
  auto distance = [](double a, double b, ElementType type) {
    return ulpDistance(type, floats({a}, type).at(0), floats({b}, type).at(0));
  };
  EXPECT_EQ(distance(0x1p-24, -0x1p-24, ElementType::F16), 2u);
  EXPECT_EQ(distance(1, 1 + 0x1p-10, ElementType::F16), 1u);
  EXPECT_EQ(distance(1, 1 - 0x1p-11, ElementType::F16), 1u);
  EXPECT_EQ(distance(1, 1 + 0x1p-7, ElementType::BF16), 1u);
  EXPECT_EQ(distance(65504, kInf, ElementType::F16), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(distance(-128, 127, ElementType::I8), 255u);
}

TEST(Comparison, RadiusIsAnElementsOwn) {
  const double radius[] = {0.5, 0, 0.1};
  Tolerance tolerance;
  tolerance.radius = radius;
  const Comparison result = compare(floats({1, 1, 1}), floats({1.5, 1.25, 1.2}), tolerance);
  EXPECT_EQ(result.mismatches, 2u);
  EXPECT_EQ(result.firstMismatch, 1);
  EXPECT_EQ(result.firstActual, 1.25);
  EXPECT_DOUBLE_EQ(result.maxAbsolute, 0.5);
}

TEST(Comparison, UlpAndRelativeTolerance) {
  Tolerance ulp, relative;
  ulp.ulp = 1;
  relative.relative = 0.01;
  EXPECT_TRUE(compare(floats({1}), floats({1 + 0x1p-23}), ulp).passed());
  EXPECT_FALSE(compare(floats({1}), floats({1 + 0x1p-22}), ulp).passed());
  EXPECT_TRUE(compare(floats({100}), floats({101}), relative).passed());
  EXPECT_FALSE(compare(floats({100}), floats({101.5}), relative).passed());
}

TEST(Comparison, NothingComparedFails) { EXPECT_FALSE(compare(floats({}), floats({})).passed()); }

TEST(Comparison, PoisonMatchesNoNumber) {
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64,
                           ElementType::F8E4M3FN, ElementType::F8E5M2}) {
    Tensor tensor(type, {3});
    tensor.poison();
    EXPECT_TRUE(std::isnan(tensor.asDouble(2)));
  }
}

}  // namespace
