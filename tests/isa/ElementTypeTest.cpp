//===- ElementTypeTest.cpp - names, codes, integers and known traps --------===//
// Values are written out by hand; the sweeps against APFloat are in ElementConversionTest.cpp.
#include "isa/ElementType.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace forerun::isa {
namespace {

template <typename Out, typename In>
Out convert(ElementType from, In value, ElementType to) {
  Out result{};
  EXPECT_EQ(sizeof(In), storageBytes(from));
  EXPECT_EQ(sizeof(Out), storageBytes(to));
  convertElement(from, &value, to, &result);
  return result;
}

TEST(ElementType, NamesAndCodesRoundTrip) {
  for (unsigned code = 0; code < kElementTypeCount; ++code) {
    const auto type = elementTypeFromCode(code);
    ASSERT_TRUE(type);
    EXPECT_EQ(parseElementType(name(*type)), type);
    EXPECT_NE(isFloat(*type), isInteger(*type));
  }
  EXPECT_FALSE(elementTypeFromCode(kElementTypeCount));
  EXPECT_FALSE(elementTypeFromCode(~std::uint64_t{0}));
  EXPECT_FALSE(parseElementType("f80"));
  EXPECT_EQ(name(ElementType::F8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(storageBits(ElementType::I4), 4u);
  EXPECT_EQ(storageBytes(ElementType::I4), 1u);
  EXPECT_EQ(storageBits(ElementType::I1), 8u);
  EXPECT_EQ(static_cast<unsigned>(ElementType::F8E5M2), 10u);
}

TEST(ElementType, IntegersRoundOnceToNarrowFloats) {
  // Through f32, 33685505 would round to 33685504, a tie, and then to 33554432.
  EXPECT_EQ(bfloatToFloat(convert<std::uint16_t>(ElementType::I32, std::int32_t{33685505}, ElementType::BF16)),
            33816576.0f);
  // 2^62 + 2^54 + 1: a tie for bf16 but for the last bit, which f64 cannot hold.
  const std::int64_t nearTie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
  EXPECT_EQ(bfloatToFloat(convert<std::uint16_t>(ElementType::I64, nearTie, ElementType::BF16)), 0x1.02p62f);
  EXPECT_EQ(bfloatToFloat(convert<std::uint16_t>(ElementType::I64, nearTie - 1, ElementType::BF16)), 0x1.0p62f);
  EXPECT_EQ(bfloatToFloat(convert<std::uint16_t>(ElementType::I64, -nearTie, ElementType::BF16)), -0x1.02p62f);
  EXPECT_EQ(bfloatToFloat(
                convert<std::uint16_t>(ElementType::I64, std::numeric_limits<std::int64_t>::min(), ElementType::BF16)),
            -0x1p63f);
  // As nearTie for f32 with its 24 bits.
  EXPECT_EQ(convert<float>(ElementType::I64, (std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1, ElementType::F32),
            0x1.000002p62f);
}

TEST(ElementType, NarrowingRoundsOnceFromTheSource) {
  EXPECT_EQ(loadAsDouble(ElementType::F8E4M3FN,
                         std::array{convert<std::uint8_t>(ElementType::F32, 1.0625001f, ElementType::F8E4M3FN)}.data()),
            1.125);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F32, 1.0625f, ElementType::F8E4M3FN), 0x38);  // tie to even: 1.0
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F16, floatToHalf(1.125f), ElementType::F8E5M2),
            0x3c);  // tie to even: 1.0
  // Just above the tie between bf16 1.0 and 1.0078125; f32 would round it onto the tie.
  EXPECT_EQ(doubleToBfloat(1.00390625 + 0x1p-40), 0x3f81);
  EXPECT_EQ(doubleToBfloat(1.00390625), 0x3f80);
  EXPECT_EQ(doubleToHalf(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(doubleToHalf(1.0 + 0x1p-11), 0x3c00);
}

TEST(ElementType, OverflowGivesInfinityAndEightBitFloatsSaturate) {
  EXPECT_EQ(floatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(floatToHalf(-1e30f), 0xfc00);
  EXPECT_EQ(doubleToHalf(1e300), 0x7c00);
  EXPECT_EQ(doubleToBfloat(-1e300), 0xff80);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, 1e300, ElementType::F8E4M3FN), 0x7e);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, -infinity, ElementType::F8E4M3FN), 0xfe);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, 460.0, ElementType::F8E4M3FN), 0x7e);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, infinity, ElementType::F8E5M2), 0x7b);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, -1e6, ElementType::F8E5M2), 0xfb);
  EXPECT_EQ(convert<float>(ElementType::F64, 1e300, ElementType::F32), std::numeric_limits<float>::infinity());
}

// Codes as ml_dtypes 0.6 gives them, but for NaN to f4E2M1FN (-0 there) and zeros to f8E8M0FNU (NaN there).
TEST(ElementType, FourBitFloatsRoundToEvenAndScalesToPowersOfTwo) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  auto four = [](double value) { return convert<std::uint8_t>(ElementType::F64, value, ElementType::F4E2M1FN); };
  const std::pair<double, int> codes[] = {
      {0, 0},    {0.25, 0}, {0.2500001, 1}, {0.75, 2},     {1.25, 2},       {1.75, 4}, {2.5, 4},    {3.5, 6}, {5, 6},
      {5.01, 7}, {7, 7},    {100, 7},       {infinity, 7}, {-infinity, 15}, {-0.2, 8}, {-0.75, 10}, {nan, 0}};
  for (const auto& [value, code] : codes) EXPECT_EQ(four(value), code) << value;
  const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (std::uint8_t code = 0; code < 8; ++code) {
    EXPECT_EQ(loadAsDouble(ElementType::F4E2M1FN, &code), values[code]);
    const auto negative = static_cast<std::uint8_t>(code | 8);
    EXPECT_EQ(loadAsDouble(ElementType::F4E2M1FN, &negative), -values[code]);
  }
  auto scale = [](double value) { return convert<std::uint8_t>(ElementType::F64, value, ElementType::F8E8M0FNU); };
  const std::pair<double, int> scales[] = {{1, 127},
                                           {1.5, 128},
                                           {1.4999, 127},
                                           {3, 129},
                                           {6, 130},
                                           {0x1p-127, 0},
                                           {0x1p-149, 0},
                                           {1.5 * 0x1p-127, 1},
                                           {1.49 * 0x1p-127, 0},
                                           {0x1p127, 254},
                                           {1.4 * 0x1p127, 254},
                                           {1.5 * 0x1p127, 254},
                                           {infinity, 254},
                                           {-1, 255},
                                           {-1e-300, 255},
                                           {nan, 255},
                                           {0, 0},
                                           {-0.0, 0}};
  for (const auto& [value, code] : scales) EXPECT_EQ(scale(value), code) << value;
  for (int code = 0; code < 255; ++code) {
    const auto element = static_cast<std::uint8_t>(code);
    EXPECT_EQ(loadAsDouble(ElementType::F8E8M0FNU, &element), std::ldexp(1.0, code - 127));
  }
  const std::uint8_t none = 255;
  EXPECT_TRUE(std::isnan(loadAsDouble(ElementType::F8E8M0FNU, &none)));
}

TEST(ElementType, OverflowIsNanOrInfinityWhereAskedFor) {
  auto convertOpen = [](ElementType to, double value) {
    std::uint8_t code = 0;
    convertElement(ElementType::F64, &value, to, &code, Overflow::NaN);
    return code;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convertOpen(ElementType::F8E4M3FN, 464), 0x7e);  // the tie beside 448 is even
  EXPECT_EQ(convertOpen(ElementType::F8E4M3FN, 464.1), 0x7f);
  EXPECT_EQ(convertOpen(ElementType::F8E4M3FN, -infinity), 0xff);
  EXPECT_EQ(convertOpen(ElementType::F8E5M2, 61439), 0x7b);
  EXPECT_EQ(convertOpen(ElementType::F8E5M2, 61440), 0x7c);
  EXPECT_EQ(convertOpen(ElementType::F8E5M2, -1e300), 0xfc);
  EXPECT_EQ(convertOpen(ElementType::F8E8M0FNU, 1.5 * 0x1p127), 255);
  EXPECT_EQ(convertOpen(ElementType::F8E8M0FNU, infinity), 255);
  EXPECT_EQ(convertOpen(ElementType::F8E8M0FNU, 1.4 * 0x1p127), 254);
}

TEST(ElementType, ConvertedNanIsCanonicalAndCopiedNanKeepsItsBits) {
  const auto payload = std::bit_cast<float>(0xffc12345u);
  EXPECT_EQ(convert<std::uint16_t>(ElementType::F32, payload, ElementType::F16), 0x7e00);
  EXPECT_EQ(convert<std::uint16_t>(ElementType::F32, payload, ElementType::BF16), 0x7fc0);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F32, payload, ElementType::F8E4M3FN), 0x7f);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F32, payload, ElementType::F8E5M2), 0x7e);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(convert<double>(ElementType::F32, payload, ElementType::F64)),
            0x7ff8000000000000u);
  EXPECT_EQ(convert<std::uint16_t>(ElementType::F16, std::uint16_t{0xfd55}, ElementType::F16), 0xfd55);
  EXPECT_EQ(floatToHalf(payload), 0x7e00);
  EXPECT_EQ(floatToBfloat(payload), 0x7fc0);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(halfToFloat(0xfd55)), 0x7fc00000u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(bfloatToFloat(0xffb5)), 0x7fc00000u);
}

TEST(ElementType, FloatToIntegerSaturatesTowardZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convert<std::int8_t>(ElementType::F64, -1.9, ElementType::I8), -1);
  EXPECT_EQ(convert<std::int8_t>(ElementType::F64, 127.9, ElementType::I8), 127);
  EXPECT_EQ(convert<std::int8_t>(ElementType::F64, 1e9, ElementType::I8), 127);
  EXPECT_EQ(convert<std::int8_t>(ElementType::F64, -129.0, ElementType::I8), -128);
  EXPECT_EQ(convert<std::int8_t>(ElementType::F64, nan, ElementType::I8), 0);
  EXPECT_EQ(convert<std::int32_t>(ElementType::F64, 2147483647.5, ElementType::I32), 2147483647);
  EXPECT_EQ(convert<std::int64_t>(ElementType::F64, infinity, ElementType::I64),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert<std::int64_t>(ElementType::F64, 0x1p63, ElementType::I64),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert<std::int64_t>(ElementType::F64, -0x1p63, ElementType::I64),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(convert<std::int64_t>(ElementType::F64, 0x1.fffffffffffffp62, ElementType::I64), 0x7ffffffffffffc00);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, 7.0, ElementType::I1), 1);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, 0.9, ElementType::I1), 0);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, -3.0, ElementType::I1), 0);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, 9.0, ElementType::I4), 7);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::F64, -9.0, ElementType::I4), 8);
}

TEST(ElementType, IntegersWrapAndExtend) {
  EXPECT_EQ(convert<std::int8_t>(ElementType::I32, std::int32_t{0x1ff}, ElementType::I8), -1);
  EXPECT_EQ(convert<std::int64_t>(ElementType::I8, std::int8_t{-2}, ElementType::I64), -2);
  EXPECT_EQ(convert<std::int64_t>(ElementType::I1, std::uint8_t{1}, ElementType::I64), 1);
  EXPECT_EQ(convert<std::uint8_t>(ElementType::I32, std::int32_t{6}, ElementType::I1), 0);
  EXPECT_EQ(convert<std::int16_t>(ElementType::I4, std::uint8_t{0xf9}, ElementType::I16), -7);
  EXPECT_EQ(convert<double>(ElementType::I1, std::uint8_t{1}, ElementType::F64), 1.0);
  const double third = 3.75;
  EXPECT_EQ(loadAsInt(ElementType::F64, &third), 3);
}

TEST(ElementType, StridedRowsConvertLikeSingleElements) {
  std::array<float, 9> source{1.5f, -2.0f, 70000.0f, 1e-7f, 0.1f, 3.0f, -0.0f, 8.0f, 9.0f};
  for (const ElementType to :
       {ElementType::F16, ElementType::BF16, ElementType::I8, ElementType::F64, ElementType::F32}) {
    std::array<std::uint8_t, 9 * 16> row{}, single{};
    const auto* last = &source[8];
    convertElements(ElementType::F32, last, -8, to, row.data(), 16, 5);
    for (int i = 0; i < 5; ++i)
      convertElement(ElementType::F32, last - 2 * i, to, &single[16 * static_cast<std::size_t>(i)]);
    EXPECT_EQ(row, single) << name(to);
    const auto bytes = static_cast<std::ptrdiff_t>(storageBytes(to));
    row = single = {};
    convertElements(ElementType::F32, source.data(), 4, to, row.data() + 1, bytes, 9);  // + 1: not aligned
    for (std::size_t i = 0; i < 9; ++i)
      convertElement(ElementType::F32, &source[i], to, &single[1 + i * storageBytes(to)]);
    EXPECT_EQ(row, single) << name(to);
  }
}

}  // namespace
}  // namespace forerun::isa
