//===- Costs.h - what variants cost on a target -----------------------------===//
// Estimates in cycles of the reference clock, from the target's keys and the shape of the work alone: they order the
// variants of one operation, they do not predict a run.
#pragma once

#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/accelerator/lowering/Strips.h"
#include "targets/TargetSpec.h"

namespace forerun::backends::accelerator {

/// What the vector unit reads or writes of every element.
struct Stream {
  unsigned bytes = 0;
  bool write = false;
  bool contiguous = true;  ///< neighbouring lanes lie side by side
  double strideBytes = 0;  ///< from lane to lane where they do not; 0 = unknown
};

/// A walk over rows of lanes, shared by the teams.
struct Walk {
  double rows = 1, columns = 1;  ///< positions beside the lanes, and lanes of each
  bool sharesLanes = false;      ///< teams share the lanes, else the rows
  std::vector<Stream> streams;
  double operations = 0;         ///< on every strip, beside loads and stores
  double depth = 0;              ///< of them, most that follow each other
  double rowCycles = 0;          ///< at the end of every row
  bool severalOuter = false;     ///< rows are numbered over several dimensions, and walked one by one
  bool oneStripAtATime = false;  ///< no strips side by side
  bool unrolled = false;         ///< LLVM unrolls the loop over strips
  Shape shape;
};

/// A command of a DMA engine that moves `elements` in contiguous runs of `run`.
struct Transfer {
  double elements = 0, run = 1;
  unsigned readBytes = 0, writeBytes = 0;  ///< an element
  bool readContiguous = true, writeContiguous = true;
  bool global = false;  ///< one side is outside the core
  unsigned dimensions = 1;
};

class Costs {
 public:
  /// `sharing` of the `teams` execute operations together.
  Costs(const targets::TargetSpec& target, const ComputeTeams& teams, unsigned sharing);

  double walk(const Walk& walk) const;
  double transfer(const Transfer& transfer) const;
  /// m x n x k on the array, elements of `type` with `bytes` each.
  double product(double m, double n, double k, const std::string& type) const;
  /// Drains m x n accumulators.
  double drain(double m, double n) const;
  /// The same product on the harts.
  double vectorProduct(double m, double n, double k, bool lanesContiguous, bool widens, const Shape& shape) const;
  /// Combining the lanes of a vector of `bits`-wide elements.
  double acrossLanes(unsigned bits) const;

  const targets::TeamSpec& team() const { return *team_; }
  const ComputeTeams& teams() const { return teams_; }
  unsigned sharing() const { return sharing_; }
  const targets::EngineSpec* engine(targets::EngineKind kind) const;  ///< null where the target has none
  unsigned queues(targets::EngineKind kind) const;

 private:
  double hertz(const std::string& clock) const;
  double reference(const std::string& clock) const;  ///< reference cycles a cycle of `clock`
  double command(const targets::EngineSpec& engine, double fields) const;
  /// Factor by which accesses with a stride take longer because they meet in few banks.
  double bankConflicts(double strideBytes, std::size_t streams) const;

  const targets::TargetSpec& target_;
  ComputeTeams teams_;
  unsigned sharing_;
  const targets::TeamSpec* team_ = nullptr;
};

}  // namespace forerun::backends::accelerator
