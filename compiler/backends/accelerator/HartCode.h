//===- HartCode.h - what LLVM is told about the harts of a target ----------===//
// Derives the RISC-V features from the team descriptions and from what the code uses, and makes the TargetMachine from
// them.
#pragma once

#include "targets/TargetSpec.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>
#include <vector>

namespace forerun::backends::accelerator {

/// The harts that run kernels: all teams when none has a vector unit, else those that have one (others leave a kernel
/// at once).
struct ComputeTeams {
  unsigned first = 0;  ///< id of the first team within its core; the others follow
  unsigned count = 0;
  unsigned coreTeams = 0;       ///< teams of a core, computing or not
  unsigned vlenBits = 0;        ///< least VLEN among them; 0 = scalar code
  unsigned registerCycles = 1;  ///< least of: cycles that a register's operation keeps the vector unit
  unsigned latencyCycles = 1;   ///< most of: cycles until a vector multiply-add's result is there
  bool zvfh = false, zvfbfmin = false;
};
ComputeTeams computeTeams(const targets::TargetSpec& target);
/// Teams [low, high) of a core, counted over all its teams; `count` is less when the core has not so many.
ComputeTeams teamsOf(const targets::TargetSpec& target, unsigned low, unsigned high);
/// Attribute of functions that teams without a vector unit execute.
inline constexpr const char* kScalarFunction = "xfr-scalar";

/// Element types that the code touches, which decide the optional extensions.
struct UsedTypes {
  bool half = false, bfloat = false;
};

/// Whose latencies LLVM schedules for: in order, two instructions a cycle, a vector unit that chains; the nearest to a
/// hart among LLVM's models. Without one it orders vector code by register pressure, one dependent chain after another.
inline constexpr const char* kHartTuning = "sifive-x280";

/// LLVM feature string, e.g. "+m,+a,...,+v,+zvl512b".
std::string hartFeatures(const ComputeTeams& teams, UsedTypes used);

/// Needs for the ELF note that follow from the features.
std::vector<std::string> hartNeeds(const ComputeTeams& teams, UsedTypes used);

llvm::Triple hartTriple();
inline constexpr const char* kHartAbi = "lp64d";

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHartMachine(llvm::StringRef features,
                                                                       unsigned optimizationLevel);

}  // namespace forerun::backends::accelerator
