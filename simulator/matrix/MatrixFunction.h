//===- MatrixFunction.h - what the matrix unit computes ---------------------===//
// xmm.load, xmm.run and xmm.store on the bytes of one core (docs/machine-contract.md); no time.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/matrix/MatrixKernel.h"
#include "simulator/scratchpad/EngineMemory.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <vector>

namespace forerun::sim::matrix {

/// Shape of a command's work, for timing and statistics.
struct MatrixWork {
  std::uint32_t rows = 0;          ///< load: K; run, store: M
  std::uint32_t columns = 0;       ///< N
  std::uint32_t depth = 0;         ///< run: K
  std::uint64_t macs = 0;          ///< run: multiply-adds of present elements
  std::uint64_t writtenBytes = 0;  ///< store: of elements inside the destination's bounds
  isa::ElementType a = isa::ElementType::F32, b = isa::ElementType::F32;  ///< run: operand types; load: b
};

/// Functional state of one matrix engine: its weight buffers.
class MatrixFunction {
 public:
  MatrixFunction(const targets::MatrixSpec& spec, const EngineMemory& memory, KernelPath path = bestKernelPath());

  /// Executes the command. Throws IllegalProgram (shapes, types, regions, bounds, uninitialised operands, no weights
  /// loaded) or UnsupportedFeature (element type without a rate on this target).
  MatrixWork execute(const Command& command);

 private:
  struct Weights {
    bool loaded = false;
    isa::ElementType type = isa::ElementType::F32;
    std::uint32_t k = 0, n = 0;
    IndexRange kValid, nValid;
    std::vector<float> floats;        ///< panels over all of k x n; absent elements hold 0 and are never used
    std::vector<std::int16_t> pairs;  ///< i8: panels of ceil(k/2) rows of 16 pairs, absent elements 0
  };

  MatrixWork load(const Command& command);
  MatrixWork run(const Command& command);
  MatrixWork store(const Command& command);
  /// Result rows, padded to panels; 4 bytes an element.
  struct Sums {
    std::uint32_t* data;
    std::int64_t row;  ///< elements between rows
  };
  void runFloat(const Weights& w, const Descriptor& a, const HostBox& aHost, IndexRange k, IndexRange m, Sums sums);
  void runInteger(const Weights& w, const Descriptor& a, const HostBox& aHost, IndexRange k, IndexRange m, Sums sums);
  void requireRate(isa::ElementType type, const char* role) const;

  const targets::MatrixSpec& spec_;
  const EngineMemory& memory_;
  KernelPath path_;
  std::vector<Weights> buffers_;  ///< [active_] is in use; loads go to the other (the only one when weightBuffers is 1)
  std::uint32_t active_ = 0, last_ = 0;
  /// Working copies of one run: rows of A, and the result rows of the run padded to panels.
  std::vector<float> aRows_;
  std::vector<std::int16_t> aPairs_;
  std::vector<std::uint32_t> c_;
};

}  // namespace forerun::sim::matrix
