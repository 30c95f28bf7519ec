//===- HostRun.h - a kernel file on this computer's CPU ---------------------===//
// Compiles kernels for the host and launches them as the host function says.
#pragma once

#include "compiler/backends/host/execution/Program.h"
#include "compiler/driver/HostArguments.h"
#include "compiler/driver/KernelFile.h"
#include "compiler/driver/RunReport.h"

namespace forerun::driver {

struct HostProgram {
  std::vector<backends::host::Stop> stops;
  std::unique_ptr<backends::host::Program> program;
};

/// CompileError when a kernel cannot be lowered. The file's module is left as it is. `explainLayouts`: where to say
/// which layout each buffer gets, or null.
llvm::Expected<HostProgram> compileForHost(KernelFile& file, const targets::HostSpec& target,
                                           llvm::raw_ostream* explainLayouts);

struct HostRun {
  std::vector<LaunchResult> launches;
  std::vector<runtime::Tensor> outputs;  ///< one an argument that is an output
};

/// Failures of the program are ProgramError and have been diagnosed at their operation.
llvm::Expected<HostRun> runOnHost(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                  const HostProgram& program, const targets::HostSpec& target);

}  // namespace forerun::driver
