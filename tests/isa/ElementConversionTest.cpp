//===- ElementConversionTest.cpp - float conversions against APFloat -------===//
// Every code of the 8- and 16-bit types, every rounding boundary from f32 and f64 with its neighbours, and seeded
// random bits.
#include "isa/ElementType.h"

#include <gtest/gtest.h>
#include <llvm/ADT/APFloat.h>

#include <cmath>
#include <random>
#include <vector>

namespace forerun::isa {
namespace {

const llvm::fltSemantics& semantics(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return llvm::APFloat::IEEEhalf();
    case ElementType::BF16:
      return llvm::APFloat::BFloat();
    case ElementType::F8E4M3FN:
      return llvm::APFloat::Float8E4M3FN();
    case ElementType::F8E5M2:
      return llvm::APFloat::Float8E5M2();
    case ElementType::F32:
      return llvm::APFloat::IEEEsingle();
    default:
      return llvm::APFloat::IEEEdouble();
  }
}

std::uint64_t maxFinite(ElementType type) {
  return llvm::APFloat::getLargest(semantics(type)).bitcastToAPInt().getZExtValue();
}

/// What the contract asks for: one rounding to nearest even, canonical NaN, 8-bit types saturate.
std::uint64_t expected(ElementType from, std::uint64_t bits, ElementType to, bool saturates = true) {
  llvm::APFloat value(semantics(from), llvm::APInt(storageBits(from), bits));
  if (value.isNaN())
    return to == ElementType::F8E4M3FN ? 0x7f : llvm::APFloat::getQNaN(semantics(to)).bitcastToAPInt().getZExtValue();
  const bool negative = value.isNegative(), eightBits = storageBits(to) == 8;
  bool inexact = false;
  value.convert(semantics(to), llvm::APFloat::rmNearestTiesToEven, &inexact);
  if (saturates && eightBits && !value.isFinite()) return maxFinite(to) | (negative ? 0x80 : 0);
  return value.bitcastToAPInt().getZExtValue();
}

std::uint64_t converted(ElementType from, std::uint64_t bits, ElementType to) {
  std::uint64_t result = 0;
  convertElement(from, &bits, to, &result);
  return result;
}

constexpr std::array kFloats{ElementType::F16,    ElementType::BF16, ElementType::F8E4M3FN,
                             ElementType::F8E5M2, ElementType::F32,  ElementType::F64};

void check(ElementType from, std::uint64_t bits, ElementType to) {
  if (from == to) return;
  ASSERT_EQ(converted(from, bits, to), expected(from, bits, to))
      << name(from) << " 0x" << std::hex << bits << " to " << name(to);
}

TEST(ElementConversion, OverflowOfEveryHalfIsWhatTheFormatHas) {
  for (const ElementType from : {ElementType::F16, ElementType::BF16})
    for (const ElementType to : {ElementType::F8E4M3FN, ElementType::F8E5M2})
      for (std::uint64_t bits = 0; bits < 65536; ++bits) {
        std::uint64_t result = 0;
        convertElement(from, &bits, to, &result, Overflow::NaN);
        const std::uint64_t wanted = expected(from, bits, to, false);
        const bool isNan = to == ElementType::F8E4M3FN && (wanted & 0x7f) == 0x7f;  // of either sign
        ASSERT_EQ(isNan ? result & 0x7f : result, isNan ? 0x7f : wanted) << name(to) << " of bits " << bits;
      }
}

TEST(ElementConversion, EveryCodeOfNarrowTypesMatchesApFloat) {
  for (const ElementType from : kFloats) {
    if (storageBits(from) > 16) continue;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << storageBits(from)); ++bits)
      for (const ElementType to : kFloats) check(from, bits, to);
  }
}

TEST(ElementConversion, ScalarFunctionsMatchTheTableOfTypes) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto code = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(halfToFloat(code)), expected(ElementType::F16, bits, ElementType::F32));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(bfloatToFloat(code)), expected(ElementType::BF16, bits, ElementType::F32));
  }
}

TEST(ElementConversion, NanKeepsPayloadThroughLoadAndStore) {
  for (const ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F8E5M2}) {
    const unsigned quiet = type == ElementType::F16 ? 0x200 : type == ElementType::BF16 ? 0x40 : 2;
    for (std::uint32_t bits = 0; bits < (1u << storageBits(type)); ++bits) {
      std::uint64_t result = 0;
      const double value = loadAsDouble(type, &bits);
      storeFromDouble(type, &result, value);
      if (type == ElementType::F8E5M2 && std::isinf(value)) continue;  // saturates
      ASSERT_EQ(result, std::isnan(value) ? bits | quiet : bits) << name(type);
    }
  }
}

/// Each code of `to`, the midpoint to its upper neighbour, and their neighbours in f64 and f32.
TEST(ElementConversion, RoundingBoundariesMatchApFloat) {
  for (const ElementType to : {ElementType::F16, ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2}) {
    for (std::uint64_t code = 0; code <= maxFinite(to); ++code) {
      const double low = loadAsDouble(to, &code);
      const std::uint64_t next = code + 1;
      double high = loadAsDouble(to, &next);
      if (code == maxFinite(to)) {  // the value that would follow, were the exponent not at its end
        const std::uint64_t before = code - 1;
        high = low + (low - loadAsDouble(to, &before));
      }
      const double middle = low + (high - low) / 2;
      for (const double centre : {low, middle}) {
        for (const double value : {std::nextafter(centre, -1e300), centre, std::nextafter(centre, 1e300), -centre,
                                   std::nextafter(-centre, -1e300)})
          check(ElementType::F64, std::bit_cast<std::uint64_t>(value), to);
        const auto single = static_cast<float>(centre);
        for (const float value : {std::nextafter(single, -1e38f), single, std::nextafter(single, 1e38f), -single}) {
          const auto bits = std::bit_cast<std::uint32_t>(value);
          check(ElementType::F32, bits, to);
          if (to == ElementType::F16) ASSERT_EQ(floatToHalf(value), expected(ElementType::F32, bits, to)) << value;
          if (to == ElementType::BF16) ASSERT_EQ(floatToBfloat(value), expected(ElementType::F32, bits, to)) << value;
        }
      }
    }
  }
}

TEST(ElementConversion, RandomBitsMatchApFloat) {
  std::mt19937_64 random(20240607);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    // Half of the f64 values near the range of the narrow types.
    const std::uint64_t near = (bits & 0x800fffffffffffffu) | ((1023 - 160 + (bits >> 52) % 320) << 52);
    for (const ElementType to : kFloats) {
      check(ElementType::F64, i % 2 ? bits : near, to);
      check(ElementType::F32, bits & 0xffffffff, to);
    }
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(floatToHalf(single), expected(ElementType::F32, bits & 0xffffffff, ElementType::F16));
    ASSERT_EQ(floatToBfloat(single), expected(ElementType::F32, bits & 0xffffffff, ElementType::BF16));
  }
}

TEST(ElementConversion, RandomIntegersMatchApFloat) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    for (const ElementType to : kFloats) {
      llvm::APFloat reference(semantics(to));
      reference.convertFromAPInt(llvm::APInt(64, static_cast<std::uint64_t>(value), true), true,
                                 llvm::APFloat::rmNearestTiesToEven);
      std::uint64_t want = reference.bitcastToAPInt().getZExtValue(), got = 0;
      if (storageBits(to) == 8 && !reference.isFinite()) want = maxFinite(to) | (value < 0 ? 0x80 : 0);
      convertElement(ElementType::I64, &value, to, &got);
      ASSERT_EQ(got, want) << value << " to " << name(to);
    }
  }
}

TEST(ElementConversion, RowsMatchScalars) {
  // Every f16 and the f32 values around it and around the middle to the next; random bits; no whole number of vectors.
  std::mt19937 random(3);
  std::vector<float> floats;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = std::bit_cast<std::uint32_t>(halfToFloat(static_cast<std::uint16_t>(code)));
    for (const std::uint32_t around : {bits - 1, bits, bits + 1, bits + 0xfff, bits + 0x1000, bits + 0x1001})
      floats.push_back(std::bit_cast<float>(around));
  }
  for (int i = 0; i < 1031; ++i) floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  std::vector<float> back(floats.size());
  std::vector<std::uint16_t> codes(floats.size());
  floatToHalf(floats.data(), codes.data(), floats.size());
  halfToFloat(codes.data(), back.data(), codes.size());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(codes[i], floatToHalf(floats[i]));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(halfToFloat(codes[i])));
  }
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = static_cast<std::uint16_t>(i);  // all codes, NaNs with payloads too
  halfToFloat(codes.data(), back.data(), codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(halfToFloat(codes[i])));
  floatToBfloat(floats.data(), codes.data(), floats.size());
  bfloatToFloat(codes.data(), back.data(), codes.size());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(codes[i], floatToBfloat(floats[i]));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(bfloatToFloat(codes[i])));
  }
}

}  // namespace
}  // namespace forerun::isa
