//===- VectorBfloatTest.cpp - bf16 instructions against APFloat -------------===//
// QEMU 7.2 has no bf16, so LLVM's software floats are the oracle for conversions and the widening multiply-add.
#include "tests/simulator/core/VectorTestHart.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <random>

namespace forerun::sim::core {
namespace {

using llvm::APFloat;
using llvm::APInt;

constexpr std::uint32_t kVlen = 512;
constexpr unsigned kElements = 64;  // e16, m2
constexpr llvm::RoundingMode kModes[5] = {llvm::RoundingMode::NearestTiesToEven, llvm::RoundingMode::TowardZero,
                                          llvm::RoundingMode::TowardNegative, llvm::RoundingMode::TowardPositive,
                                          llvm::RoundingMode::NearestTiesToAway};

APFloat bfloat(std::uint16_t bits) { return APFloat(APFloat::BFloat(), APInt(16, bits)); }
APFloat single(std::uint32_t bits) { return APFloat(APFloat::IEEEsingle(), APInt(32, bits)); }

std::uint16_t randomBfloat(std::mt19937& random) {
  const std::uint16_t corners[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x7f7f,
                                   0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x3f80, 0xbf80};
  return random() % 4 ? static_cast<std::uint16_t>(random()) : corners[random() % std::size(corners)];
}
std::uint32_t randomSingle(std::mt19937& random) {
  const std::uint32_t low[] = {0, 0x7fff, 0x8000, 0x8001, 1, 0xffff};
  return random() % 4 ? static_cast<std::uint32_t>(random())
                      : static_cast<std::uint32_t>(randomBfloat(random)) << 16 | low[random() % std::size(low)];
}

class VectorBfloat : public testing::TestWithParam<bool> {
 protected:
  VectorBfloat() {
    hart.x[10] = kElements;
    hart.run("vsetvli a1, a0, e16, m2, tu, mu");
  }
  VectorTestHart hart{kVlen, GetParam()};
  std::mt19937 random{42};
};

TEST_P(VectorBfloat, WideningIsExact) {
  for (unsigned round = 0; round < 1024; ++round) {
    for (unsigned i = 0; i < kElements; ++i)
      hart.element<std::uint16_t>(4, i) = static_cast<std::uint16_t>(round * kElements + i);  // every bf16
    hart.fflags = 0;
    hart.run("vfwcvtbf16.f.f.v v8, v4");
    bool signaling = false;
    for (unsigned i = 0; i < kElements; ++i) {
      const std::uint16_t bits = hart.element<std::uint16_t>(4, i);
      signaling |= bfloat(bits).isSignaling();
      ASSERT_EQ(hart.element<std::uint32_t>(8, i),
                bfloat(bits).isNaN() ? 0x7fc00000u : static_cast<std::uint32_t>(bits) << 16)
          << bits;
    }
    ASSERT_EQ(hart.fflags, signaling ? 16 : 0);
  }
}

TEST_P(VectorBfloat, NarrowingRoundsOnceInEveryMode) {
  for (unsigned round = 0; round < 2000; ++round) {
    hart.frm = static_cast<std::uint8_t>(round % 5);
    const bool ordinary = round % 3 == 0;  // the fast path needs chunks without corners
    for (unsigned i = 0; i < kElements; ++i)
      hart.element<std::uint32_t>(8, i) =
          ordinary ? (static_cast<std::uint32_t>(random()) & 0x80ffffffu) | 0x3f000000u : randomSingle(random);
    hart.fflags = 0;
    hart.run("vfncvtbf16.f.f.w v4, v8");
    for (unsigned i = 0; i < kElements; ++i) {
      APFloat value = single(hart.element<std::uint32_t>(8, i));
      const bool nan = value.isNaN();
      bool lost;
      value.convert(APFloat::BFloat(), kModes[hart.frm], &lost);
      ASSERT_EQ(hart.element<std::uint16_t>(4, i), nan ? 0x7fc0u : value.bitcastToAPInt().getZExtValue())
          << std::hex << hart.element<std::uint32_t>(8, i) << " mode " << int(hart.frm);
    }
    if (ordinary) {
      bool inexact = false;
      for (unsigned i = 0; i < kElements; ++i) inexact |= (hart.element<std::uint32_t>(8, i) & 0xffff) != 0;
      ASSERT_EQ(hart.fflags, inexact ? 1 : 0);
    }
  }
}

TEST_P(VectorBfloat, MultiplyAddRoundsOnceInEveryMode) {
  for (unsigned round = 0; round < 2000; ++round) {
    hart.frm = static_cast<std::uint8_t>(round % 5);
    for (unsigned i = 0; i < kElements; ++i) {
      hart.element<std::uint16_t>(4, i) = randomBfloat(random);
      hart.element<std::uint16_t>(6, i) = randomBfloat(random);
      hart.element<std::uint32_t>(8, i) = randomSingle(random);
    }
    std::vector<std::uint32_t> before(&hart.element<std::uint32_t>(8, 0),
                                      &hart.element<std::uint32_t>(8, 0) + kElements);
    hart.fflags = 0;
    hart.run("vfwmaccbf16.vv v8, v4, v6");
    bool invalid = false;
    for (unsigned i = 0; i < kElements; ++i) {
      APFloat a = bfloat(hart.element<std::uint16_t>(4, i)), b = bfloat(hart.element<std::uint16_t>(6, i)),
              c = single(before[i]);
      invalid |= a.isSignaling() || b.isSignaling() || c.isSignaling() || (a.isInfinity() && b.isZero()) ||
                 (a.isZero() && b.isInfinity());
      bool lost;
      a.convert(APFloat::IEEEsingle(), llvm::RoundingMode::NearestTiesToEven, &lost);
      b.convert(APFloat::IEEEsingle(), llvm::RoundingMode::NearestTiesToEven, &lost);
      const APFloat::opStatus status = a.fusedMultiplyAdd(b, c, kModes[hart.frm]);
      invalid |= (status & APFloat::opInvalidOp) != 0;
      ASSERT_EQ(hart.element<std::uint32_t>(8, i), a.isNaN() ? 0x7fc00000u : a.bitcastToAPInt().getZExtValue())
          << std::hex << hart.element<std::uint16_t>(4, i) << " * " << hart.element<std::uint16_t>(6, i) << " + "
          << before[i] << " mode " << int(hart.frm);
    }
    ASSERT_EQ((hart.fflags & 16) != 0, invalid);
  }
}

TEST_P(VectorBfloat, ScalarThatIsNotBoxedIsTheBfloatNan) {
  hart.f[10] = 0x3f80;
  hart.element<std::uint16_t>(4, 0) = 0x3f80;
  hart.run("vfwmaccbf16.vf v8, fa0, v4");
  EXPECT_EQ(hart.element<std::uint32_t>(8, 0), 0x7fc00000u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, VectorBfloat, testing::Bool(),
                         [](const auto& info) { return info.param ? "Simd" : "Baseline"; });

}  // namespace
}  // namespace forerun::sim::core
