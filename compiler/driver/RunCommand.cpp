//===- RunCommand.cpp - forerun run and forerun interpret ----------------------===//
// Parse, bind, expand, compile, run launch by launch, check, write outputs, report.
#include "compiler/analysis/Work.h"
#include "compiler/driver/Check.h"
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "compiler/driver/DeviceRun.h"
#include "compiler/driver/DispatchArguments.h"
#include "compiler/driver/HostRun.h"
#include "compiler/driver/RunReport.h"
#include "compiler/runtime/AtomicFile.h"
#include "compiler/runtime/Npy.h"
#include "targets/Load.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace forerun::driver {

namespace {

using Value = OptionSpec::Value;

constexpr OptionSpec kOptions[] = {
    {"target", Value::Required, "T",
     "target name ('host': this computer), path of a target file, or 'interpreter' (default: edge)"},
    {"set", Value::Required, "KEY=VALUE", "override a key of the target, e.g. teams.0.count=8", true},
    {"param", Value::Required, "NAME=VALUE", "bind a tile.param, e.g. TM=64 or T=bf16", true},
    {"in", Value::Required, "NAME=INPUT",
     "data of an argument: file.npy, or KIND:SHAPE[xTYPE][:key=value]... with KIND one of randn randint uniform "
     "zeros full iota special, e.g. a=randn:128x256:seed=1; a number for a scalar",
     true},
    {"out", Value::Required, "NAME=FILE.npy", "write an output when the run has succeeded", true},
    {"check", Value::None, "", "compare with the interpreter, inside a printed bound; exit code 1 when it fails"},
    {"json", Value::Optional, "FILE", "report as JSON, on standard output (instead of the text) or into FILE"},
    {"mode", Value::Required, "MODE", "timing (default) or functional (right results, no cycles)"},
    {"max-cycles", Value::Required, "N", "stop with exit code 6 after N cycles of one launch"},
    {"entry", Value::Required, "NAME", "host function to execute (default: main)"},
    {"explain-layouts", Value::None, "", "say on standard error where each buffer lies and why"},
    kExplainDispatch,
    kStrict,
    kPrefer,
    {"help", Value::None, "", "this text"},
};

struct RunOptions {
  std::string file, target, entry;
  std::optional<targets::TargetSpec> spec;  ///< absent, and no host: interpreter
  std::optional<targets::HostSpec> host;
  sim::Options simulation;
  backends::DispatchOptions dispatch;
  Arguments arguments;
};

llvm::Expected<RunOptions> parseRun(llvm::StringRef command, llvm::StringRef defaultTarget, CommandArguments args) {
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  RunOptions options;
  if (parsed->positional.size() != 1)
    return commandError(ExitCode::Usage, "expected one kernel file, found " + llvm::Twine(parsed->positional.size()) +
                                             "; usage: forerun " + command + " KERNEL.mlir [options]");
  options.file = parsed->positional[0];
  options.target = parsed->get("target").value_or(defaultTarget.str());
  options.entry = parsed->get("entry").value_or("main");
  const std::string mode = parsed->get("mode").value_or("timing");
  if (mode != "timing" && mode != "functional")
    return commandError(ExitCode::Usage, "--mode is timing or functional, found '" + mode + "'");
  options.simulation.mode = mode == "timing" ? sim::Mode::Timing : sim::Mode::Functional;
  auto maxCycles = parsed->integer("max-cycles", 0);
  if (!maxCycles) return maxCycles.takeError();
  options.simulation.maxCycles = *maxCycles;
  if (auto json = parsed->get("json"); json && !json->empty())
    if (llvm::Error error = withCode(ExitCode::BadInput, runtime::checkWritable(*json))) return std::move(error);
  if (options.target != "interpreter") {
    auto target = targets::loadAny(options.target, parsed->all("set"));
    if (!target) return withCode(ExitCode::BadInput, target.takeError());
    if (auto* host = std::get_if<targets::HostSpec>(&*target)) {
      if (parsed->has("mode") || parsed->has("max-cycles"))
        return commandError(ExitCode::Usage, "--mode, --max-cycles: the host is no model that counts cycles");
      if (choosesVariants(*parsed))
        return commandError(ExitCode::Usage,
                            "--explain-dispatch, --strict, --prefer: this target has one way for each operation");
      options.host = std::move(*host);
    } else {
      auto spec = targets::load(options.target, parsed->all("set"));  // says why another kind does not run
      if (!spec) return withCode(ExitCode::BadInput, spec.takeError());
      options.spec = std::move(*spec);
    }
  } else if (parsed->has("set")) {
    return commandError(ExitCode::Usage, "--set changes a target file; the interpreter has none");
  } else if (parsed->has("explain-layouts")) {
    return commandError(ExitCode::Usage, "--explain-layouts: the interpreter uses no layouts; name a --target");
  } else if (choosesVariants(*parsed)) {
    return commandError(ExitCode::Usage,
                        "--explain-dispatch, --strict, --prefer: the interpreter has no variants; name "
                        "a --target");
  }
  auto dispatch = dispatchOptions(*parsed);
  if (!dispatch) return dispatch.takeError();
  options.dispatch = std::move(*dispatch);
  options.arguments = std::move(*parsed);
  return options;
}

/// Name of an entry's output files, once everything has succeeded.
llvm::Error writeOutputs(llvm::ArrayRef<HostArgument> arguments, llvm::ArrayRef<unsigned> indices,
                         llvm::ArrayRef<runtime::Tensor> results) {
  for (auto [index, tensor] : llvm::zip_equal(indices, results))
    if (!arguments[index].outputFile.empty())
      if (llvm::Error error = withCode(ExitCode::BadInput, runtime::writeNpy(arguments[index].outputFile, tensor)))
        return error;
  return llvm::Error::success();
}

llvm::Error emitReport(const RunOptions& options, const RunReport& report) {
  const auto json = options.arguments.get("json");
  if (json && json->empty()) {
    llvm::outs() << llvm::formatv("{0:2}", toJson(report)) << "\n";
    return llvm::Error::success();
  }
  printRunReport(report, llvm::outs());
  if (!json) return llvm::Error::success();
  return withCode(ExitCode::BadInput,
                  runtime::writeFileAtomically(*json, llvm::formatv("{0:2}\n", toJson(report)).str()));
}

/// As many teams as roles name, at least 1: the interpreter has any number.
unsigned teamsOfRoles(mlir::ModuleOp module) {
  std::int64_t teams = 1;
  module.walk([&](tile::RolesOp roles) {
    for (std::int64_t high : roles.getHigh()) teams = std::max(teams, high);
  });
  return static_cast<unsigned>(teams);
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

llvm::Error execute(RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  auto file = KernelFile::load(options.file);
  if (!file) return file.takeError();
  if (llvm::Error error = (*file)->bindParams(options.arguments.all("param"))) return error;
  if (llvm::Error error = (*file)->expandSemantics()) return error;
  auto entry = (*file)->entry(options.entry);
  if (!entry) return entry.takeError();
  const double frontSeconds = secondsSince(start);
  auto arguments = makeHostArguments(*entry, llvm::sys::path::parent_path(options.file), options.arguments.all("in"),
                                     options.arguments.all("out"));
  if (!arguments) return arguments.takeError();

  RunReport report;
  report.file = options.file;
  report.entry = options.entry;
  report.targetName = options.spec ? options.spec->name : options.host ? options.host->name : "interpreter";
  report.target = options.spec ? &*options.spec : nullptr;
  interpreter::Machine machine;
  if (options.spec)
    machine = analysis::machineOf(*options.spec);
  else if (options.host)
    machine = analysis::machineOf(*options.host);
  else
    machine.teams = machine.computing = machine.perGroup = teamsOfRoles((*file)->module());

  std::vector<unsigned> indices;
  for (unsigned i = 0; i < arguments->size(); ++i)
    if ((*arguments)[i].isOutput) indices.push_back(i);
  std::vector<runtime::Tensor> results;
  const bool check = options.arguments.has("check");
  if (!options.spec && !options.host) {
    report.compileSeconds = frontSeconds;
    auto run = runReference(*entry, *arguments, machine, interpreter::Radii::None);
    if (!run) return run.takeError();
    report.hostSeconds = run->hostSeconds;
    for (const std::string& kernel : run->kernels) report.launches.push_back({kernel, {}, {}, {}, {}});
    if (check)
      report.check = checkOutputs(*arguments, *run, [&] {
        std::vector<runtime::Tensor> same;
        for (const ReferenceOutput& output : run->outputs) same.push_back(output.data);
        return same;
      }());
    for (ReferenceOutput& output : run->outputs) results.push_back(std::move(output.data));
  } else {
    const auto backStart = std::chrono::steady_clock::now();
    llvm::raw_ostream* explainLayouts = options.arguments.has("explain-layouts") ? &llvm::errs() : nullptr;
    auto compiled = [&] { report.compileSeconds = frontSeconds + secondsSince(backStart); };
    if (options.host) {
      auto program = compileForHost(**file, *options.host, explainLayouts);
      if (!program) return program.takeError();
      compiled();
      auto run = runOnHost(*entry, *arguments, *program, *options.host);
      if (!run) return run.takeError();
      for (const LaunchResult& launch : run->launches) report.hostSeconds += launch.report.hostSeconds;
      report.launches = std::move(run->launches);
      results = std::move(run->outputs);
    } else {
      auto program = compileForDevice(**file, *options.spec, explainLayouts, options.dispatch);
      if (!program) return program.takeError();
      compiled();
      const auto runStart = std::chrono::steady_clock::now();
      auto run = runOnDevice(*entry, *arguments, *program, *options.spec, options.simulation);
      if (!run) return run.takeError();
      report.hostSeconds = secondsSince(runStart);
      report.launches = std::move(run->launches);
      report.notes = std::move(run->notes);
      results = std::move(run->outputs);
    }
    if (check) {
      auto reference = runReference(*entry, *arguments, machine, interpreter::Radii::OrderedProducts);
      if (!reference) return reference.takeError();
      report.check = checkOutputs(*arguments, *reference, results);
    }
  }
  if (llvm::Error error = emitReport(options, report)) return error;
  if (report.check && !report.check->passed())
    return commandError(ExitCode::CheckFailed,
                        "results differ from the interpreter's beyond the bound, or nothing was compared");
  return writeOutputs(*arguments, indices, results);
}

llvm::Error runWith(llvm::StringRef command, llvm::StringRef defaultTarget, CommandArguments args) {
  if (llvm::is_contained(args, "--help")) {
    llvm::outs() << "Usage: forerun " << command << " KERNEL.mlir [options]\n\n" << describeOptions(kOptions);
    return llvm::Error::success();
  }
  auto options = parseRun(command, defaultTarget, args);
  if (!options) return options.takeError();
  return execute(*options);
}

}  // namespace

llvm::Error runCommand(CommandArguments args) { return runWith("run", "edge", args); }

llvm::Error interpretCommand(CommandArguments args) { return runWith("interpret", "interpreter", args); }

}  // namespace forerun::driver
