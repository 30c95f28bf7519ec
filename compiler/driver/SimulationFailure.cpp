//===- SimulationFailure.cpp - errors of the model as exit codes ---------------===//
// One switch over the kinds.
#include "compiler/driver/SimulationFailure.h"

#include "simulator/Simulator.h"

namespace forerun::driver {

llvm::Error simulationFailure(llvm::Error error) {
  ExitCode code = ExitCode::BadInput;
  error = llvm::handleErrors(std::move(error), [&](std::unique_ptr<sim::SimulationError> failure) -> llvm::Error {
    switch (failure->details.kind) {
      case sim::ErrorKind::CycleLimit:
        code = ExitCode::CycleLimit;
        break;
      case sim::ErrorKind::ModelBug:
        code = ExitCode::Internal;
        break;
      case sim::ErrorKind::BadConfig:
      case sim::ErrorKind::UnsupportedFeature:
        code = ExitCode::BadInput;
        break;
      case sim::ErrorKind::IllegalProgram:
      case sim::ErrorKind::Deadlock:
        code = ExitCode::ProgramError;
        break;
    }
    return llvm::Error(std::move(failure));
  });
  return withCode(code, std::move(error));
}

}  // namespace forerun::driver
