//===- DeviceRun.h - a kernel file on the simulator ---------------------------===//
// Compiles the kernels, executes the host function, and turns its launches into launches on the simulated chip.
#pragma once

#include "compiler/backends/lowering/Dispatch.h"
#include "compiler/driver/HostArguments.h"
#include "compiler/driver/KernelFile.h"
#include "compiler/driver/RunReport.h"
#include "simulator/Simulator.h"
#include "targets/TargetSpec.h"

namespace forerun::driver {

struct DeviceProgram {
  std::vector<char> elf;
};

/// CompileError when a kernel cannot be lowered for the target. The file's module is left as it is. `explainLayouts`:
/// where to say which layout each buffer gets, or null.
llvm::Expected<DeviceProgram> compileForDevice(KernelFile& file, const targets::TargetSpec& target,
                                               llvm::raw_ostream* explainLayouts,
                                               const backends::DispatchOptions& dispatch);

struct DeviceRun {
  std::vector<LaunchResult> launches;
  std::vector<runtime::Tensor> outputs;  ///< one an argument that is an output
  std::vector<std::string> notes;
};

llvm::Expected<DeviceRun> runOnDevice(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                      const DeviceProgram& program, const targets::TargetSpec& target,
                                      const sim::Options& options);

}  // namespace forerun::driver
