//===- Work.h - counting what a launch must do ------------------------------===//
// Counted by running a kernel's control flow without its data: multiply-adds, element operations, compulsory bytes,
// commands.
#pragma once

#include "compiler/analysis/LaunchWork.h"
#include "compiler/interpreter/Interpreter.h"

namespace forerun::analysis {

/// Counts one launch. Fails (diagnosed) where control flow depends on computed data or takes too long to follow.
llvm::FailureOr<LaunchWork> countWork(const interpreter::Launch& launch, unsigned cores, unsigned teams);

}  // namespace forerun::analysis
