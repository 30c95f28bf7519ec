//===- MatmulRows.cpp - the inner loops of the matrix product ---------------===//
// Vectors run across columns, so that every element keeps its own ascending chain of fused multiply-adds.
#include "compiler/interpreter/Matmul.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace forerun::interpreter {

void multiplyRowsPortable(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                          std::int64_t ldb, std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t p = 0; p < k; ++p) {
      const float x = a[i * k + p];
      for (std::int64_t j = 0; j < n; ++j) c[i * ldc + j] = std::fma(x, b[p * ldb + j], c[i * ldc + j]);
    }
}

#if defined(__x86_64__)

namespace {

/// R rows by 16 columns held in registers over all of k.
template <int R>
__attribute__((target("avx2,fma"))) void block16(const float* a, const float* b, float* c, std::int64_t k,
                                                 std::int64_t ldb, std::int64_t ldc) {
  __m256 sum[R][2];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < 2; ++v) sum[r][v] = _mm256_loadu_ps(c + r * ldc + 8 * v);
  for (std::int64_t p = 0; p < k; ++p) {
    const __m256 b0 = _mm256_loadu_ps(b + p * ldb), b1 = _mm256_loadu_ps(b + p * ldb + 8);
    for (int r = 0; r < R; ++r) {
      const __m256 x = _mm256_broadcast_ss(a + r * k + p);
      sum[r][0] = _mm256_fmadd_ps(x, b0, sum[r][0]);
      sum[r][1] = _mm256_fmadd_ps(x, b1, sum[r][1]);
    }
  }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < 2; ++v) _mm256_storeu_ps(c + r * ldc + 8 * v, sum[r][v]);
}

__attribute__((target("avx2,fma"))) void rest(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n,
                                              std::int64_t k, std::int64_t ldb, std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = c[i * ldc + j];
      for (std::int64_t p = 0; p < k; ++p) sum = __builtin_fmaf(a[i * k + p], b[p * ldb + j], sum);
      c[i * ldc + j] = sum;
    }
}

__attribute__((target("avx2,fma"))) void multiplyRowsAvx2(const float* a, const float* b, float* c, std::int64_t m,
                                                          std::int64_t n, std::int64_t k, std::int64_t ldb,
                                                          std::int64_t ldc) {
  const std::int64_t whole = n / 16 * 16;
  for (std::int64_t j = 0; j < whole; j += 16) {
    std::int64_t i = 0;
    for (; i + 6 <= m; i += 6) block16<6>(a + i * k, b + j, c + i * ldc + j, k, ldb, ldc);
    for (; i < m; ++i) block16<1>(a + i * k, b + j, c + i * ldc + j, k, ldb, ldc);
  }
  rest(a, b + whole, c + whole, m, n - whole, k, ldb, ldc);
}

}  // namespace

void multiplyRows(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  std::int64_t ldb, std::int64_t ldc) {
  if (k == 0) return;  // b may be null
  static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  (fast ? multiplyRowsAvx2 : multiplyRowsPortable)(a, b, c, m, n, k, ldb, ldc);
}

#else

void multiplyRows(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  std::int64_t ldb, std::int64_t ldc) {
  multiplyRowsPortable(a, b, c, m, n, k, ldb, ldc);
}

#endif

}  // namespace forerun::interpreter
