//===- CheckReport.cpp - what a check found -----------------------------------===//
// Verdict and text.
#include "compiler/driver/CheckReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace forerun::driver {

bool CheckReport::passed() const {
  return compared() > 0 &&
         std::all_of(outputs.begin(), outputs.end(), [](const OutputCheck& o) { return o.comparison.mismatches == 0; });
}

std::uint64_t CheckReport::compared() const {
  std::uint64_t count = 0;
  for (const OutputCheck& output : outputs) count += output.comparison.compared;
  return count;
}

void printCheck(const CheckReport& check, llvm::raw_ostream& os) {
  os << "check against the interpreter (" << llvm::format("%.2f", check.referenceSeconds)
     << " s): " << (check.passed() ? "passed" : "FAILED") << "\n";
  if (check.compared() == 0) os << "  nothing was compared: no output has an element\n";
  for (const OutputCheck& output : check.outputs) {
    const runtime::Comparison& c = output.comparison;
    os << "  " << output.name << " " << output.shape << ": " << c.compared << " compared, " << c.mismatches
       << " outside the bound, ";
    if (output.largestRadius == 0)
      os << "bound: equal bits";
    else
      os << "bound: up to " << llvm::format("%.3g", output.largestRadius) << " an element, "
         << llvm::format("%.1f", 100 * output.largestFraction) << " % of it used";
    os << "; " << c.differing << " differ";
    if (c.differing) {
      os << " (max |error| " << llvm::format("%.3g", c.maxAbsolute);
      if (c.maxUlp == UINT64_MAX)
        os << ", not all finite)";
      else
        os << ", max " << c.maxUlp << " ulp)";
    }
    os << "\n";
    if (c.firstMismatch >= 0)
      os << "    first at " << output.firstIndex << ": expected " << llvm::format("%.9g", c.firstExpected) << ", found "
         << llvm::format("%.9g", c.firstActual) << "\n";
  }
}

}  // namespace forerun::driver
