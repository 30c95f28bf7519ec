//===- TileOps.td - every operation of the tile dialect --------------------===//
// The one file that generators are pointed at.
#ifndef FORERUN_COMPILER_DIALECT_TILEOPS_TD
#define FORERUN_COMPILER_DIALECT_TILEOPS_TD

include "compiler/dialect/TileStructureOps.td"
include "compiler/dialect/TileMemoryOps.td"
include "compiler/dialect/TileComputeOps.td"
include "compiler/dialect/TileCollectOps.td"
include "compiler/dialect/TileSelectOps.td"
include "compiler/dialect/TileOrderOps.td"
include "compiler/dialect/TileRoleOps.td"
include "compiler/dialect/TileAtomicOps.td"

#endif
