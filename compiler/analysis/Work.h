//===- Work.h - counting what a launch must do ------------------------------===//
// Counted by running a kernel's control flow without its data: multiply-adds, element operations, compulsory bytes,
// commands.
#pragma once

#include "compiler/analysis/LaunchWork.h"
#include "compiler/interpreter/Interpreter.h"
#include "targets/HostSpec.h"
#include "targets/TargetSpec.h"

namespace forerun::analysis {

/// Counts one launch. Fails (diagnosed) where control flow depends on computed data or takes too long to follow.
llvm::FailureOr<LaunchWork> countWork(const interpreter::Launch& launch, const interpreter::Machine& machine);

/// The units of a target, as the interpreter counts them.
interpreter::Machine machineOf(const targets::TargetSpec& target);
interpreter::Machine machineOf(const targets::HostSpec& target);

}  // namespace forerun::analysis
