//===- DeviceRun.cpp - a kernel file on the simulator -------------------------===//
// Storages of the host function stand for allocations in the chip's global memory.
#include "compiler/driver/DeviceRun.h"

#include "compiler/analysis/Work.h"
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/driver/LaunchWords.h"
#include "compiler/driver/SimulationFailure.h"
#include "compiler/pipeline/Stages.h"

#include "mlir/IR/Diagnostics.h"

#include <map>

namespace forerun::driver {

namespace {

using interpreter::Launch;
using interpreter::RuntimeValue;
using interpreter::Storage;
using interpreter::View;

/// The chip's memory as the host function sees it.
class DeviceMemory {
 public:
  explicit DeviceMemory(sim::Simulator& simulator) : simulator_(simulator) {}

  /// Allocates on first use. Buffers of the host function itself start with a pattern that no result has.
  llvm::Expected<std::uint64_t> addressOf(const std::shared_ptr<Storage>& storage) {
    if (const auto found = addresses_.find(storage); found != addresses_.end()) return found->second;
    runtime::Tensor poison(storage->type, {storage->elements()});
    poison.poison();
    return place(storage, poison.bytes);
  }

  /// `elements` as a tensor has them.
  llvm::Expected<std::uint64_t> place(const std::shared_ptr<Storage>& storage, llvm::ArrayRef<std::uint8_t> elements) {
    std::vector<std::uint8_t> packed;
    if (isa::isPacked(storage->type)) packed = runtime::toDevice(storage->type, storage->shape, elements);
    const llvm::ArrayRef<std::uint8_t> bytes = isa::isPacked(storage->type) ? llvm::ArrayRef(packed) : elements;
    auto address = simulator_.allocate(std::max<std::uint64_t>(bytes.size(), 1));
    if (!address) return address.takeError();
    if (llvm::Error error = simulator_.write(*address, bytes)) return std::move(error);
    addresses_[storage] = *address;
    return *address;
  }

 private:
  sim::Simulator& simulator_;
  std::map<std::shared_ptr<Storage>, std::uint64_t> addresses_;
};

/// docs/machine-contract.md, "Launch": the grid comes first.
llvm::Expected<std::vector<std::uint64_t>> argumentBlock(const Launch& launch, DeviceMemory& memory) {
  auto words = launchWords(launch, [&](const std::shared_ptr<Storage>& storage) { return memory.addressOf(storage); });
  if (words) words->insert(words->begin(), launch.grid.begin(), launch.grid.end());
  return words;
}

}  // namespace

llvm::Expected<DeviceProgram> compileForDevice(KernelFile& file, const targets::TargetSpec& target,
                                               llvm::raw_ostream* explainLayouts,
                                               const backends::DispatchOptions& dispatch) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(file.module().clone());
  if (llvm::failed(pipeline::inferLayouts(*copy, passes::Accumulators::Memory, explainLayouts)))
    return commandError(ExitCode::CompileError, "");
  backends::accelerator::CompileOptions options;
  options.dispatch = dispatch;
  auto program = backends::accelerator::compileModule(*copy, target, options);
  if (!program) return withCode(ExitCode::CompileError, program.takeError());
  return DeviceProgram{std::move(program->elf)};
}

llvm::Expected<DeviceRun> runOnDevice(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                      const DeviceProgram& program, const targets::TargetSpec& target,
                                      const sim::Options& options) {
  DeviceRun result;
  auto simulator = sim::Simulator::create(target, options);
  if (!simulator) return simulationFailure(simulator.takeError());
  const auto elf = llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(program.elf.data()), program.elf.size());
  if (llvm::Error error = (*simulator)->loadBytes(elf, "the compiled program"))
    return simulationFailure(std::move(error));

  DeviceMemory memory(**simulator);
  const std::vector<RuntimeValue> values = makeRuntimeArguments(arguments, /*data=*/false);
  for (auto [argument, value] : llvm::zip_equal(arguments, values))
    if (!argument.isScalar)
      if (auto address = memory.place(std::get<View>(value).storage, argument.data.bytes); !address)
        return simulationFailure(address.takeError());

  interpreter::Options hostOptions;
  hostOptions.machine = analysis::machineOf(target);
  hostOptions.data = false;
  llvm::Error failure = llvm::Error::success();
  const auto status =
      interpreter::Interpreter(hostOptions).runHost(entry, values, [&](const Launch& launch) -> llvm::LogicalResult {
        Launch copy = launch;
        LaunchResult launched;
        launched.kernel = copy.kernel.getName().str();
        launched.grid = launch.grid;
        auto run = [&]() -> llvm::Error {
          // The bound comes first: it must not know the result.
          llvm::FailureOr<analysis::LaunchWork> work = llvm::failure();
          {
            mlir::ScopedDiagnosticHandler silent(entry.getContext(), [](mlir::Diagnostic&) { return llvm::success(); });
            work = analysis::countWork(launch, hostOptions.machine);
          }
          if (llvm::succeeded(work)) {
            launched.roofline = analysis::roofline(*work, target);
            launched.work = std::move(*work);
          } else {
            result.notes.push_back("no roofline for @" + launched.kernel +
                                   ": its control flow depends on computed data, or is too long to count");
          }
          auto words = argumentBlock(launch, memory);
          if (!words) return words.takeError();
          std::array<std::uint64_t, 3> grid{};
          for (unsigned d = 0; d < 3; ++d) grid[d] = static_cast<std::uint64_t>(launch.grid[d]);
          auto report = (*simulator)->launch(launched.kernel, grid, *words);
          if (!report) return report.takeError();
          launched.report = std::move(*report);
          return llvm::Error::success();
        };
        if (llvm::Error error = run()) {
          failure = llvm::joinErrors(std::move(failure), std::move(error));
          return llvm::failure();
        }
        result.launches.push_back(std::move(launched));
        return llvm::success();
      });
  if (failure) return simulationFailure(std::move(failure));
  if (llvm::failed(status)) return commandError(ExitCode::ProgramError, "");
  for (auto [argument, value] : llvm::zip_equal(arguments, values)) {
    if (!argument.isOutput) continue;
    runtime::Tensor tensor(argument.data.type, argument.data.shape);
    auto address = memory.addressOf(std::get<View>(value).storage);
    if (!address) return simulationFailure(address.takeError());
    const bool isPacked = isa::isPacked(tensor.type);
    std::vector<std::uint8_t> packed;
    if (isPacked) packed = runtime::toDevice(tensor.type, tensor.shape, tensor.bytes);
    if (llvm::Error error = (*simulator)->read(*address, isPacked ? packed : tensor.bytes))
      return simulationFailure(std::move(error));
    if (isPacked) runtime::fromDevice(tensor.type, tensor.shape, packed, tensor.bytes);
    result.outputs.push_back(std::move(tensor));
  }
  return result;
}

}  // namespace forerun::driver
