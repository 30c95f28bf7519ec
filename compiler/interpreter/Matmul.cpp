//===- Matmul.cpp - the matrix product of the reference ---------------------===//
// Operands are converted to f32 (or i32) once a call; radii follow Uncertainty.h.
#include "compiler/interpreter/Matmul.h"

#include "compiler/interpreter/Columns.h"
#include "compiler/interpreter/Rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace forerun::interpreter {

namespace {

/// Rows [0, rows) and columns [0, columns) of a rank-2 window, row-major; transposed when asked.
template <typename T>
struct Matrix {
  std::int64_t rows, columns;
  std::vector<T> values;
};

template <typename T>
Matrix<T> transposed(const Matrix<T>& source) {
  Matrix<T> result{source.columns, source.rows, std::vector<T>(source.values.size())};
  for (std::int64_t i = 0; i < source.rows; ++i)
    for (std::int64_t j = 0; j < source.columns; ++j)
      result.values[j * source.rows + i] = source.values[i * source.columns + j];
  return result;
}

llvm::Error checkWritten(const View& view, std::int64_t rows, std::int64_t columns, const char* what) {
  for (std::int64_t i = 0; i < rows; ++i)
    if (view.storage->firstUnwritten(view.base() + i * view.stride(0), columns) >= 0)
      return unwrittenError(what, *view.storage);
  return llvm::Error::success();
}

Matrix<float> loadFloats(const View& view, std::int64_t rows, std::int64_t columns) {
  Matrix<float> result{rows, columns, std::vector<float>(static_cast<std::size_t>(rows * columns))};
  const std::int64_t bytes = static_cast<std::int64_t>(view.storage->elementBytes());
  for (std::int64_t i = 0; i < rows; ++i)
    loadColumn(view.storage->type, view.storage->bytes.data() + (view.base() + i * view.stride(0)) * bytes,
               result.values.data() + i * columns, static_cast<std::size_t>(columns));
  return result;
}

Matrix<std::int32_t> loadInts(const View& view, std::int64_t rows, std::int64_t columns) {
  Matrix<std::int32_t> result{rows, columns, std::vector<std::int32_t>(static_cast<std::size_t>(rows * columns))};
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto* row =
        reinterpret_cast<const std::int8_t*>(view.storage->bytes.data()) + view.base() + i * view.stride(0);
    std::copy_n(row, columns, result.values.data() + i * columns);
  }
  return result;
}

/// Radii of a window, zeros when it has none.
Matrix<float> loadRadii(const View& view, std::int64_t rows, std::int64_t columns) {
  Matrix<float> result{rows, columns, std::vector<float>(static_cast<std::size_t>(rows * columns))};
  if (!view.storage->isUncertain()) return result;
  for (std::int64_t i = 0; i < rows; ++i)
    std::copy_n(view.storage->radius.data() + view.base() + i * view.stride(0), columns,
                result.values.data() + i * columns);
  return result;
}

void multiplyInts(const Matrix<std::int32_t>& a, const Matrix<std::int32_t>& b, std::uint32_t* c, std::int64_t ldc) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t p = 0; p < a.columns; ++p) {
      const auto x = static_cast<std::uint32_t>(a.values[i * a.columns + p]);
      const std::int32_t* row = b.values.data() + p * b.columns;
      std::uint32_t* out = c + i * ldc;
      for (std::int64_t j = 0; j < b.columns; ++j) out[j] += x * static_cast<std::uint32_t>(row[j]);
    }
}

/// See the table of Uncertainty.h. Magnitudes of all products that an accumulator holds are kept beside it.
void propagate(const Matrix<float>& a, const Matrix<float>& b, const Matrix<float>& ra, const Matrix<float>& rb,
               const View& acc, bool accumulate, bool ordered) {
  const std::int64_t m = a.rows, n = b.columns, k = a.columns;
  auto absolute = [](const Matrix<float>& x, const Matrix<float>* r) {
    Matrix<float> result = x;
    for (std::size_t i = 0; i < x.values.size(); ++i)
      result.values[i] = std::fabs(x.values[i]) + (r ? r->values[i] : 0.0f);
    return result;
  };
  std::vector<float> products(static_cast<std::size_t>(m * n)), displaced;
  const Matrix<float> absA = absolute(a, nullptr), absB = absolute(b, nullptr);
  multiplyRows(absA.values.data(), absB.values.data(), products.data(), m, n, k, n, n);
  auto certain = [](const Matrix<float>& r) {
    return std::all_of(r.values.begin(), r.values.end(), [](float x) { return x == 0; });
  };
  if (!certain(ra) || !certain(rb)) {
    displaced.resize(products.size());
    multiplyRows(absolute(a, &ra).values.data(), absolute(b, &rb).values.data(), displaced.data(), m, n, k, n, n);
  }
  Storage& storage = *acc.storage;
  storage.makeUncertain();
  storage.trackMagnitude();
  constexpr float kUnit = 0x1p-24f;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const std::size_t at = static_cast<std::size_t>(acc.base() + i * acc.stride(0) + j);
      float carried = 0;  // what the radius holds beyond rounding
      // Certain operands in a fixed order have one result.
      const bool certainSum = ordered && displaced.empty() && (!accumulate || storage.radius[at] == 0);
      if (accumulate)
        carried = storage.radius[at] - 2 * storage.terms[at] * kUnit * storage.magnitude[at];
      else
        storage.magnitude[at] = storage.terms[at] = 0;
      carried = std::max(carried, 0.0f);
      const float product = products[static_cast<std::size_t>(i * n + j)];
      storage.magnitude[at] += product;
      storage.terms[at] += static_cast<float>(k);
      if (!displaced.empty())
        carried += displaced[static_cast<std::size_t>(i * n + j)] - product + product * static_cast<float>(k) * kUnit;
      storage.radius[at] = certainSum ? 0 : carried + 2 * storage.terms[at] * kUnit * storage.magnitude[at];
    }
}

}  // namespace

MatmulShape matmulShape(const View& a, const View& b, bool transposeA, bool transposeB) {
  const auto rangesA = a.validRanges(), rangesB = b.validRanges();
  return {rangesA[transposeA ? 1 : 0].size(), rangesB[transposeB ? 0 : 1].size(),
          std::min(rangesA[transposeA ? 0 : 1].size(), rangesB[transposeB ? 1 : 0].size())};
}

llvm::Error runMatmul(const View& a, const View& b, const View& acc, bool accumulate, bool transposeA, bool transposeB,
                      Radii radii) {
  const auto [m, n, k] = matmulShape(a, b, transposeA, transposeB);
  const std::int64_t rowsA = transposeA ? k : m, columnsA = transposeA ? m : k, rowsB = transposeB ? n : k,
                     columnsB = transposeB ? k : n;
  if (llvm::Error error = checkWritten(a, rowsA, columnsA, "the left operand")) return error;
  if (llvm::Error error = checkWritten(b, rowsB, columnsB, "the right operand")) return error;
  if (accumulate) {
    const auto valid = acc.validRanges();
    if (m > 0 && n > 0 && (valid[0].high < m || valid[1].high < n))
      return llvm::createStringError("accumulates into " + llvm::Twine(m) + " x " + llvm::Twine(n) +
                                     " elements of which only " + llvm::Twine(valid[0].high) + " x " +
                                     llvm::Twine(valid[1].high) + " are valid; overwrite first or fill");
    if (llvm::Error error = checkWritten(acc, m, n, "the accumulator")) return error;
  }
  Storage& storage = *acc.storage;
  auto* out = storage.bytes.data() + acc.base() * 4;
  const std::int64_t ldc = acc.stride(0);
  for (std::int64_t i = 0; i < m; ++i) {
    if (!accumulate) std::memset(out + i * ldc * 4, 0, static_cast<std::size_t>(n) * 4);
    if (!storage.written.empty())
      std::memset(storage.written.data() + acc.base() + i * ldc, 1, static_cast<std::size_t>(n));
  }
  if (a.storage->type == ElementType::I8) {
    auto left = loadInts(a, rowsA, columnsA), right = loadInts(b, rowsB, columnsB);
    multiplyInts(transposeA ? transposed(left) : left, transposeB ? transposed(right) : right,
                 reinterpret_cast<std::uint32_t*>(out), ldc);
    return llvm::Error::success();
  }
  auto left = loadFloats(a, rowsA, columnsA), right = loadFloats(b, rowsB, columnsB);
  if (transposeA) left = transposed(left);
  if (transposeB) right = transposed(right);
  if (radii != Radii::None) {
    auto radiusA = loadRadii(a, rowsA, columnsA), radiusB = loadRadii(b, rowsB, columnsB);
    propagate(left, right, transposeA ? transposed(radiusA) : radiusA, transposeB ? transposed(radiusB) : radiusB, acc,
              accumulate, radii == Radii::OrderedProducts);
  }
  multiplyRows(left.values.data(), right.values.data(), reinterpret_cast<float*>(out), m, n, k, n, ldc);
  return llvm::Error::success();
}

}  // namespace forerun::interpreter
