//===- HostCode.h - what LLVM is told about this CPU ------------------------===//
// The TargetMachine for the computer that the compiler runs on, with all that its CPU can do.
#pragma once

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

namespace forerun::backends::host {

/// One rounding an operation: nothing is contracted.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine(unsigned optimizationLevel);

/// Bits of a vector register that arithmetic should fill.
unsigned vectorBits();

}  // namespace forerun::backends::host
