//===- MatrixKernel.cpp - the inner loops of the matrix unit ----------------===//
// Register blocks of rows by panels of columns; one code path an instruction set, chosen at run time.
#include "simulator/matrix/MatrixKernel.h"

#include <bit>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace forerun::sim::matrix {

namespace {

constexpr std::uint32_t kCanonicalNan = 0x7fc0'0000;

void floatPortable(const FloatBlock& block) {
  for (std::uint32_t m = 0; m < block.m; ++m)
    for (std::uint32_t p = 0; p < block.panels; ++p) {
      const float* b = block.b + p * block.bPanel;
      float* c = block.c + m * block.cRow + std::size_t{p} * kPanel;
      const float* a = block.a + m * block.aRow;
      for (std::uint32_t k = 0; k < block.k; ++k)
        for (std::uint32_t n = 0; n < kPanel; ++n) c[n] = std::fma(a[k], b[std::size_t{k} * kPanel + n], c[n]);
      for (std::uint32_t n = 0; n < kPanel; ++n)
        if (std::isnan(c[n])) c[n] = std::bit_cast<float>(kCanonicalNan);
    }
}

void integerPortable(const IntegerBlock& block) {
  for (std::uint32_t m = 0; m < block.m; ++m)
    for (std::uint32_t p = 0; p < block.panels; ++p) {
      const std::int16_t* b = block.b + p * block.bPanel;
      std::int32_t* c = block.c + m * block.cRow + std::size_t{p} * kPanel;
      const std::int16_t* a = block.a + m * block.aRow;
      for (std::uint32_t k = 0; k < block.pairs; ++k)
        for (std::uint32_t n = 0; n < kPanel; ++n) {
          const std::int16_t* pair = b + (std::size_t{k} * kPanel + n) * 2;
          c[n] = static_cast<std::int32_t>(static_cast<std::uint32_t>(c[n]) +
                                           static_cast<std::uint32_t>(a[2 * k] * pair[0] + a[2 * k + 1] * pair[1]));
        }
    }
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) inline __m256 canonicalAvx2(__m256 x) {
  return _mm256_blendv_ps(x, _mm256_castsi256_ps(_mm256_set1_epi32(kCanonicalNan)), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

template <unsigned Rows>
__attribute__((target("avx2,fma"))) inline void floatAvx2Rows(const FloatBlock& block, std::uint32_t m,
                                                              std::uint32_t panel) {
  const float* b = block.b + panel * block.bPanel;
  float* c = block.c + m * block.cRow + std::size_t{panel} * kPanel;
  const float* a = block.a + m * block.aRow;
  __m256 low[Rows], high[Rows];
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    low[r] = _mm256_loadu_ps(c + r * block.cRow);
    high[r] = _mm256_loadu_ps(c + r * block.cRow + 8);
  }
  for (std::uint32_t k = 0; k < block.k; ++k) {
    __m256 b0 = _mm256_loadu_ps(b + std::size_t{k} * kPanel), b1 = _mm256_loadu_ps(b + std::size_t{k} * kPanel + 8);
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      __m256 x = _mm256_broadcast_ss(a + r * block.aRow + k);
      low[r] = _mm256_fmadd_ps(x, b0, low[r]);
      high[r] = _mm256_fmadd_ps(x, b1, high[r]);
    }
  }
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    _mm256_storeu_ps(c + r * block.cRow, canonicalAvx2(low[r]));
    _mm256_storeu_ps(c + r * block.cRow + 8, canonicalAvx2(high[r]));
  }
}

__attribute__((target("avx2,fma"))) void floatAvx2(const FloatBlock& block) {
  for (std::uint32_t p = 0; p < block.panels; ++p) {
    std::uint32_t m = 0;
    for (; m + 6 <= block.m; m += 6) floatAvx2Rows<6>(block, m, p);
    for (; m + 2 <= block.m; m += 2) floatAvx2Rows<2>(block, m, p);
    for (; m < block.m; ++m) floatAvx2Rows<1>(block, m, p);
  }
}

template <unsigned Rows>
__attribute__((target("avx2"))) inline void integerAvx2Rows(const IntegerBlock& block, std::uint32_t m,
                                                            std::uint32_t panel) {
  const std::int16_t* b = block.b + panel * block.bPanel;
  std::int32_t* c = block.c + m * block.cRow + std::size_t{panel} * kPanel;
  const std::int16_t* a = block.a + m * block.aRow;
  __m256i low[Rows], high[Rows];
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    low[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c + r * block.cRow));
    high[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(c + r * block.cRow + 8));
  }
  for (std::uint32_t k = 0; k < block.pairs; ++k) {
    const std::int16_t* row = b + std::size_t{k} * 2 * kPanel;
    __m256i b0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)),
            b1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 16));
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, a + r * block.aRow + 2 * k, sizeof pair);
      __m256i x = _mm256_set1_epi32(pair);
      low[r] = _mm256_add_epi32(low[r], _mm256_madd_epi16(x, b0));
      high[r] = _mm256_add_epi32(high[r], _mm256_madd_epi16(x, b1));
    }
  }
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(c + r * block.cRow), low[r]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(c + r * block.cRow + 8), high[r]);
  }
}

__attribute__((target("avx2"))) void integerAvx2(const IntegerBlock& block) {
  for (std::uint32_t p = 0; p < block.panels; ++p) {
    std::uint32_t m = 0;
    for (; m + 4 <= block.m; m += 4) integerAvx2Rows<4>(block, m, p);
    for (; m < block.m; ++m) integerAvx2Rows<1>(block, m, p);
  }
}

template <unsigned Rows>
__attribute__((target("avx512f"))) inline void floatAvx512Rows(const FloatBlock& block, std::uint32_t m,
                                                               std::uint32_t panel) {
  const float* b = block.b + panel * block.bPanel;
  float* c = block.c + m * block.cRow + std::size_t{panel} * kPanel;
  const float* a = block.a + m * block.aRow;
  __m512 sum[Rows];
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) sum[r] = _mm512_loadu_ps(c + r * block.cRow);
  for (std::uint32_t k = 0; k < block.k; ++k) {
    __m512 x = _mm512_loadu_ps(b + std::size_t{k} * kPanel);
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) sum[r] = _mm512_fmadd_ps(_mm512_set1_ps(a[r * block.aRow + k]), x, sum[r]);
  }
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    __mmask16 nan = _mm512_cmp_ps_mask(sum[r], sum[r], _CMP_UNORD_Q);
    _mm512_storeu_ps(c + r * block.cRow,
                     _mm512_mask_mov_ps(sum[r], nan, _mm512_castsi512_ps(_mm512_set1_epi32(kCanonicalNan))));
  }
}

__attribute__((target("avx512f"))) void floatAvx512(const FloatBlock& block) {
  for (std::uint32_t p = 0; p < block.panels; ++p) {
    std::uint32_t m = 0;
    for (; m + 12 <= block.m; m += 12) floatAvx512Rows<12>(block, m, p);
    for (; m + 4 <= block.m; m += 4) floatAvx512Rows<4>(block, m, p);
    for (; m < block.m; ++m) floatAvx512Rows<1>(block, m, p);
  }
}

#endif

}  // namespace

bool hostHas(KernelPath path) {
#if defined(__x86_64__)
  if (path == KernelPath::Avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (path == KernelPath::Avx512) return __builtin_cpu_supports("avx512f") && hostHas(KernelPath::Avx2);
#endif
  return path == KernelPath::Portable;
}

KernelPath bestKernelPath() {
  if (hostHas(KernelPath::Avx512)) return KernelPath::Avx512;
  return hostHas(KernelPath::Avx2) ? KernelPath::Avx2 : KernelPath::Portable;
}

void multiplyFloat(KernelPath path, const FloatBlock& block) {
#if defined(__x86_64__)
  if (path == KernelPath::Avx512) return floatAvx512(block);
  if (path == KernelPath::Avx2) return floatAvx2(block);
#endif
  floatPortable(block);
}

void multiplyInteger(KernelPath path, const IntegerBlock& block) {
#if defined(__x86_64__)
  if (path != KernelPath::Portable) return integerAvx2(block);
#endif
  integerPortable(block);
}

}  // namespace forerun::sim::matrix
