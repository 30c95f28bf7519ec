//===- MatrixFunction.h - what the matrix unit computes ---------------------===//
// xmm.load, xmm.run and xmm.store on the bytes of one core (docs/machine-contract.md); no time.
#pragma once

#include "simulator/core/Command.h"
#include "simulator/kernel/HostWork.h"
#include "simulator/matrix/MatrixArithmetic.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <optional>
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
  /// Checks the command as `execute` does; `arithmetic`, which may stay empty, then does its work and throws nothing.
  /// Arithmetic of the same unit must be done in order; other commands must not touch its operands before it is.
  MatrixWork begin(const Command& command, HostWork::Work& arithmetic);

 private:
  MatrixWork load(const Command& command, HostWork::Work& arithmetic);
  MatrixWork run(const Command& command, HostWork::Work& arithmetic);
  MatrixWork store(const Command& command, HostWork::Work& arithmetic);
  void requireRate(isa::ElementType type, const char* role) const;

  const targets::MatrixSpec& spec_;
  const EngineMemory& memory_;
  /// [active_] is in use; loads go to the other (the only one when weightBuffers is 1). Nothing until loaded.
  std::vector<std::optional<WeightShape>> buffers_;
  std::uint32_t active_ = 0, last_ = 0;
  MatrixArithmetic arithmetic_;
};

}  // namespace forerun::sim::matrix
