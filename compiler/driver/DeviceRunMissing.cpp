//===- DeviceRunMissing.cpp - builds without the simulator ------------------------===//
// Says so.
#include "compiler/driver/Commands.h"
#include "compiler/driver/DeviceRun.h"

namespace forerun::driver {

llvm::Error simCommand(CommandArguments) { return commandError(ExitCode::Internal, "this build has no simulator"); }
llvm::Error compileCommand(CommandArguments) { return commandError(ExitCode::Internal, "this build has no back end"); }
llvm::Expected<DeviceProgram> compileForDevice(KernelFile&, const targets::TargetSpec&) {
  return commandError(ExitCode::Internal, "this build has no back end; use --target=interpreter");
}
llvm::Expected<DeviceRun> runOnDevice(mlir::func::FuncOp, llvm::ArrayRef<HostArgument>, const DeviceProgram&,
                                      const targets::TargetSpec&, const sim::Options&) {
  return commandError(ExitCode::Internal, "this build has no simulator; use --target=interpreter");
}

}  // namespace forerun::driver
