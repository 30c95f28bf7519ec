//===- HoistDescriptors.h - xd.set out of loops -----------------------------===//
// Issue slots are modelled: a loop should set only the fields that change.
#pragma once

namespace mlir {
class Operation;
}

namespace forerun::backends::accelerator {

/// Moves loop-invariant code and the descriptor fields that become invariant with it out of every loop under `root`.
void hoistDescriptors(mlir::Operation* root);

}  // namespace forerun::backends::accelerator
