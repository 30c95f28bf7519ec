//===- Conversions.h - conversions of buffers as maps -----------------------===//
// Before lowering: a copy that converts becomes a map whose body is this language's conversion, exact for every pair of
// types; so does what a product reads in 8-bit floats.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace forerun::backends::host {

/// Rewrites the kernels of `module`, whose semantics have been expanded.
void expandConversions(mlir::ModuleOp module);

}  // namespace forerun::backends::host
