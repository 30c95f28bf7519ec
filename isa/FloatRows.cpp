//===- FloatRows.cpp - contiguous conversions between f16, bf16 and f32 ----===//
// Plain loops over the inline conversions, compiled also for AVX2 and picked at run time: matrix and DMA models convert
// whole rows.
#include "isa/ElementType.h"

#include <cstring>

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

}  // namespace

FORERUN_CLONES void halfToFloat(const std::uint16_t* source, float* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, halfToFloat(loadAt(source, i)));
}

FORERUN_CLONES void floatToHalf(const float* source, std::uint16_t* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, floatToHalf(loadAt(source, i)));
}

FORERUN_CLONES void bfloatToFloat(const std::uint16_t* source, float* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, bfloatToFloat(loadAt(source, i)));
}

FORERUN_CLONES void floatToBfloat(const float* source, std::uint16_t* destination, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) storeAt(destination, i, floatToBfloat(loadAt(source, i)));
}

}  // namespace forerun::isa
