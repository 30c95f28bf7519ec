//===- HostRun.cpp - a kernel file on this computer's CPU -------------------===//
// Storages of the host function are the kernels' global memory.
#include "compiler/driver/HostRun.h"

#include "compiler/analysis/Work.h"
#include "compiler/driver/LaunchWords.h"
#include "compiler/pipeline/Stages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/Diagnostics.h"

#include <chrono>
#include <map>

namespace forerun::driver {

namespace host = backends::host;
using interpreter::Launch;
using interpreter::Storage;
using interpreter::View;

llvm::Expected<HostProgram> compileForHost(KernelFile& file, const targets::HostSpec& target,
                                           llvm::raw_ostream* explainLayouts) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(file.module().clone());
  if (llvm::failed(pipeline::inferLayouts(*copy, passes::Accumulators::Memory, explainLayouts)))
    return commandError(ExitCode::CompileError, "");
  auto lowered = host::lowerTileToLlvm(*copy, target);
  if (!lowered) return withCode(ExitCode::CompileError, lowered.takeError());
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = host::emitLlvmIr(*copy, *context, /*optimizationLevel=*/3);
  if (!module) return withCode(ExitCode::CompileError, module.takeError());
  auto program = host::Program::create(std::move(*module), std::move(context), *lowered, target.coreCount());
  if (!program) return withCode(ExitCode::CompileError, program.takeError());
  return HostProgram{std::move(lowered->stops), std::move(*program)};
}

namespace {

void reportStop(const host::Stop& stop, std::int64_t value) {
  const auto [before, after] = llvm::StringRef(stop.text).split("{value}");
  auto error = mlir::emitError(stop.location) << before;
  if (before.size() != stop.text.size()) error << value << after;
}

/// Nothing where it cannot be counted.
void countWork(LaunchResult& launched, const Launch& launch, const targets::HostSpec& target) {
  mlir::ScopedDiagnosticHandler silent(launch.location.getContext(), [](mlir::Diagnostic&) { return llvm::success(); });
  auto work = analysis::countWork(launch, analysis::machineOf(target));
  if (llvm::succeeded(work)) launched.work = std::move(*work);
}

}  // namespace

llvm::Expected<HostRun> runOnHost(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                  const HostProgram& program, const targets::HostSpec& target) {
  HostRun result;
  interpreter::Options options;
  options.machine = analysis::machineOf(target);
  options.data = false;
  const std::vector<interpreter::RuntimeValue> values = makeRuntimeArguments(arguments, /*data=*/false);
  std::map<std::shared_ptr<Storage>, runtime::Tensor> memory;
  for (auto [argument, value] : llvm::zip_equal(arguments, values))
    if (!argument.isScalar) memory.emplace(std::get<View>(value).storage, argument.data);
  // Buffers of the host function itself start with a pattern that no result has.
  auto addressOf = [&](const std::shared_ptr<Storage>& storage) -> llvm::Expected<std::uint64_t> {
    auto [place, isNew] = memory.try_emplace(storage, storage->type, std::vector<std::int64_t>{storage->elements()});
    if (isNew) place->second.poison();
    return reinterpret_cast<std::uintptr_t>(place->second.bytes.data());
  };
  llvm::Error failure = llvm::Error::success();
  const auto status =
      interpreter::Interpreter(options).runHost(entry, values, [&](const Launch& launch) -> llvm::LogicalResult {
        Launch copy = launch;
        LaunchResult launched;
        launched.kernel = copy.kernel.getName().str();
        launched.grid = launch.grid;
        countWork(launched, launch, target);
        auto words = launchWords(launch, addressOf);
        if (!words) {
          failure = llvm::joinErrors(std::move(failure), words.takeError());
          return llvm::failure();
        }
        const auto start = std::chrono::steady_clock::now();
        auto stopped = program.program->launch(launched.kernel, launch.grid, *words);
        launched.report.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!stopped) {
          failure = llvm::joinErrors(std::move(failure), stopped.takeError());
          return llvm::failure();
        }
        if (*stopped) {
          reportStop(program.stops[(*stopped)->stop], (*stopped)->value);
          return llvm::failure();
        }
        result.launches.push_back(std::move(launched));
        return llvm::success();
      });
  if (failure) return withCode(ExitCode::BadInput, std::move(failure));
  if (llvm::failed(status)) return commandError(ExitCode::ProgramError, "");
  for (auto [argument, value] : llvm::zip_equal(arguments, values))
    if (argument.isOutput) result.outputs.push_back(std::move(memory.at(std::get<View>(value).storage)));
  return result;
}

}  // namespace forerun::driver
