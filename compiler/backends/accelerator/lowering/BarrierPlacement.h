//===- BarrierPlacement.h - where the teams of a core must meet ------------===//
// Walks a kernel in program order with the accesses since the last barrier, and asks for one exactly where data moves
// between team sets.
#pragma once

#include "compiler/backends/accelerator/lowering/Accesses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace forerun::backends::accelerator {

struct BarrierPlan {
  llvm::DenseSet<mlir::Operation*> before;  ///< operations that all teams meet before
  bool any() const { return !before.empty(); }
};

/// `overlap(a, b)`: whether two roots share bytes (equal, or placed over one another).
BarrierPlan placeBarriers(tile::KernelOp kernel, unsigned teams,
                          llvm::function_ref<bool(mlir::Value, mlir::Value)> overlap);

}  // namespace forerun::backends::accelerator
