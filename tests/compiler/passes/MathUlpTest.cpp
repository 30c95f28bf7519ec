//===- MathUlpTest.cpp - error bounds of expanded functions ----------------===//
// Every f16 and bf16 value, and 2^20 f32 values spread over all bit patterns and over the interesting range, against
// 80-bit libm.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <random>

#include "isa/ElementType.h"
#include "tests/compiler/passes/ScalarProgram.h"

namespace forerun::passes::test {
namespace {

using Reference = std::function<long double(long double)>;

struct Format {
  const char* name;
  int precision;    ///< significand bits
  int minExponent;  ///< of the smallest normal number
  int maxExponent;  ///< 2^maxExponent is the first power of two that overflows
};
constexpr Format kF16{"f16", 11, -14, 16}, kBF16{"bf16", 8, -126, 128}, kF32{"f32", 24, -126, 128};

/// |got - exact| in units of the last place of the format at `exact`; infinity counts as the power of two that
/// overflows. Infinite where one is NaN and the other is not, or an exact infinity or zero is missed.
double ulpError(const Format& format, double got, long double exact) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(exact)) return got == static_cast<double>(exact) ? 0 : INFINITY;
  if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : INFINITY;
  long double top = std::ldexp(1.0L, format.maxExponent);
  long double value =
      std::isinf(got) ? std::copysign(top, static_cast<long double>(got)) : static_cast<long double>(got);
  if (std::abs(exact) >= top) exact = std::copysign(top, exact);
  int exponent = std::max(std::ilogb(exact), format.minExponent);
  exponent = std::min(exponent, format.maxExponent - 1);
  return static_cast<double>(std::abs(value - exact) / std::ldexp(1.0L, exponent - format.precision + 1));
}

double load(const Format& format, std::uint32_t bits) {
  if (format.precision == 11) return isa::halfToFloat(static_cast<std::uint16_t>(bits));
  if (format.precision == 8) return isa::bfloatToFloat(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(bits);
}

struct Worst {
  double error = 0;
  double at = 0, got = 0;
};

void record(Worst& worst, const Format& format, double x, double got, long double exact) {
  double error = ulpError(format, got, exact);
  if (error > worst.error) worst = {error, x, got};
}

Worst sweepAll16(ScalarProgram& program, const Format& format, const Reference& reference) {
  Worst worst;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    double x = load(format, bits);
    record(worst, format, x, load(format, static_cast<std::uint32_t>(program.run(bits))), reference(x));
  }
  return worst;
}

Worst sampleF32(ScalarProgram& program, const Reference& reference, float low, float high) {
  Worst worst;
  auto check = [&](float x) {
    std::uint64_t bits = std::bit_cast<std::uint32_t>(x);
    record(worst, kF32, x, std::bit_cast<float>(static_cast<std::uint32_t>(program.run(bits))), reference(x));
  };
  // Every 8191st bit pattern (8191 is prime: all exponents, all low bits) ...
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 8191)
    check(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  // ... as many again where the function is neither trivial nor saturated ...
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(low, high);
  for (int i = 0; i < (1 << 19); ++i) check(uniform(random));
  // ... and what is special.
  for (float x : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, std::nanf(""), 0x1p-126f, 0x1p-149f, -0x1p-149f,
                  0x1.fffffep127f, -0x1.fffffep127f})
    check(x);
  return worst;
}

struct Case {
  const char* operation;
  Reference reference;
  float low, high;
  double bound16;  ///< in f16 and bf16
  double bound32;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.operation; }

class MathUlp : public testing::TestWithParam<Case> {};

TEST_P(MathUlp, StaysWithinBound) {
  const Case& c = GetParam();
  auto report = [&](const Format& format, const Worst& worst, double bound, unsigned operations) {
    std::printf("%-11s %-5s max error %.4f ULP at %a (%.9g), bound %g, %u operations\n", c.operation, format.name,
                worst.error, worst.at, worst.at, bound, operations);
    EXPECT_LE(worst.error, bound) << c.operation << " " << format.name << " at " << worst.at << " gives " << worst.got
                                  << ", exact " << static_cast<double>(c.reference(worst.at));
  };
  for (const Format& format : {kF16, kBF16}) {
    ScalarProgram program = ScalarProgram::unaryLike(c.operation, format.name);
    report(format, sweepAll16(program, format, c.reference), c.bound16, program.operationCount());
  }
  ScalarProgram program = ScalarProgram::unaryLike(c.operation, "f32");
  report(kF32, sampleF32(program, c.reference, c.low, c.high), c.bound32, program.operationCount());
}

long double exact1(long double (*function)(long double), long double x) { return function(x); }
#define LIBM(name) [](long double x) { return exact1(name, x); }

INSTANTIATE_TEST_SUITE_P(
    Functions, MathUlp,
    testing::Values(
        Case{"math.exp", LIBM(expl), -104, 89, 0.51, 1.0}, Case{"math.exp2", LIBM(exp2l), -150, 128, 0.51, 1.0},
        Case{"math.expm1", LIBM(expm1l), -20, 89, 0.51, 1.5}, Case{"math.log", LIBM(logl), 0, 10, 0.51, 1.0},
        Case{"math.log2", LIBM(log2l), 0, 10, 0.51, 1.25}, Case{"math.log10", LIBM(log10l), 0, 10, 0.51, 1.25},
        Case{"math.log1p", LIBM(log1pl), -1, 10, 0.51, 1.5}, Case{"math.tanh", LIBM(tanhl), -10, 10, 0.51, 1.5},
        Case{"math.erf", LIBM(erfl), -4, 4, 0.51, 1.25}, Case{"math.sqrt", LIBM(sqrtl), 0, 1000, 0.5, 0.5},
        Case{"math.rsqrt", [](long double x) { return 1 / sqrtl(x); }, 0, 1000, 0.51, 1.5},
        Case{"math.sin", LIBM(sinl), -100, 100, 0.51, 2.0}, Case{"math.cos", LIBM(cosl), -100, 100, 0.51, 2.0}),
    [](const auto& info) { return std::string(info.param.operation).substr(5); });

TEST(MathPow, StaysWithinBound) {
  ScalarProgram program = ScalarProgram::unaryLike("math.powf", "f32", 2);
  std::mt19937 random(2);
  std::uniform_int_distribution<std::uint32_t> anyBits;
  std::uniform_real_distribution<float> logX(-20, 20), logResult(-150, 128);
  double worst = 0;
  auto check = [&](float x, float y) {
    std::uint64_t bits[] = {std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y)};
    float got = std::bit_cast<float>(static_cast<std::uint32_t>(program.run(bits)));
    double error = ulpError(kF32, got, powl(x, y));
    worst = std::max(worst, error);
    ASSERT_LE(error, 0.51) << "pow(" << x << ", " << y << ") gave " << got << ", exact "
                           << static_cast<double>(powl(x, y));
  };
  for (int i = 0; i < (1 << 19); ++i) {
    float exponent = logX(random);
    check(std::exp2(exponent), logResult(random) / exponent);
    check(std::bit_cast<float>(anyBits(random)), std::bit_cast<float>(anyBits(random)));
    check(-std::exp2(exponent), std::round(logResult(random) / exponent));
  }
  const float special[] = {0, 1, 2, 3, 0.5f, 1.5f, 0x1p-149f, 0x1.fffffep127f, 0x1p24f, 16777218, INFINITY, NAN};
  for (float x : special)
    for (float y : special)
      for (float sx : {1.0f, -1.0f})
        for (float sy : {1.0f, -1.0f}) check(x * sx, y * sy);
  std::printf("math.powf f32 max error %.4f ULP, %u operations\n", worst, program.operationCount());
}

}  // namespace
}  // namespace forerun::passes::test
