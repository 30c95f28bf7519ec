//===- Matmul.h - the matrix product of the reference -----------------------===//
// acc[m, n] = fma over ascending k, one rounding a step, as docs/machine-contract.md states it for xmm.run.
#pragma once

#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

struct MatmulShape {
  std::int64_t m = 0, n = 0, k = 0;  ///< valid elements
};

/// Valid M of a, valid N of b, and the K valid in both.
MatmulShape matmulShape(const View& a, const View& b, bool transposeA, bool transposeB);

/// Fails on operands that were never written, and when accumulating into elements that are not valid. Valid extents are
/// left to the caller.
llvm::Error runMatmul(const View& a, const View& b, const View& acc, bool accumulate, bool transposeA, bool transposeB,
                      Radii radii);

/// c[i * ldc + j] = fma chain over ascending k of a[i * k..] and b[k * ldb + j], starting from c. `n` may be any
/// number. The variant for AVX2 and FMA hosts gives the same bits as the portable one.
void multiplyRows(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  std::int64_t ldb, std::int64_t ldc);
void multiplyRowsPortable(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                          std::int64_t ldb, std::int64_t ldc);

}  // namespace forerun::interpreter
