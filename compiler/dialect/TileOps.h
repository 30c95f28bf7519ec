//===- TileOps.h - operations of the tile dialect --------------------------===//
// Generated op classes, with the resources that their memory effects name.
#pragma once

#include "compiler/dialect/Primitive.h"
#include "compiler/dialect/TileDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace forerun::tile {

/// One resource a memory space, so that accesses to different spaces never order each other.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() override { return "tile.global"; }
};
struct ScratchMemory : mlir::SideEffects::Resource::Base<ScratchMemory> {
  llvm::StringRef getName() override { return "tile.scratch"; }
};
struct AccMemory : mlir::SideEffects::Resource::Base<AccMemory> {
  llvm::StringRef getName() override { return "tile.acc"; }
};
struct RegMemory : mlir::SideEffects::Resource::Base<RegMemory> {
  llvm::StringRef getName() override { return "tile.reg"; }
};
/// Waits, barriers, asserts: order that is not tied to a space.
struct Synchronization : mlir::SideEffects::Resource::Base<Synchronization> {
  llvm::StringRef getName() override { return "tile.sync"; }
};

/// Takes note of asynchronous operations and touches nothing itself: their conflicts were met when they were issued.
bool takesTokens(mlir::Operation* op);

/// The resource of a buffer type's space.
mlir::SideEffects::Resource* memoryResource(BufferType type);

}  // namespace forerun::tile

#define GET_OP_CLASSES
#include "compiler/dialect/TileOps.h.inc"
