//===- CompileCommand.cpp - forerun compile ------------------------------------===//
// The pipeline from the command line: which stage to enter at, which to stop after, where the artifact goes.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "compiler/driver/DispatchArguments.h"
#include "compiler/driver/KernelFile.h"
#include "compiler/pipeline/AcceleratorPipeline.h"
#include "compiler/pipeline/HostPipeline.h"
#include "compiler/pipeline/NvptxPipeline.h"
#include "compiler/runtime/AtomicFile.h"
#include "targets/Load.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

namespace {

using Value = OptionSpec::Value;
using pipeline::Stage;

constexpr OptionSpec kOptions[] = {
    {"target", Value::Required, "T", "target name or path of a target file (default: edge)"},
    {"set", Value::Required, "KEY=VALUE", "override a key of the target", true},
    {"param", Value::Required, "NAME=VALUE", "bind a tile.param", true},
    {"emit", Value::Required, "STAGE",
     "stop after tile (parameters bound), expanded, dispatched, xfr, llvm, ll, asm, obj or elf (default); for a GPU: "
     "tile, "
     "expanded, llvm, ll or ptx (default); for the host: tile, expanded, llvm, ll or asm (default)"},
    {"from", Value::Required, "STAGE",
     "the input is what that stage gave (default: tile; also expanded, dispatched, xfr, llvm, ll, obj)"},
    {"output", Value::Required, "FILE",
     "where to write; - is standard output (default: - for text, the input's name with .o or .elf else)", false, "o"},
    {"opt", Value::Required, "LEVEL", "optimisation of LLVM, 0 to 3 (default: 3)"},
    {"explain-layouts", Value::None, "", "say on standard error where each buffer lies and why"},
    kExplainDispatch,
    kStrict,
    kPrefer,
    {"help", Value::None, "", "this text"},
};

/// The stage that an option names, among those that the target's pipeline has.
llvm::Expected<Stage> stageOf(const Arguments& arguments, llvm::StringRef option, Stage fallback,
                              llvm::ArrayRef<Stage> stages) {
  const auto name = arguments.get(option);
  if (!name) return fallback;
  const auto stage = pipeline::parseStage(*name);
  if (stage && llvm::is_contained(stages, *stage)) return *stage;
  return commandError(ExitCode::Usage, "--" + option + ": " +
                                           (stage ? "this target has no stage '" : "unknown stage '") + *name +
                                           "'; known: " + pipeline::stageNames(stages));
}

/// The default place: text goes to standard output, bytes beside where the command runs.
std::string defaultOutput(llvm::StringRef file, Stage stage) {
  if (pipeline::isText(stage)) return "-";
  llvm::StringRef stem = file.substr(file.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  return (stem + (stage == Stage::Obj ? ".o" : ".elf")).str();
}

llvm::ArrayRef<Stage> stagesOf(const targets::AnyTarget& target) {
  if (std::holds_alternative<targets::GpuSpec>(target)) return pipeline::nvptxStages();
  if (std::holds_alternative<targets::HostSpec>(target)) return pipeline::hostStages();
  return pipeline::acceleratorStages();
}

template <typename Target>
llvm::Expected<std::string> compileFile(const std::string& file, Stage from, const Target& target,
                                        const pipeline::PipelineOptions& options) {
  if (!pipeline::isMlir(from)) {
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/true);
    if (!buffer) return commandError(ExitCode::BadInput, file + ": cannot be read: " + buffer.getError().message());
    return pipeline::runFromBytes((*buffer)->getBuffer(), file, from, target, options);
  }
  auto kernel = KernelFile::load(file);
  if (!kernel) return kernel.takeError();
  return pipeline::runFromModule((*kernel)->module(), from, target, options);
}

}  // namespace

llvm::Error compileCommand(CommandArguments args) {
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << "Usage: forerun compile KERNEL.mlir [options]\n\n" << describeOptions(kOptions);
    return llvm::Error::success();
  }
  if (parsed->positional.size() != 1)
    return commandError(ExitCode::Usage, "expected one kernel file, found " + llvm::Twine(parsed->positional.size()) +
                                             "; usage: forerun compile KERNEL.mlir [options]");
  const std::string file = parsed->positional[0];
  auto level = parsed->integer("opt", 3);
  if (!level) return level.takeError();
  if (*level > 3) return commandError(ExitCode::Usage, "--opt is 0 to 3, found " + llvm::Twine(*level));
  auto target = targets::loadAny(parsed->get("target").value_or("edge"), parsed->all("set"));
  if (!target) return withCode(ExitCode::BadInput, target.takeError());
  const auto stages = stagesOf(*target);
  auto emit = stageOf(*parsed, "emit", stages.back(), stages);
  if (!emit) return emit.takeError();
  auto from = stageOf(*parsed, "from", stages.front(), stages);
  if (!from) return from.takeError();
  if (*from == Stage::Asm || *from == stages.back())
    return commandError(ExitCode::Usage, "--from=" + pipeline::stageName(*from) + ": nothing follows that stage");
  if (*emit < *from || (*emit == Stage::Asm && *from == Stage::Obj))
    return commandError(ExitCode::Usage,
                        "--emit=" + pipeline::stageName(*emit) + " comes before --from=" + pipeline::stageName(*from));
  const std::string output = parsed->get("output").value_or(defaultOutput(file, *emit));
  if (output != "-")
    if (llvm::Error error = withCode(ExitCode::BadInput, runtime::checkWritable(output))) return error;

  pipeline::PipelineOptions options;
  options.stopAfter = *emit;
  options.params.assign(parsed->all("param").begin(), parsed->all("param").end());
  options.optimizationLevel = static_cast<unsigned>(*level);
  if (parsed->has("explain-layouts")) {
    if (*from > Stage::Expanded || *emit == Stage::Tile)
      return commandError(ExitCode::Usage,
                          "--explain-layouts: layouts are chosen behind stage 'tile' and up to "
                          "'expanded', which this command does not run");
    options.explainLayouts = &llvm::errs();
  }
  if (choosesVariants(*parsed) && !llvm::is_contained(stages, Stage::Dispatched))
    return commandError(ExitCode::Usage,
                        "--explain-dispatch, --strict, --prefer: this target has one way for each operation");
  if (choosesVariants(*parsed) && (*from > Stage::Dispatched || *emit < Stage::Dispatched))
    return commandError(
        ExitCode::Usage,
        "--explain-dispatch, --strict, --prefer: variants are chosen behind stage 'expanded', which this "
        "command does not run to stage 'dispatched'");
  auto dispatch = dispatchOptions(*parsed);
  if (!dispatch) return dispatch.takeError();
  options.dispatch = std::move(*dispatch);
  auto artifact = std::visit([&](const auto& spec) { return compileFile(file, *from, spec, options); }, *target);
  if (!artifact) return withCode(ExitCode::CompileError, artifact.takeError());
  if (output == "-") {
    llvm::outs() << *artifact;
    return llvm::Error::success();
  }
  return withCode(ExitCode::BadInput, runtime::writeFileAtomically(output, *artifact));
}

}  // namespace forerun::driver
