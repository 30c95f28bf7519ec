//===- MatrixArithmetic.h - the numbers of the matrix unit ------------------===//
// Computes what MatrixFunction has checked; nothing here fails, so it may run after the command began.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/matrix/MatrixKernel.h"
#include "simulator/scratchpad/EngineMemory.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::matrix {

/// Weights in a buffer, K x N. Elements outside the valid ranges are absent: they take part in no product.
struct WeightShape {
  isa::ElementType type = isa::ElementType::F32;
  std::uint32_t k = 0, n = 0;
  IndexRange kValid, nValid;
};

/// A matrix in host memory.
struct MatrixView {
  Descriptor d;
  HostBox host;
  std::uint8_t* at(std::int64_t column, std::int64_t row) const {
    return host.at(d.base + static_cast<std::uint64_t>(column * d.stride[0]) +
                   static_cast<std::uint64_t>(row * d.stride[1]));
  }
};

/// b, seen as K x N, becomes the weights of `buffer`.
struct LoadArithmetic {
  std::uint32_t buffer;
  WeightShape weights;
  MatrixView b;
  bool byColumns;  ///< neighbours in memory are those along K
};

/// acc += a * weights. Products exist in m x n x k; everything else of acc's valid elements keeps its start value, 0
/// unless it accumulates.
struct RunArithmetic {
  std::uint32_t buffer;
  WeightShape weights;
  MatrixView a, acc;
  IndexRange accColumns, accRows;  ///< valid
  IndexRange m, n, k;              ///< m empty: no products
  bool accumulate;
};

/// Converts acc, times its scale, into destination; elements outside `columns` x `rows` become acc's fill.
struct StoreArithmetic {
  MatrixView acc, destination;
  IndexRange columns, rows;                        ///< of acc that exist
  IndexRange destinationColumns, destinationRows;  ///< written
};

/// Weight buffers of one matrix engine and working copies. Calls must come in the order of the commands.
class MatrixArithmetic {
 public:
  MatrixArithmetic(std::uint32_t weightBuffers, KernelPath path) : path_(path), panels_(weightBuffers) {}

  void load(const LoadArithmetic& work);
  void run(const RunArithmetic& work);
  static void store(const StoreArithmetic& work);

 private:
  struct Panels {
    std::vector<float> floats;        ///< panels over all of k x n; absent elements hold 0 and are never used
    std::vector<std::int16_t> pairs;  ///< i8: panels of ceil(k/2) rows of 16 pairs, absent elements 0
  };
  /// Result rows, padded to panels; 4 bytes an element.
  struct Sums {
    std::uint32_t* data;
    std::int64_t row;  ///< elements between rows
  };
  void multiply(const RunArithmetic& work, Sums sums);
  void runFloat(const RunArithmetic& work, Sums sums);
  void runInteger(const RunArithmetic& work, Sums sums);

  KernelPath path_;
  std::vector<Panels> panels_;  ///< by buffer
  /// Working copies of one run: rows of A, and the result rows of the run padded to panels.
  std::vector<float> aRows_;
  std::vector<std::int16_t> aPairs_;
  std::vector<std::uint32_t> c_;
};

}  // namespace forerun::sim::matrix
