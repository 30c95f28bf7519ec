//===- Interpreter.cpp - the reference, as its users see it -----------------===//
// Work items follow each other; each starts with nothing but its arguments.
#include "compiler/interpreter/Interpreter.h"

namespace forerun::interpreter {

llvm::LogicalResult Interpreter::runHost(mlir::func::FuncOp function, llvm::ArrayRef<RuntimeValue> arguments,
                                         LaunchHandler launch) {
  Execution host(options_);
  host.launch = std::move(launch);
  for (auto [value, argument] : llvm::zip_equal(function.getArguments(), arguments)) host.set(value, argument);
  return host.runBlock(function.getBody().front());
}

llvm::LogicalResult Interpreter::runKernel(const Launch& launch) {
  tile::KernelOp kernel = launch.kernel;
  std::int64_t item = 0;
  for (std::int64_t z = 0; z < launch.grid[2]; ++z)
    for (std::int64_t y = 0; y < launch.grid[1]; ++y)
      for (std::int64_t x = 0; x < launch.grid[0]; ++x, ++item) {
        kernel_.clear();
        kernel_.pending.clear();
        kernel_.core = item % static_cast<std::int64_t>(options_.cores);
        for (auto [value, argument] : llvm::zip_equal(kernel.getKernelArguments(), launch.arguments))
          kernel_.set(value, argument);
        const std::int64_t ids[] = {x, y, z};
        for (auto [d, value] : llvm::enumerate(kernel.getGridIds())) kernel_.set(value, Scalar::ofInt(ids[d]));
        if (llvm::failed(kernel_.runBlock(kernel.getBody().front()))) return llvm::failure();
        if (!kernel_.pending.empty())
          return kernel.emitError() << "the asynchronous operation at " << kernel_.pending.front().place
                                    << " was never waited for; add tile.wait for its token";
      }
  kernel_.clear();
  return llvm::success();
}

}  // namespace forerun::interpreter
