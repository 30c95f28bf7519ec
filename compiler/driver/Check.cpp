//===- Check.cpp - a run's results against the reference ---------------------===//
// The rule for the bound is documented in compiler/interpreter/Uncertainty.h.
#include "compiler/driver/Check.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>

namespace forerun::driver {

namespace {

/// The kernel file's own expectation, which is exact.
OutputCheck againstFile(const HostArgument& argument, const runtime::Tensor& actual) {
  OutputCheck output;
  output.name = argument.name + " = " + llvm::sys::path::filename(argument.expectedFile).str();
  output.shape = runtime::describe(actual.type, actual.shape);
  output.comparison = runtime::compare(argument.expected, actual);
  if (output.comparison.firstMismatch >= 0)
    output.firstIndex = runtime::describeIndex(actual.shape, output.comparison.firstMismatch);
  return output;
}

}  // namespace

CheckReport checkOutputs(llvm::ArrayRef<HostArgument> arguments, const ReferenceRun& reference,
                         llvm::ArrayRef<runtime::Tensor> results) {
  CheckReport report;
  report.referenceSeconds = reference.hostSeconds;
  for (auto [expected, actual] : llvm::zip_equal(reference.outputs, results)) {
    OutputCheck output;
    output.name = arguments[expected.argument].name;
    output.shape = runtime::describe(expected.data.type, expected.data.shape);
    runtime::Tolerance tolerance;
    tolerance.radius = expected.radius;
    output.comparison = runtime::compare(expected.data, actual, tolerance);
    for (std::size_t i = 0; i < expected.radius.size(); ++i) {
      const double radius = expected.radius[i];
      output.largestRadius = std::max(output.largestRadius, radius);
      if (radius == 0 || std::isinf(radius)) continue;
      const double difference = std::fabs(actual.asDouble(static_cast<std::int64_t>(i)) -
                                          expected.data.asDouble(static_cast<std::int64_t>(i)));
      if (std::isfinite(difference)) output.largestFraction = std::max(output.largestFraction, difference / radius);
    }
    if (output.comparison.firstMismatch >= 0)
      output.firstIndex = runtime::describeIndex(expected.data.shape, output.comparison.firstMismatch);
    report.outputs.push_back(std::move(output));
    if (const HostArgument& argument = arguments[expected.argument]; !argument.expectedFile.empty())
      report.outputs.push_back(againstFile(argument, actual));
  }
  return report;
}

}  // namespace forerun::driver
