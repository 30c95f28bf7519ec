//===- Interpreter.cpp - the reference, as its users see it -----------------===//
// Work items follow each other; each starts with nothing but its arguments.
#include "compiler/interpreter/Interpreter.h"

#include "compiler/interpreter/Parties.h"

namespace forerun::interpreter {

llvm::LogicalResult Interpreter::runHost(mlir::func::FuncOp function, llvm::ArrayRef<RuntimeValue> arguments,
                                         LaunchHandler launch) {
  Execution host(options_);
  host.launch = std::move(launch);
  for (auto [value, argument] : llvm::zip_equal(function.getArguments(), arguments)) host.set(value, argument);
  return host.runBlock(function.getBody().front());
}

/// One work item, from its arguments on.
static llvm::LogicalResult runItem(Execution& execution, const Launch& launch, std::int64_t item) {
  tile::KernelOp kernel = launch.kernel;
  execution.core = item % static_cast<std::int64_t>(execution.options.machine.cores);
  for (auto [value, argument] : llvm::zip_equal(kernel.getKernelArguments(), launch.arguments))
    execution.set(value, argument);
  const std::int64_t ids[] = {item % launch.grid[0], item / launch.grid[0] % launch.grid[1],
                              item / launch.grid[0] / launch.grid[1]};
  for (auto [d, value] : llvm::enumerate(kernel.getGridIds())) execution.set(value, Scalar::ofInt(ids[d]));
  if (llvm::failed(execution.runBlock(kernel.getBody().front()))) return llvm::failure();
  if (execution.pending->empty()) return llvm::success();
  return kernel.emitError() << "the asynchronous operation at " << execution.pending->front().place
                            << " was never waited for; add tile.wait for its token";
}

/// Work items that wait for each other, each on a core of its own.
static llvm::LogicalResult runTogether(const Options& options, const Launch& launch, tile::ExecOp joined,
                                       std::int64_t count) {
  const std::int64_t cores = options.machine.cores, cluster = options.machine.coresPerCluster;
  if (count > cores)
    return joined.emitError() << "waits for all " << count
                              << " work items of the launch, which then have to run at the "
                              << "same time; there are " << cores << " cores (tile.num_cores)";
  Parties items("work item");
  const auto chip = std::make_shared<BarrierState>(BarrierState{count});
  std::shared_ptr<BarrierState> ofCluster;
  for (std::int64_t item = 0; item < count; ++item) {
    if (item % cluster == 0) ofCluster = std::make_shared<BarrierState>(BarrierState{std::min(cluster, count - item)});
    auto own = std::make_shared<Execution>(options);
    own->items = &items;
    own->chipMeeting = chip;
    own->clusterMeeting = ofCluster;
    items.add(llvm::Twine(item), [own, &launch, item] { return runItem(*own, launch, item); });
  }
  return items.run(joined);
}

llvm::LogicalResult Interpreter::runKernel(const Launch& launch) {
  tile::KernelOp kernel = launch.kernel;
  const std::int64_t count = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (auto exec : kernel.getBody().front().getOps<tile::ExecOp>())
    if (exec.getScope() > tile::Scope::Core) return runTogether(options_, launch, exec, count);
  for (std::int64_t item = 0; item < count; ++item) {
    kernel_.clear();
    kernel_.pending->clear();
    if (llvm::failed(runItem(kernel_, launch, item))) return llvm::failure();
  }
  kernel_.clear();
  return llvm::success();
}

}  // namespace forerun::interpreter
