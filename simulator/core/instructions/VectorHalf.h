//===- VectorHalf.h - f16 kernels on hosts with F16C ------------------------===//
// Eight elements at a time with intrinsics. Scalar conversions of a compiler convert whole registers with garbage in
// the other lanes, which would raise flags of their own; so the last elements are padded with ones.
//
// f16 is computed in f32 and rounded again, which equals rounding once: f32 has 24 >= 2 * 11 + 2 bits of significand.
// Sums that end subnormal and all products are exact in f32. A quotient a / b differs from a tie or an f16 number m by
// |a - m b| / |b|, relatively at least 2^-22 unless it is equal, and f32 moves it by at most 2^-24; so also the flags
// of the second rounding are the true ones. Directed roundings compose.
#pragma once

#include "simulator/core/instructions/VectorFloatKernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

/// The kernel of a HalfBody, or null where the host cannot run it.
#define FORERUN_HALF_KERNEL(enabled, ...) ((enabled) ? &KernelVersions<__VA_ARGS__>::simd : nullptr)

#define FORERUN_SIMD_INLINE [[gnu::always_inline]] FORERUN_SIMD_TARGET static inline

namespace forerun::sim::core {

inline constexpr std::size_t kHalfLanes = 8;
inline constexpr std::uint16_t kHalfOne = 0x3c00;

FORERUN_SIMD_INLINE __m256 loadLanes(const std::uint16_t* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
FORERUN_SIMD_INLINE __m256 loadLanes(const std::uint32_t* from) {
  return _mm256_loadu_ps(reinterpret_cast<const float*>(from));
}

/// NaNs become the canonical one.
FORERUN_SIMD_INLINE __m256 canonical(__m256 value) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  return _mm256_blendv_ps(value, nan, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
}
FORERUN_SIMD_INLINE void storeLanes(std::uint16_t* to, __m256 value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(canonical(value), _MM_FROUND_CUR_DIRECTION));
}
FORERUN_SIMD_INLINE void storeLanes(std::uint32_t* to, __m256 value) {
  _mm256_storeu_ps(reinterpret_cast<float*>(to), canonical(value));
}

template <class T>
FORERUN_INLINE void pad(T* to, const T* from, std::size_t n, T one) {
  for (std::size_t i = 0; i < kHalfLanes; ++i) to[i] = i < n ? from[i] : one;
}

/// Runs Step::step(d, a, b) on eight elements at a time; D, A, B are bits of f16 or f32, or integers. `readsD`: d is
/// also a source.
template <class Step, class D, class A, class B, bool hasB, bool readsD>
struct HalfBody {
  template <class T>
  static constexpr T one() {
    return sizeof(T) == 2 ? static_cast<T>(kHalfOne) : sizeof(T) == 4 ? static_cast<T>(0x3f800000) : T{1};
  }

  FORERUN_SIMD_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    const B* b = static_cast<const B*>(bp);
    std::size_t i = 0;
    for (; i + kHalfLanes <= n; i += kHalfLanes) Step::step(d + i, a + i, hasB ? b + i : nullptr);
    if (i == n) return;
    D dLast[kHalfLanes];
    A aLast[kHalfLanes];
    B bLast[kHalfLanes];
    pad(aLast, a + i, n - i, one<A>());
    if constexpr (hasB) pad(bLast, b + i, n - i, one<B>());
    if constexpr (readsD) pad(dLast, d + i, n - i, one<D>());
    Step::step(dLast, aLast, bLast);
    for (std::size_t k = 0; i + k < n; ++k) d[i + k] = dLast[k];
  }
};

}  // namespace forerun::sim::core
#else
#define FORERUN_HALF_KERNEL(enabled, ...) nullptr
#endif
