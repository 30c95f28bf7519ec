//===- MatrixFunctionTest.cpp - matrix commands against naive loops ---------===//
// Random shapes, strides, types, bounds and flags on every kernel path; and the refusals.
#include "EngineFixture.h"
#include "simulator/kernel/Error.h"
#include "simulator/matrix/MatrixFunction.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

using namespace forerun;
using namespace forerun::sim;
using isa::ElementType;

namespace {

targets::MatrixSpec spec32() {
  targets::MatrixSpec spec;
  spec.rows = 32;
  spec.cols = 48;
  spec.weightBuffers = 2;
  for (const char* type : {"f16", "bf16", "f32", "i8", "f8E4M3FN", "f8E5M2"}) spec.typeRate.push_back({type, 1, 1});
  return spec;
}

bool inside(const Descriptor& d, std::int64_t i1, std::int64_t i0) {
  return i1 >= d.low[1] && i1 < d.high[1] && i0 >= d.low[0] && i0 < d.high[0];
}

std::uint64_t address(const Descriptor& d, std::int64_t i1, std::int64_t i0) {
  return d.base + static_cast<std::uint64_t>(i1 * d.stride[1] + i0 * d.stride[0]);
}

struct Case : test::EngineFixture {
  Descriptor matrix(ElementType type, std::uint64_t base, std::int64_t rows, std::int64_t columns, bool strided,
                    bool ragged) {
    Descriptor d;
    d.type = type;
    const std::int64_t bytes = isa::storageBytes(type);
    d.extent = {columns, rows, 1, 1};
    d.stride[0] = strided ? bytes * 2 : bytes;
    d.stride[1] = d.stride[0] * columns + (strided ? bytes * below(4) : 0);
    d.base = base;
    if (ragged) {
      d.low = {below(3), below(3), 0, 0};
      d.high = {columns - below(3), rows - below(3), Descriptor::kUnbounded, Descriptor::kUnbounded};
    }
    return d;
  }

  void randomRun(matrix::KernelPath path) {
    const ElementType floats[] = {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F8E4M3FN,
                                  ElementType::F8E5M2};
    const bool integer = below(3) == 0;
    const ElementType aType = integer ? ElementType::I8 : floats[below(5)],
                      bType = integer ? ElementType::I8 : floats[below(5)];
    const std::int64_t m = 1 + below(40), n = 1 + below(48), k = 1 + below(32);
    const bool strided = below(2), ragged = below(2), transpose = below(2), accumulate = below(2),
               specials = below(4) == 0;
    Descriptor b = transpose ? matrix(bType, kScratchBase + 64, n, k, strided, ragged)
                             : matrix(bType, kScratchBase + 64, k, n, strided, ragged);
    Descriptor a = matrix(aType, kScratchBase + 0x10000, m, k, strided, ragged);
    Descriptor acc =
        matrix(integer ? ElementType::I32 : ElementType::F32, kAccumulatorBase + 128, m, n, strided, ragged);
    fillRandom(bType, b.base, 32 * 48 * 4, specials);
    fillRandom(aType, a.base, 40 * 32 * 4, specials);
    fillRandom(acc.type, acc.base, 40 * 48 * 4);

    std::vector<std::uint32_t> expected(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        std::uint32_t bits;
        std::memcpy(&bits, host(address(acc, i, j)), 4);
        if (inside(acc, i, j)) {
          std::uint32_t start = accumulate ? bits : 0;
          float sum = std::bit_cast<float>(start);
          std::uint32_t isum = start;
          bool any = false;
          for (std::int64_t x = 0; x < k; ++x) {
            std::int64_t b1 = transpose ? j : x, b0 = transpose ? x : j;
            if (!inside(a, i, x) || !inside(b, b1, b0)) continue;
            any = true;
            if (integer) {
              isum += static_cast<std::uint32_t>(isa::loadAsInt(aType, host(address(a, i, x))) *
                                                 isa::loadAsInt(bType, host(address(b, b1, b0))));
            } else {
              sum = std::fma(static_cast<float>(isa::loadAsDouble(aType, host(address(a, i, x)))),
                             static_cast<float>(isa::loadAsDouble(bType, host(address(b, b1, b0)))), sum);
            }
          }
          bits = integer ? isum : !any ? start : std::isnan(sum) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(sum);
        }
        expected[static_cast<std::size_t>(i * n + j)] = bits;
      }

    targets::MatrixSpec spec = spec32();
    matrix::MatrixFunction unit(spec, memory, path);
    Command load;
    load.kind = CommandKind::MatrixLoad;
    load.transpose = transpose;
    load.first = b;
    unit.execute(load);
    Command run;
    run.kind = CommandKind::MatrixRun;
    run.swapWeights = true;
    run.accumulate = accumulate;
    run.first = acc;
    run.second = a;
    unit.execute(run);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        std::uint32_t bits;
        std::memcpy(&bits, host(address(acc, i, j)), 4);
        ASSERT_EQ(bits, expected[static_cast<std::size_t>(i * n + j)])
            << "at " << i << "," << j << " of " << m << "x" << n << "x" << k << " " << isa::name(aType) << " "
            << isa::name(bType) << " path " << int(path);
      }
  }
};

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(MatrixFunction, equalsNaiveLoopsOnEveryPath) {
  Case c;
  for (matrix::KernelPath path : {matrix::KernelPath::Portable, matrix::KernelPath::Avx2, matrix::KernelPath::Avx512}) {
    if (!matrix::hostHas(path)) continue;
    for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) c.randomRun(path);
  }
}

TEST(MatrixFunction, storeConvertsAndScales) {
  Case c;
  targets::MatrixSpec spec = spec32();
  matrix::MatrixFunction unit(spec, c.memory);
  for (int round = 0; round < 200; ++round) {
    const ElementType types[] = {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::I8,
                                 ElementType::I32};
    const bool integer = c.below(2), scaled = c.below(2);
    Descriptor acc = c.matrix(integer ? ElementType::I32 : ElementType::F32, kAccumulatorBase, 1 + c.below(9),
                              1 + c.below(20), c.below(2), false);
    Descriptor dst = c.matrix(types[c.below(5)], kScratchBase, acc.extent[1], acc.extent[0], c.below(2), c.below(2));
    c.fillRandom(acc.type, acc.base, 4096);
    if (scaled) acc.scale = 0.3f;
    Command store;
    store.kind = CommandKind::MatrixStore;
    store.first = acc;
    store.second = dst;
    unit.execute(store);
    for (std::int64_t i = 0; i < dst.extent[1]; ++i)
      for (std::int64_t j = 0; j < dst.extent[0]; ++j) {
        if (!inside(dst, i, j)) continue;
        std::uint8_t value[8] = {}, expected[8] = {};
        std::memcpy(value, c.host(address(acc, i, j)), 4);
        ElementType from = acc.type;
        if (scaled) {
          float f;
          isa::convertElement(from, value, ElementType::F32, &f);
          f *= 0.3f;
          std::memcpy(value, &f, 4);
          from = ElementType::F32;
        }
        isa::convertElement(from, value, dst.type, expected);
        ASSERT_EQ(std::memcmp(c.host(address(dst, i, j)), expected, isa::storageBytes(dst.type)), 0);
      }
  }
}

TEST(MatrixFunction, refusesWhatTheArrayCannotDo) {
  Case c;
  targets::MatrixSpec spec = spec32();
  spec.typeRate = {{"f16", 1, 1}};
  matrix::MatrixFunction unit(spec, c.memory);
  c.fillRandom(ElementType::F16, kScratchBase, 4096);
  Command load;
  load.kind = CommandKind::MatrixLoad;
  load.first = c.matrix(ElementType::F16, kScratchBase, 33, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(load); }).find("the array holds 32 x 48"), std::string::npos);
  load.first = c.matrix(ElementType::BF16, kScratchBase, 16, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(load); }).find("typeRate"), std::string::npos);
  load.first = c.matrix(ElementType::F16, kScratchBase + 0x20000, 16, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(load); }).find("never written"), std::string::npos);
  load.first = c.matrix(ElementType::F16, kScratchBase + (1 << 18) - 8, 16, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(load); }).find("leaves scratch"), std::string::npos);
  load.first = c.matrix(ElementType::F16, kGlobalBase, 16, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(load); }).find("must be in this core's scratch"), std::string::npos);
  Command run;
  run.kind = CommandKind::MatrixRun;
  run.first = c.matrix(ElementType::F32, kAccumulatorBase, 4, 16, false, false);
  run.second = c.matrix(ElementType::F16, kScratchBase, 4, 16, false, false);
  EXPECT_NE(refusal([&] { unit.execute(run); }).find("before any weights are active"), std::string::npos);
  load.first = c.matrix(ElementType::F16, kScratchBase, 16, 16, false, false);
  unit.execute(load);
  run.swapWeights = true;
  run.second.extent[0] = 15;
  EXPECT_NE(refusal([&] { unit.execute(run); }).find("K = 15"), std::string::npos);
}

}  // namespace
