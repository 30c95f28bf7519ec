//===- KernelTest.cpp - compiled examples against plain references ----------===//
// Tile kernels through the whole back end and the simulator, at sizes that find faults.
#include "tests/compiler/backends/accelerator/KernelFixture.h"

#include <cmath>

namespace forerun::backends::accelerator {
namespace {

using isa::ElementType;

class AcceleratorKernel : public KernelFixture {
 protected:
  void checkGemm(const std::string& target, std::uint64_t m, std::uint64_t n, std::uint64_t k, sim::Mode mode) {
    SCOPED_TRACE(target + " " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
    ASSERT_NO_FATAL_FAILURE(start(compileExample("gemm.mlir", target), mode));
    const auto a = random(m * k, true, 1), b = random(k * n, true, 2);
    tensor({m, k}, ElementType::F16, a);
    tensor({k, n}, ElementType::F16, b);
    const std::uint64_t c = tensor({m, n}, ElementType::F16);
    words_.push_back(2);  // rows of tiles in a band
    ASSERT_NO_FATAL_FAILURE(launch("gemm", {(m + 127) / 128 * ((n + 127) / 128), 1, 1}));
    // k ascending, fused: the matrix unit's order, so that results are equal to the bit.
    std::vector<float> sums(m * n, 0.0f);
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t p = 0; p < k; ++p)
        for (std::uint64_t j = 0; j < n; ++j) sums[i * n + j] = std::fma(a[i * k + p], b[p * n + j], sums[i * n + j]);
    const auto got = read(c, m * n, ElementType::F16);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], isa::halfToFloat(isa::floatToHalf(sums[i]))) << i;
  }
};

TEST_F(AcceleratorKernel, VectorAddIsExactAtEveryLength) {
  for (std::uint64_t n : {1u, 63u, 4096u, 4097u, 70001u}) {
    SCOPED_TRACE(n);
    ASSERT_NO_FATAL_FAILURE(start(compileExample("vector_add.mlir", "edge"), sim::Mode::Functional));
    const auto a = random(n, false, 1), b = random(n, false, 2);
    tensor({n}, ElementType::F32, a);
    tensor({n}, ElementType::F32, b);
    const std::uint64_t c = tensor({n}, ElementType::F32);
    words_.push_back(spec_.cores());
    ASSERT_NO_FATAL_FAILURE(launch("vector_add", {spec_.cores(), 1, 1}));
    const auto got = read(c, n, ElementType::F32);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], a[i] + b[i]) << i;
  }
}

TEST_F(AcceleratorKernel, GemmIsExactAtOddSizes) {
  const std::uint64_t sizes[][3] = {{1, 1, 1}, {6, 13, 3}, {15, 37, 7}, {81, 19, 41}, {457, 330, 512}, {438, 331, 513}};
  for (const auto& [m, n, k] : sizes) checkGemm("edge", m, n, k, sim::Mode::Functional);
}

TEST_F(AcceleratorKernel, GemmRunsOnEveryAccelerator) {
  for (const char* target : {"edge", "datacenter", "mtia2i"}) checkGemm(target, 200, 150, 100, sim::Mode::Functional);
}

TEST_F(AcceleratorKernel, GemmOfManyItemsRacesWithNothing) { checkGemm("edge", 457, 330, 200, sim::Mode::Timing); }

TEST_F(AcceleratorKernel, GemmOfNothingIsZero) { checkGemm("edge", 7, 9, 0, sim::Mode::Functional); }

TEST_F(AcceleratorKernel, SoftmaxOfRaggedRows) {
  for (const auto& [m, n] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 1}, {3, 65}, {37, 781}}) {
    ASSERT_NO_FATAL_FAILURE(start(compileExample("softmax.mlir", "edge"), sim::Mode::Functional));
    const auto x = random(m * n, false, 1);
    tensor({m, n}, ElementType::F32, x);
    const std::uint64_t y = tensor({m, n}, ElementType::F32);
    words_.push_back(spec_.cores());
    ASSERT_NO_FATAL_FAILURE(launch("softmax", {spec_.cores(), 1, 1}));
    const auto got = read(y, m * n, ElementType::F32);
    for (std::uint64_t i = 0; i < m; ++i) {
      const float* row = x.data() + i * n;
      const double most = *std::max_element(row, row + n);
      double sum = 0;
      for (std::uint64_t j = 0; j < n; ++j) sum += std::exp(row[j] - most);
      for (std::uint64_t j = 0; j < n; ++j)
        ASSERT_NEAR(got[i * n + j], std::exp(row[j] - most) / sum, 1e-6) << i << ' ' << j;
    }
  }
}

TEST_F(AcceleratorKernel, CausalAttentionAtOddLengths) {
  const std::uint64_t heads = 2, depth = 64;
  for (std::uint64_t length : {1u, 7u, 31u, 33u, 65u, 130u}) {
    SCOPED_TRACE(length);
    ASSERT_NO_FATAL_FAILURE(
        start(compileExample("attention.mlir", "edge"), length == 130 ? sim::Mode::Timing : sim::Mode::Functional));
    const auto q = random(heads * length * depth, true, 1), k = random(heads * length * depth, true, 2),
               v = random(heads * length * depth, true, 3);
    for (const auto* values : {&q, &k, &v}) tensor({heads, length, depth}, ElementType::F16, *values);
    const std::uint64_t o = tensor({heads, length, depth}, ElementType::F16);
    words_.push_back(0x3e000000);  // 0.125f
    ASSERT_NO_FATAL_FAILURE(launch("attention", {((length + 63) / 64 + 1) / 2, heads, 1}));
    const auto got = read(o, heads * length * depth, ElementType::F16);
    for (std::uint64_t h = 0; h < heads; ++h)
      for (std::uint64_t i = 0; i < length; ++i) {
        std::vector<double> weights(i + 1), want(depth, 0.0);
        double most = -1e30, sum = 0;
        for (std::uint64_t j = 0; j <= i; ++j) {
          for (std::uint64_t d = 0; d < depth; ++d)
            weights[j] += double(q[(h * length + i) * depth + d]) * k[(h * length + j) * depth + d] * 0.125;
          most = std::max(most, weights[j]);
        }
        for (double& weight : weights) sum += weight = std::exp(weight - most);
        for (std::uint64_t j = 0; j <= i; ++j)
          for (std::uint64_t d = 0; d < depth; ++d) want[d] += weights[j] / sum * v[(h * length + j) * depth + d];
        // P in f16: 2^-11 of each weight, values up to about 4.
        for (std::uint64_t d = 0; d < depth; ++d)
          ASSERT_NEAR(got[(h * length + i) * depth + d], want[d], 4e-3) << h << ' ' << i << ' ' << d;
      }
  }
}

TEST_F(AcceleratorKernel, ScratchThatTheTargetLacksIsRefusedWithTheNumbers) {
  auto program = compileExample("gemm.mlir", "edge", "STAGES=20");
  ASSERT_FALSE(bool(program));
  llvm::consumeError(program.takeError());
  EXPECT_NE(diagnostics_.find("bytes of scratch, a core of target 'edge' has 524288; shrink a tile parameter"),
            std::string::npos)
      << diagnostics_;
  EXPECT_NE(diagnostics_.find("the largest buffer takes"), std::string::npos) << diagnostics_;
}

TEST_F(AcceleratorKernel, MatrixTypesThatTheTargetLacksAreRefusedByName) {
  auto program = compileExample("gemm.mlir", "edge", "T=f8E4M3FN");
  ASSERT_FALSE(bool(program));
  llvm::consumeError(program.takeError());
  EXPECT_NE(diagnostics_.find("kernel.mlir\":"), std::string::npos) << diagnostics_;
  EXPECT_NE(
      diagnostics_.find("the matrix unit of target 'edge' does not multiply f8E4M3FN (its file lists the types under "
                        "matrix.typeRate)"),
      std::string::npos)
      << diagnostics_;
}

TEST_F(AcceleratorKernel, MathThatWasNotExpandedIsRefusedAtItsLine) {
  auto program = compileText(R"(tile.kernel @k(%x: !tile.buffer<?xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<64xf32, scratch>
  tile.map ins(%s : !tile.buffer<64xf32, scratch>) outs(%s : !tile.buffer<64xf32, scratch>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    tile.yield %e : f32
  }
})",
                             "edge", "", /*expand=*/false);
  ASSERT_FALSE(bool(program));
  llvm::consumeError(program.takeError());
  EXPECT_NE(diagnostics_.find("kernel.mlir\":5:10"), std::string::npos) << diagnostics_;
  EXPECT_NE(diagnostics_.find("run --tile-expand-semantics"), std::string::npos) << diagnostics_;
}

}  // namespace
}  // namespace forerun::backends::accelerator
