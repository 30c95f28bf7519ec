//===- FloatRows.cpp - contiguous conversions between f16, bf16 and f32 ----===//
// Plain loops over the inline conversions, compiled also for AVX2 and picked at run time, and the host's own f16
// instructions where it has them: matrix and DMA models convert whole rows.
#include "isa/ElementType.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
#define FORERUN_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define FORERUN_CLONES
#endif

namespace forerun::isa {
namespace {

// Pointers need not be aligned to their type: device memory is bytes.
template <typename T>
T loadAt(const T* base, std::size_t index) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(base) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void storeAt(T* base, std::size_t index, T value) {
  std::memcpy(reinterpret_cast<char*>(base) + index * sizeof(T), &value, sizeof(T));
}

// Both convert as many whole vectors as there are and return the number of elements done. The instructions round to
// nearest even whatever the host's mode; a NaN keeps its payload in them and must leave as the canonical one.
#if defined(__x86_64__)
bool hostConvertsHalves() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c"); }

__attribute__((target("avx2,f16c"))) std::size_t halfToFloatVectors(const std::uint16_t* source, float* destination,
                                                                    std::size_t count) {
  const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 value = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i)));
    _mm256_storeu_ps(destination + i, _mm256_blendv_ps(value, canonical, _mm256_cmp_ps(value, value, _CMP_UNORD_Q)));
  }
  return i;
}

__attribute__((target("avx2,f16c"))) std::size_t floatToHalfVectors(const float* source, std::uint16_t* destination,
                                                                    std::size_t count) {
  // The canonical f32 NaN narrows to the canonical f16 NaN.
  const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 value = _mm256_loadu_ps(source + i);
    const __m256 quiet = _mm256_blendv_ps(value, canonical, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(destination + i),
                     _mm256_cvtps_ph(quiet, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  return i;
}
#else
bool hostConvertsHalves() { return false; }
std::size_t halfToFloatVectors(const std::uint16_t*, float*, std::size_t) { return 0; }
std::size_t floatToHalfVectors(const float*, std::uint16_t*, std::size_t) { return 0; }
#endif

FORERUN_CLONES void halfToFloatLoop(const std::uint16_t* source, float* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, halfToFloat(loadAt(source, i)));
}

FORERUN_CLONES void floatToHalfLoop(const float* source, std::uint16_t* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, floatToHalf(loadAt(source, i)));
}

}  // namespace

void halfToFloat(const std::uint16_t* source, float* destination, std::size_t count) {
  const std::size_t done = hostConvertsHalves() ? halfToFloatVectors(source, destination, count) : 0;
  if (done != count) halfToFloatLoop(source + done, destination + done, count - done);
}

void floatToHalf(const float* source, std::uint16_t* destination, std::size_t count) {
  const std::size_t done = hostConvertsHalves() ? floatToHalfVectors(source, destination, count) : 0;
  if (done != count) floatToHalfLoop(source + done, destination + done, count - done);
}

FORERUN_CLONES void bfloatToFloat(const std::uint16_t* source, float* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, bfloatToFloat(loadAt(source, i)));
}

FORERUN_CLONES void floatToBfloat(const float* source, std::uint16_t* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, floatToBfloat(loadAt(source, i)));
}

}  // namespace forerun::isa
