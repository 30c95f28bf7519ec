//===- CheckReport.h - what a check found -------------------------------------===//
// Plain data with its printing.
#pragma once

#include "compiler/runtime/Comparison.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace forerun::driver {

struct OutputCheck {
  std::string name, shape;
  runtime::Comparison comparison;
  double largestRadius = 0;    ///< 0: equal bits were required
  double largestFraction = 0;  ///< largest |difference| / radius over elements with a radius
  std::string firstIndex;      ///< of the first mismatch
};

struct CheckReport {
  std::vector<OutputCheck> outputs;
  double referenceSeconds = 0;

  /// Something was compared, and all of it agreed.
  bool passed() const;
  std::uint64_t compared() const;
};

void printCheck(const CheckReport& check, llvm::raw_ostream& os);

}  // namespace forerun::driver
