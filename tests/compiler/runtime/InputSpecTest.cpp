//===- InputSpecTest.cpp - inputs from text ---------------------------------===//
// Philox against published vectors, moments of the normal numbers, every kind of spec and every bad one.
#include "compiler/runtime/InputSpec.h"
#include "compiler/runtime/Philox.h"
#include "tests/compiler/runtime/Errors.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace forerun;
using namespace forerun::runtime;

namespace {

Tensor make(llvm::StringRef text, ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  return llvm::cantFail(materialise(llvm::cantFail(InputSpec::parse(text)), "input 'a'", type, shape));
}

std::string makeError(llvm::StringRef text, ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  return messageOf(materialise(llvm::cantFail(InputSpec::parse(text)), "input 'a'", type, shape));
}

TEST(Philox, KnownAnswers) {
  // kat_vectors of the Random123 distribution, philox4x32 10.
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, StreamsGiveTheBitsOfTheirElementsInOrder) {
  RandomStream stream(11);
  for (std::uint64_t i = 0; i < 37; ++i) EXPECT_EQ(stream.next(), randomBits(11, i));
}

TEST(Philox, NormalNumbersInvertTheDistribution) {
  double sum = 0, squares = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const double x = randomNormal(7, static_cast<std::uint64_t>(i));
    const double p = (randomBits(7, static_cast<std::uint64_t>(i)) + 0.5) / 4294967296.0;
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), p, 4e-9);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.03);
  EXPECT_NEAR(squares / kCount, 1, 0.03);
}

TEST(InputSpec, KindsMakeWhatTheySay) {
  EXPECT_EQ(make("iota:4xi32:start=3:step=-2", ElementType::I32, {4}).asDouble(3), -3);
  EXPECT_EQ(make("full:2x2xf16:value=0.5", ElementType::F16, {2, 2}).asDouble(2), 0.5);
  EXPECT_EQ(make("zeros", ElementType::F16, {3}).asDouble(2), 0);
  const Tensor ints = make("randint:1000xi8:low=-3:high=3:seed=2", ElementType::I8, {1000});
  double low = 9, high = -9;
  for (int i = 0; i < 1000; ++i) low = std::min(low, ints.asDouble(i)), high = std::max(high, ints.asDouble(i));
  EXPECT_EQ(low, -3);
  EXPECT_EQ(high, 3);
}

TEST(InputSpec, SeedAndScaleChangeNumbersShapeDoesNot) {
  const Tensor one = make("randn:6xf32:seed=1", ElementType::F32, {6}),
               two = make("randn:6xf32:seed=2", ElementType::F32, {6});
  EXPECT_NE(one.bytes, two.bytes);
  EXPECT_EQ(one.bytes, make("randn:2x3xf32:seed=1", ElementType::F32, {2, 3}).bytes);
  EXPECT_EQ(make("randn:6xf32:seed=1:scale=0.5", ElementType::F32, {6}).asDouble(4), one.asDouble(4) / 2);
}

TEST(InputSpec, SpecialNumbersAppear) {
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64}) {
    const Tensor tensor = make("special:seed=3", type, {4096});
    int nan = 0, inf = 0, negativeZero = 0, denormal = 0;
    for (int i = 0; i < 4096; ++i) {
      const double x = tensor.asDouble(i);
      nan += std::isnan(x);
      inf += std::isinf(x);
      negativeZero += x == 0 && std::signbit(x);
      denormal += x != 0 && std::fabs(x) < (type == ElementType::F16   ? 0x1p-14
                                            : type == ElementType::F64 ? 0x1p-1022
                                                                       : 0x1p-126);
    }
    EXPECT_GT(nan, 10);
    EXPECT_GT(inf, 10);
    EXPECT_GT(negativeZero, 10);
    EXPECT_GT(denormal, 10);
  }
}

TEST(InputSpec, OpenExtentsTakeTheSpecsShape) {
  EXPECT_EQ(make("randn:5x3xf16", ElementType::F16, {-1, 3}).shape, (std::vector<std::int64_t>{5, 3}));
  EXPECT_EQ(makeError("randn:seed=1", ElementType::F16, {-1, 3}),
            "input 'a': the kernel leaves the shape open (?x3xf16); give one, e.g. randn:128x256xf16");
}

TEST(InputSpec, BadTextSaysWhatIsKnown) {
  auto parseError = [](llvm::StringRef text) { return messageOf(InputSpec::parse(text)); };
  EXPECT_EQ(parseError("rand:2xf16"),
            "'rand:2xf16' is neither a .npy file nor a known input; write file.npy or KIND:SHAPExTYPE with KIND one of "
            "randn, randint, uniform, zeros, "
            "full, iota, special");
  EXPECT_EQ(parseError("randn:2xf16:size=1"),
            "'size' in 'randn:2xf16:size=1' is not an option of randn; known: seed, scale, mean");
  EXPECT_EQ(parseError("zeros:2xf16:seed=1"), "'seed' in 'zeros:2xf16:seed=1' is not an option of zeros; known: none");
  EXPECT_EQ(parseError("randn:2xf16:seed=x"), "'x' in 'randn:2xf16:seed=x' is not a number");
  EXPECT_EQ(parseError("randint:2xi8:low=3:high=1"), "'randint:2xi8:low=3:high=1': low is above high");
  EXPECT_EQ(parseError("randn:2xg16"),
            "'2xg16' does not end in an element type; write e.g. 128x256xf16 (types: i1 i4 i8 i16 i32 i64 f16 bf16 "
            "f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU) or 128x256");
  EXPECT_EQ(parseError("randn:ax2"), "'ax2' is not a shape and type; write e.g. 128x256xf16 or 128x256");
  EXPECT_EQ(make("randn:2x3:seed=1", ElementType::F16, {-1, -1}).shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(makeError("randn:2xf32", ElementType::F16, {2}),
            "input 'a': the specification says f32, the kernel's argument is f16");
  EXPECT_EQ(makeError("randn:3xf16", ElementType::F16, {2}),
            "input 'a': the specification says 3xf16, the kernel's argument is 2xf16");
}

}  // namespace
