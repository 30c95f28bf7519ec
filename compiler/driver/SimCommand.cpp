//===- SimCommand.cpp - forerun sim ----------------------------------------------===//
// The simulator alone: any RISC-V ELF, with or without Xfr, on any target.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "compiler/driver/RunReport.h"
#include "compiler/driver/SimulationFailure.h"
#include "compiler/runtime/AtomicFile.h"
#include "simulator/Simulator.h"
#include "targets/Load.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

namespace {

using Value = OptionSpec::Value;

constexpr OptionSpec kOptions[] = {
    {"target", Value::Required, "T", "target name or path of a target file (default: edge)"},
    {"set", Value::Required, "KEY=VALUE", "override a key of the target", true},
    {"mode", Value::Required, "MODE", "timing (default) or functional"},
    {"max-cycles", Value::Required, "N", "stop with exit code 6 after N cycles"},
    {"quantum", Value::Required, "N", "cycles that harts run ahead of each other (default: the target's)"},
    {"json", Value::Optional, "FILE", "report as JSON, on standard output (instead of the text) or into FILE"},
    {"help", Value::None, "", "this text"},
};

}  // namespace

llvm::Error simCommand(CommandArguments args) {
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << "Usage: forerun sim PROGRAM.elf [options]\n\n" << describeOptions(kOptions);
    return llvm::Error::success();
  }
  if (parsed->positional.size() != 1)
    return commandError(ExitCode::Usage, "expected one ELF program, found " + llvm::Twine(parsed->positional.size()) +
                                             "; usage: forerun sim PROGRAM.elf [options]");
  sim::Options options;
  const std::string mode = parsed->get("mode").value_or("timing");
  if (mode != "timing" && mode != "functional")
    return commandError(ExitCode::Usage, "--mode is timing or functional, found '" + mode + "'");
  options.mode = mode == "timing" ? sim::Mode::Timing : sim::Mode::Functional;
  auto maxCycles = parsed->integer("max-cycles", 0), quantum = parsed->integer("quantum", 0);
  if (!maxCycles) return llvm::joinErrors(maxCycles.takeError(), quantum.takeError());
  if (!quantum) return quantum.takeError();
  options.maxCycles = *maxCycles;
  options.quantum = *quantum;
  const auto json = parsed->get("json");
  const bool jsonOnly = json && json->empty();
  if (json && !json->empty())
    if (llvm::Error error = withCode(ExitCode::BadInput, runtime::checkWritable(*json))) return error;
  // Text of the program appears as it is written.
  if (!jsonOnly) options.output = [](llvm::StringRef text) { llvm::outs() << text; };

  auto target = targets::load(parsed->get("target").value_or("edge"), parsed->all("set"));
  if (!target) return withCode(ExitCode::BadInput, target.takeError());
  auto simulator = sim::Simulator::create(*target, options);
  if (!simulator) return simulationFailure(simulator.takeError());
  if (llvm::Error error = (*simulator)->load(parsed->positional[0]))
    return withCode(ExitCode::BadInput, std::move(error));
  auto launch = (*simulator)->run();
  if (!launch) return simulationFailure(launch.takeError());

  RunReport report;
  report.file = parsed->positional[0];
  report.entry = "_start";
  report.targetName = target->name;
  report.target = &*target;
  report.hostSeconds = launch->hostSeconds;
  const std::uint64_t exitCode = launch->exitCode;
  LaunchResult result;
  result.kernel = "_start";
  result.report = std::move(*launch);
  // It has been shown already.
  if (!jsonOnly) result.report.output.clear();
  report.launches.push_back(std::move(result));
  if (jsonOnly)
    llvm::outs() << llvm::formatv("{0:2}", toJson(report)) << "\n";
  else
    printRunReport(report, llvm::outs());
  if (json && !json->empty())
    if (llvm::Error error = withCode(
            ExitCode::BadInput, runtime::writeFileAtomically(*json, llvm::formatv("{0:2}\n", toJson(report)).str())))
      return error;
  if (exitCode != 0)
    return commandError(ExitCode::ProgramError, "the program exited with code " + llvm::Twine(exitCode));
  return llvm::Error::success();
}

}  // namespace forerun::driver
