//===- MatrixEngine.h - the matrix engine of a core ---------------------------===//
// Puts the function of the matrix unit behind its queues and gives commands their time: loader, array and drain work at
// once.
#pragma once

#include "simulator/engine/Engine.h"
#include "simulator/matrix/MatrixFunction.h"
#include "simulator/matrix/MatrixTiming.h"
#include "simulator/scratchpad/BankedMemoryTiming.h"

#include <utility>

namespace forerun::sim::matrix {

/// What the engine did, for reports.
struct MatrixTotals {
  std::uint64_t macs = 0;    ///< of present elements
  double peakMacCycles = 0;  ///< engine cycles that `macs` take at the peak rate of their types
};

/// Rows of operands come through the engine's read port (readBytesPerCycle) and the banks of scratch; weights have a
/// port of their own of the same width. Results take one slot of the accumulator's banks a row: the adders sit at the
/// memory. A store drains through the write port.
class MatrixEngine : public engine::Engine {
 public:
  /// `scratch` and `accumulator` may be null in functional mode. `hostWork` may be null: commands then compute when
  /// they start; otherwise by their retirement, so that nothing may touch their operands before it.
  MatrixEngine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name,
               engine::EngineHost& host, std::uint32_t firstQueue, const EngineMemory& memory,
               BankedMemoryTiming* scratch, BankedMemoryTiming* accumulator, HostWork* hostWork = nullptr);

  std::uint64_t executeNow(const Command& command) override;
  /// Totals since the last call.
  MatrixTotals takeTotals() { return std::exchange(totals_, {}); }

 protected:
  Cycles availableAt(const engine::QueuedCommand& command, Cycles now) override;
  void start(engine::QueuedCommand& command, Cycles now) override;
  void complete(const engine::QueuedCommand& command) override;
  bool mayOverlap(const engine::QueuedCommand& older, const engine::QueuedCommand& younger) const override;

 private:
  void count(const Command& command, const MatrixWork& work);
  Cycles startLoad(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now);
  Cycles startRun(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now);
  Cycles startStore(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now);
  std::uint64_t scratchOffset(std::uint64_t address) const;

  const targets::MatrixSpec& matrix_;
  const targets::BankedMemorySpec& scratchSpec_;
  const targets::BankedMemorySpec& accumulatorSpec_;
  const EngineMemory& memory_;
  MatrixFunction function_;
  BankedMemoryTiming* scratch_;
  BankedMemoryTiming* accumulator_;
  HostWork* hostWork_;
  MatrixTotals totals_;

  Cycles loaderFree_ = 0, arrayFree_ = 0, storeFree_ = 0;
  Cycles bufferFree_ = 0;  ///< the inactive weight buffer may be overwritten
  Cycles loadedAt_ = 0;    ///< the last loaded weights are complete
};

}  // namespace forerun::sim::matrix
