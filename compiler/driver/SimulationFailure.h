//===- SimulationFailure.h - errors of the model as exit codes -----------------===//
// The kind of a simulator's error decides what scripts see.
#pragma once

#include "compiler/driver/CommandError.h"

namespace forerun::driver {

/// A simulator's error with the exit code of its kind; success stays success.
llvm::Error simulationFailure(llvm::Error error);

}  // namespace forerun::driver
