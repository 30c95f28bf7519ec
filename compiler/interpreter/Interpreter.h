//===- Interpreter.h - the reference, as its users see it -------------------===//
// Runs host functions and kernels of a module directly, after --tile-bind-params and --tile-expand-semantics. Errors
// are diagnostics at the operation at fault: uninitialised reads, accesses outside, touching what is in flight, failed
// assertions.
#pragma once

#include "compiler/interpreter/Execution.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forerun::interpreter {

class Interpreter {
 public:
  explicit Interpreter(Options options) : options_(options), kernel_(options_) {}

  using LaunchHandler = std::function<llvm::LogicalResult(const Launch&)>;

  /// Executes a host function; `launch` is called for every tile.launch. Buffers that the function allocates are
  /// storages without data when the options say so, and live as long as a view of them.
  llvm::LogicalResult runHost(mlir::func::FuncOp function, llvm::ArrayRef<RuntimeValue> arguments,
                              LaunchHandler launch);

  /// Runs a kernel for every work item of the grid, one after another (x fastest).
  llvm::LogicalResult runKernel(const Launch& launch);

  const Options& options() const { return options_; }

 private:
  Options options_;
  Execution kernel_;  ///< kept between launches for its translated map bodies
};

}  // namespace forerun::interpreter
