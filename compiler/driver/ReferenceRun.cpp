//===- ReferenceRun.cpp - a kernel file on the interpreter ------------------===//
// Launches run as the host function reaches them.
#include "compiler/driver/ReferenceRun.h"

#include <chrono>

namespace forerun::driver {

llvm::Expected<ReferenceRun> runReference(mlir::func::FuncOp entry, llvm::ArrayRef<HostArgument> arguments,
                                          const interpreter::Machine& machine, interpreter::Radii radii) {
  ReferenceRun result;
  interpreter::Options options;
  options.machine = machine;
  options.radii = radii;
  interpreter::Interpreter interpreter(options);
  const std::vector<interpreter::RuntimeValue> values = makeRuntimeArguments(arguments, /*data=*/true);
  const auto start = std::chrono::steady_clock::now();
  const auto status = interpreter.runHost(entry, values, [&](const interpreter::Launch& launch) {
    interpreter::Launch copy = launch;
    result.kernels.push_back(copy.kernel.getName().str());
    return interpreter.runKernel(launch);
  });
  result.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (llvm::failed(status)) return commandError(ExitCode::ProgramError, "");
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isOutput) continue;
    const interpreter::Storage& storage = *std::get<interpreter::View>(values[i]).storage;
    result.outputs.push_back({i, tensorOf(storage), std::vector<double>(storage.radius.begin(), storage.radius.end())});
  }
  return result;
}

}  // namespace forerun::driver
