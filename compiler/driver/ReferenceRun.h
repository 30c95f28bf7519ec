//===- ReferenceRun.h - a kernel file on the interpreter --------------------===//
// The reference result of a host function, with the radius inside which conforming results lie.
#pragma once

#include "compiler/driver/HostArguments.h"
#include "compiler/driver/KernelFile.h"

namespace forerun::driver {

struct ReferenceOutput {
  unsigned argument = 0;
  runtime::Tensor data;
  std::vector<double> radius;  ///< one an element; empty = all 0
};

struct ReferenceRun {
  std::vector<ReferenceOutput> outputs;
  std::vector<std::string> kernels;  ///< launched, in order
  double hostSeconds = 0;
};

/// Runs `entry` on the interpreter. Failures are ProgramError and have been diagnosed.
llvm::Expected<ReferenceRun> runReference(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                          const interpreter::Machine& machine, interpreter::Radii radii);

}  // namespace forerun::driver
