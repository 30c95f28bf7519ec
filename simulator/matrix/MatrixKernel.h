//===- MatrixKernel.h - the inner loops of the matrix unit ------------------===//
// c[m][n] = fma(a[m][k], b[k][n], c[m][n]) with k ascending: every element's chain of roundings is fixed, so blocking
// over m and n changes no bit, and all variants below give the same results (a NaN leaves as the canonical NaN,
// whatever its payload was).
#pragma once

#include <cstdint>

namespace forerun::sim::matrix {

/// Columns are padded to this many floats in weight and result panels.
inline constexpr std::uint32_t kPanel = 16;

/// Operands in host memory. `b` is packed panel by panel: panel p holds columns [16p, 16p+16) as k rows of 16 floats.
struct FloatBlock {
  const float* a = nullptr;  ///< m rows of k floats
  std::int64_t aRow = 0;     ///< floats between rows of a
  const float* b = nullptr;  ///< rows of 16 floats, k of them a panel
  std::int64_t bPanel = 0;   ///< floats between panels of b
  float* c = nullptr;        ///< m rows; columns padded to panels
  std::int64_t cRow = 0;     ///< floats between rows of c
  std::uint32_t m = 0, panels = 0, k = 0;
};

/// i8 operands widened to pairs of i16 (k padded to even with zeros); `b` panels hold k/2 rows of 16 pairs.
struct IntegerBlock {
  const std::int16_t* a = nullptr;
  std::int64_t aRow = 0;
  const std::int16_t* b = nullptr;
  std::int64_t bPanel = 0;  ///< i16s between panels of b
  std::int32_t* c = nullptr;
  std::int64_t cRow = 0;
  std::uint32_t m = 0, panels = 0, pairs = 0;
};

enum class KernelPath : std::uint8_t { Portable, Avx2, Avx512 };

/// Best path of this host.
KernelPath bestKernelPath();
bool hostHas(KernelPath path);

void multiplyFloat(KernelPath path, const FloatBlock& block);
void multiplyInteger(KernelPath path, const IntegerBlock& block);

}  // namespace forerun::sim::matrix
