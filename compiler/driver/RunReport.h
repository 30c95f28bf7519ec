//===- RunReport.h - what `forerun run` says -----------------------------------===//
// The figures of a run, as text for people and as versioned JSON (docs/report.md).
#pragma once

#include "compiler/analysis/Roofline.h"
#include "compiler/driver/CheckReport.h"
#include "simulator/Report.h"
#include "targets/TargetSpec.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace forerun::driver {

struct LaunchResult {
  std::string kernel;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::optional<analysis::Roofline> roofline;  ///< absent where work could not be counted
  std::optional<analysis::LaunchWork> work;
  sim::LaunchReport report;
};

struct RunReport {
  std::string file, entry, targetName;
  const targets::TargetSpec* target = nullptr;  ///< null for the interpreter
  std::vector<LaunchResult> launches;
  std::optional<CheckReport> check;
  std::vector<std::string> notes;
  double compileSeconds = 0, hostSeconds = 0;  ///< host time to compile, and to run
};

void printRunReport(const RunReport& report, llvm::raw_ostream& os);
llvm::json::Value toJson(const RunReport& report);

}  // namespace forerun::driver
