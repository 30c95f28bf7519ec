//===- Check.h - a run's results against the reference -----------------------===//
// Compares every output inside the radius that the interpreter derives, and says what the bound was.
#pragma once

#include "compiler/driver/CheckReport.h"
#include "compiler/driver/ReferenceRun.h"

namespace forerun::driver {

/// `results` are parallel to `reference.outputs`.
CheckReport checkOutputs(llvm::ArrayRef<HostArgument> arguments, const ReferenceRun& reference,
                         llvm::ArrayRef<runtime::Tensor> results);

}  // namespace forerun::driver
