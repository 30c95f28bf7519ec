//===- Scopes.h - who executes an operation ----------------------------------===//
// What the regions of tile.exec around an operation say.
#pragma once

#include "compiler/dialect/TileOps.h"

namespace forerun::tile {

/// The units within a core that execute `op`: those of the innermost region around it; Core where none is finer.
Scope scopeOf(mlir::Operation* op);

/// True when units that execute `region` may wait in it for one another: they cannot run one after the other.
bool waitsForOthers(mlir::Region& region);

}  // namespace forerun::tile
