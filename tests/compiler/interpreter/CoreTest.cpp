//===- CoreTest.cpp - the parts of the reference, one by one ----------------===//
// Windows, valid extents, element functions, loops of the product, and operations in flight.
#include "compiler/interpreter/ElementOps.h"
#include "compiler/interpreter/Matmul.h"
#include "compiler/interpreter/Move.h"
#include "compiler/interpreter/PendingAccesses.h"
#include "compiler/interpreter/Reduce.h"
#include "compiler/interpreter/Uncertainty.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace forerun::interpreter;

namespace {

View buffer(std::initializer_list<std::int64_t> shape, Space space = Space::Scratch,
            ElementType type = ElementType::F32) {
  return View::of(std::make_shared<Storage>(type, Index(shape), space, true));
}

void setAll(const View& view, std::initializer_list<float> values) {
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(view.storage->bytes.data()));
  view.storage->markAllWritten();
}

float at(const View& view, std::int64_t index) {
  return reinterpret_cast<const float*>(view.storage->bytes.data())[index];
}

TEST(ViewTest, WindowsOverhang) {
  const View global = buffer({10, 20}, Space::Global);
  const auto ranges = global.slice({8, -3}, {4, 8}).validRanges();
  EXPECT_EQ(ranges[0].low, 0);
  EXPECT_EQ(ranges[0].high, 2);
  EXPECT_EQ(ranges[1].low, 3);
  EXPECT_EQ(ranges[1].high, 8);
  const auto beyond = global.slice({12, 0}, {4, 8}).validRanges();
  EXPECT_EQ(beyond[0].size(), 0);
  EXPECT_EQ(beyond[0].high, 0);
}

TEST(ViewTest, WindowsOfWindowsStayInside) {
  const View window = buffer({10, 20}, Space::Global).slice({2, 2}, {4, 4});
  const auto ranges = window.slice({-1, 3}, {4, 4}).validRanges();
  EXPECT_EQ(ranges[0].low, 1);
  EXPECT_EQ(ranges[0].high, 4);
  EXPECT_EQ(ranges[1].high, 1);
}

TEST(ViewTest, DroppedDimensionOutsideMakesAllInvalid) {
  for (const auto& range : buffer({2, 8, 8}, Space::Global).slice({2, 0, 0}, {8, 8}).validRanges())
    EXPECT_EQ(range.size(), 0);
}

TEST(ViewTest, LeadingIndicesHaveTheirOwnExtents) {
  const View stages = buffer({2, 8, 4});
  const View first = stages.slice({0, 0, 0}, {8, 4}), second = stages.slice({1, 0, 0}, {8, 4});
  first.setValid({3, 4});
  EXPECT_EQ(first.validRanges()[0].high, 3);
  EXPECT_EQ(second.validRanges()[0].high, 8);
  EXPECT_EQ(first.slice({2, 0}, {4, 4}).validRanges()[0].high, 1);
  EXPECT_EQ(stages.validRanges()[1].high, 3);    // of both
  first.slice({0, 0}, {2, 4}).setValid({1, 4});  // partial: left as it is
  EXPECT_EQ(first.validRanges()[0].high, 3);
  stages.setValid({2, 8, 4});
  EXPECT_EQ(first.validRanges()[0].high, 8);
}

TEST(CopyTest, BelowTheLowEdgeAreZeros) {
  const View global = buffer({4}, Space::Global), tile = buffer({6});
  setAll(global, {1, 2, 3, 4});
  const Range box[] = {{0, 6}};
  ASSERT_FALSE(bool(runCopy(global.slice({-2}, {6}), tile, {0}, box)));
  EXPECT_EQ(at(tile, 0), 0);
  EXPECT_EQ(at(tile, 1), 0);
  EXPECT_EQ(at(tile, 2), 1);
  EXPECT_EQ(at(tile, 5), 4);
}

TEST(CopyTest, TransposeAndUnwritten) {
  const View source = buffer({2, 3}), target = buffer({3, 2});
  const Range box[] = {{0, 3}, {0, 2}};
  llvm::Error error = runCopy(source, target, {1, 0}, box);
  EXPECT_EQ(llvm::toString(std::move(error)),
            "reads elements of the source that were never written; write them first (tile.fill, tile.copy, ...)");
  setAll(source, {1, 2, 3, 4, 5, 6});
  ASSERT_FALSE(bool(runCopy(source, target, {1, 0}, box)));
  EXPECT_EQ(at(target, 1), 4);
  EXPECT_EQ(at(target, 4), 3);
}

ElementFunction function(const char* name, ElementType operand, ElementType result, std::int64_t predicate = 0) {
  return elementOps().find(name)->second.select({operand, result, predicate});
}

template <typename R, typename... T>
R evaluate(ElementFunction f, T... arguments) {
  ElementCall call;
  unsigned i = 0;
  ((call.in[i++] = &arguments), ...);
  R result{};
  call.out = &result;
  call.count = 1;
  f(call);
  return result;
}

TEST(ElementTest, SmallFloatsRoundOnce) {
  // Just above half of the least bf16, and just below.
  const auto multiply = function("arith.mulf", ElementType::BF16, ElementType::BF16);
  EXPECT_EQ(evaluate<float>(multiply, 0x1.02p-70f, 0x1p-64f), 0x1p-133f);
  EXPECT_EQ(evaluate<float>(multiply, 0x1.fep-71f, 0x1p-64f), 0.0f);
  EXPECT_EQ(evaluate<float>(multiply, 0x1p-70f, 0x1p-64f), 0.0f);  // the tie goes to even
  // f16 fma: 1 + 2^-11 is a tie that the addend's last bit breaks.
  const float fused =
      evaluate<float>(function("math.fma", ElementType::F16, ElementType::F16), 0x1p-11f, 1.0f + 0x1p-10f, 1.0f);
  EXPECT_EQ(fused, 1.0f + 0x1p-10f);
}

TEST(ElementTest, IntegersFollowRiscV) {
  using std::int32_t;
  const auto i32 = ElementType::I32;
  EXPECT_EQ(evaluate<int32_t>(function("arith.divsi", i32, i32), int32_t{7}, int32_t{0}), -1);
  EXPECT_EQ(evaluate<int32_t>(function("arith.divsi", i32, i32), INT32_MIN, int32_t{-1}), INT32_MIN);
  EXPECT_EQ(evaluate<int32_t>(function("arith.remsi", i32, i32), int32_t{7}, int32_t{0}), 7);
  EXPECT_EQ(evaluate<int32_t>(function("arith.ceildivsi", i32, i32), int32_t{7}, int32_t{-3}), -2);
  EXPECT_EQ(evaluate<int32_t>(function("arith.floordivsi", i32, i32), int32_t{7}, int32_t{-3}), -3);
  EXPECT_EQ(evaluate<int32_t>(function("arith.shli", i32, i32), int32_t{7}, int32_t{32}), 0);
  EXPECT_EQ(evaluate<int32_t>(function("arith.shrsi", i32, i32), int32_t{-7}, int32_t{40}), -1);
  EXPECT_EQ(evaluate<int32_t>(function("arith.addi", i32, i32), INT32_MAX, int32_t{1}), INT32_MIN);
}

TEST(ElementTest, MaximumPropagatesNanAndOrdersZeros) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto f32 = ElementType::F32;
  EXPECT_TRUE(std::isnan(evaluate<float>(function("arith.maximumf", f32, f32), 1.0f, nan)));
  EXPECT_TRUE(std::isnan(evaluate<float>(function("arith.maximumf", f32, f32), nan, 1.0f)));
  EXPECT_EQ(evaluate<float>(function("arith.maxnumf", f32, f32), nan, 1.0f), 1.0f);
  EXPECT_FALSE(std::signbit(evaluate<float>(function("arith.maximumf", f32, f32), -0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(evaluate<float>(function("arith.minimumf", f32, f32), 0.0f, -0.0f)));
}

TEST(MatmulTest, FastLoopsEqualThePortableOnes) {
  for (auto [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 1}, {6, 16, 9}, {7, 33, 20}, {13, 50, 31}, {12, 48, 0}}) {
    std::vector<float> a(m * k), b(k * n), fast(m * n, 0.25f), portable = fast;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i)) * 3;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<float>(i));
    multiplyRows(a.data(), b.data(), fast.data(), m, n, k, n, n);
    multiplyRowsPortable(a.data(), b.data(), portable.data(), m, n, k, n, n);
    EXPECT_EQ(fast, portable);
  }
}

TEST(MatmulTest, AbsentElementsContributeNothing) {
  const View a = buffer({2, 4}), b = buffer({4, 2}), acc = buffer({2, 2}, Space::Acc);
  const float inf = std::numeric_limits<float>::infinity();
  setAll(a, {1, 2, 0, 0, 3, 4, 0, 0});
  setAll(b, {1, 1, 1, 1, inf, inf, inf, inf});
  a.setValid({2, 2});
  ASSERT_FALSE(bool(runMatmul(a, b, acc, false, false, false, Radii::None)));
  EXPECT_EQ(at(acc, 0), 3);
  EXPECT_EQ(at(acc, 3), 7);
  acc.setValid({1, 2});
  EXPECT_EQ(llvm::toString(runMatmul(a, b, acc, true, false, false, Radii::None)),
            "accumulates into 2 x 2 elements of which only 1 x 2 are valid; overwrite first or fill");
}

TEST(MatmulTest, RadiusCoversAnyOrder) {
  constexpr std::int64_t kTerms = 300;
  const View a = buffer({1, kTerms}), b = buffer({kTerms, 1}), acc = buffer({1, 1}, Space::Acc);
  auto* left = reinterpret_cast<float*>(a.storage->bytes.data());
  auto* right = reinterpret_cast<float*>(b.storage->bytes.data());
  for (std::int64_t k = 0; k < kTerms; ++k)
    left[k] = std::sin(static_cast<float>(k * k)), right[k] = std::cos(static_cast<float>(3 * k));
  a.storage->markAllWritten();
  b.storage->markAllWritten();
  ASSERT_FALSE(bool(runMatmul(a, b, acc, false, false, false, Radii::All)));
  float descending = 0;
  double exact = 0, magnitude = 0;
  for (std::int64_t k = kTerms; k-- > 0;) {
    descending += left[k] * right[k];
    exact += static_cast<double>(left[k]) * right[k];
    magnitude += std::fabs(static_cast<double>(left[k]) * right[k]);
  }
  const double radius = acc.storage->radius[0];
  EXPECT_NEAR(radius, 2 * kTerms * 0x1p-24 * magnitude, 1e-3 * radius);
  EXPECT_LE(std::fabs(at(acc, 0) - descending), radius);
  EXPECT_LE(std::fabs(at(acc, 0) - exact), radius);
}

TEST(MatmulTest, OrderedProductsOfCertainOperandsAreCertain) {
  const View a = buffer({1, 4}), b = buffer({4, 1}), acc = buffer({1, 1}, Space::Acc);
  for (const View* view : {&a, &b}) {
    std::fill_n(reinterpret_cast<float*>(view->storage->bytes.data()), 4, 0.1f);
    view->storage->markAllWritten();
  }
  auto multiply = [&](bool accumulate) {
    ASSERT_FALSE(bool(runMatmul(a, b, acc, accumulate, false, false, Radii::OrderedProducts)));
  };
  multiply(false);
  EXPECT_EQ(acc.storage->radius[0], 0);
  // From the first uncertain operand on, what was summed before counts as well.
  a.storage->makeUncertain();
  a.storage->radius[0] = 1e-3f;
  multiply(true);
  EXPECT_GT(acc.storage->radius[0], 1e-4f);
  a.storage->radius[0] = 0;
  multiply(true);
  EXPECT_GT(acc.storage->radius[0], 1e-4f + 2 * 12 * 0x1p-24f * 0.12f);
  multiply(false);
  EXPECT_EQ(acc.storage->radius[0], 0);
}

TEST(ReduceTest, TreeIsTheDocumentedOne) {
  constexpr std::int64_t kCount = 700;
  const View in = buffer({1, kCount}), out = buffer({1, 1});
  auto* values = reinterpret_cast<float*>(in.storage->bytes.data());
  std::vector<float> chains(256, -0.0f);
  for (std::int64_t i = 0; i < kCount; ++i) {
    values[i] = std::sin(static_cast<float>(i)) * 1000;
    chains[i % 256] += values[i];
  }
  in.storage->markAllWritten();
  for (int half = 128; half >= 1; half /= 2)
    for (int c = 0; c < half; ++c) chains[c] += chains[c + half];
  Reduction reduction;
  reduction.reduced = {false, true};
  reduction.tree = true;
  ASSERT_FALSE(bool(runReduce(reduction, in, out, false)));
  EXPECT_EQ(at(out, 0), chains[0]);
}

TEST(ReduceTest, NothingGivesTheIdentity) {
  const View in = buffer({2, 4}), out = buffer({2, 1});
  in.storage->markAllWritten();
  in.setValid({2, 0});
  Reduction reduction;
  reduction.reduced = {false, true};
  ASSERT_FALSE(bool(runReduce(reduction, in, out, false)));
  EXPECT_TRUE(at(out, 0) == 0 && std::signbit(at(out, 0)));
  reduction.kind = ReduceKind::Max;
  ASSERT_FALSE(bool(runReduce(reduction, in, out, false)));
  EXPECT_EQ(at(out, 1), -std::numeric_limits<float>::infinity());
}

TEST(PendingTest, TouchingWhatIsInFlight) {
  const View stages = buffer({2, 8}), source = buffer({8}, Space::Global);
  PendingAccesses pending;
  pending.add({1, {source}, stages.slice({0, 0}, {8}), false, "k.mlir:3"});
  EXPECT_FALSE(pending.conflictOfRead(stages.slice({1, 0}, {8})));
  EXPECT_EQ(*pending.conflictOfRead(stages.slice({0, 4}, {2})),
            "reads what the asynchronous operation at k.mlir:3 is still writing; tile.wait for its token first");
  EXPECT_FALSE(pending.conflictOfRead(source));
  EXPECT_EQ(*pending.conflictOfWrite(source),
            "writes what the asynchronous operation at k.mlir:3 is still reading; tile.wait for its token first");
  EXPECT_TRUE(pending.complete(1));
  EXPECT_FALSE(pending.complete(1));
  EXPECT_FALSE(pending.conflictOfWrite(source));
}

TEST(UncertaintyTest, UnitInLastPlace) {
  EXPECT_EQ(unitInLastPlace(ElementType::F16, 1), 0x1p-10);
  EXPECT_EQ(unitInLastPlace(ElementType::F16, 0), 0x1p-24);
  EXPECT_EQ(unitInLastPlace(ElementType::BF16, 3), 0x1p-6);
  EXPECT_EQ(unitInLastPlace(ElementType::F32, 0x1p-140), 0x1p-149);
  EXPECT_EQ(unitInLastPlace(ElementType::I32, 100), 1);
}

}  // namespace
