//===- Uniformity.h - which values differ between those who execute a region ==//
// Collectives need everybody: control around them may depend only on what is equal for all.
#pragma once

#include "compiler/dialect/TileOps.h"

namespace forerun::passes {

enum class Uniformity { Uniform, Unknown, Divergent };

/// What is known of a value, and the operation that makes it differ; null where nothing does.
struct Verdict {
  Uniformity uniformity = Uniformity::Uniform;
  mlir::Operation* because = nullptr;
};

/// Whether `value` is equal for all units that execute `region` (of a tile.exec). What is computed outside the region
/// is: its units executed that together. Numbers of units differ; what comes from memory is not known.
Verdict uniformityIn(mlir::Region& region, mlir::Value value);

/// Whether all units that execute `region` come to `op` (within it) equally often: the worst of what the loops and
/// branches around it depend on.
Verdict controlOf(mlir::Region& region, mlir::Operation* op);

}  // namespace forerun::passes
