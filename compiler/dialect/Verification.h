//===- Verification.h - checks that several operations share ---------------===//
// Buffer compatibility while parameters are unbound, and enclosing scopes.
#pragma once

#include "compiler/dialect/TileOps.h"

namespace forerun::tile {

/// Equal extents, or at least one names a parameter: then the check waits for the module with bound parameters.
bool compatibleExtents(BufferType a, unsigned dimA, BufferType b, unsigned dimB);
/// Equal, or at least one is `!tile.param`.
bool compatibleElements(mlir::Type a, mlir::Type b);

/// "dimension 1 ..." diagnostics of element-wise operands: same rank, equal extents, no `?`.
llvm::LogicalResult verifySameShape(mlir::Operation* op, BufferType a, llvm::StringRef nameA, BufferType b,
                                    llvm::StringRef nameB);
/// No `?` extent: "take a window with tile.slice first".
llvm::LogicalResult verifyWindow(mlir::Operation* op, BufferType type, llvm::StringRef name);
/// A dimension of a buffer of this rank.
llvm::LogicalResult verifyDim(mlir::Operation* op, int64_t dim, BufferType type);
/// `from` has `to`'s rank, and its extents or 1: "input 0", "outputs".
llvm::LogicalResult verifyBroadcast(mlir::Operation* op, BufferType from, llvm::StringRef nameFrom, BufferType to,
                                    llvm::StringRef nameTo);
/// As many indices as dimensions.
llvm::LogicalResult verifyAccess(mlir::Operation* op, BufferType type, size_t indices);
/// No packed elements, which only moves and conversions take.
llvm::LogicalResult verifyWholeBytes(mlir::Operation* op, mlir::Type element);
/// `overflow` as the types have it.
llvm::LogicalResult verifyOverflow(mlir::Operation* op, Overflow overflow, mlir::Type from, mlir::Type to);
/// No small floats or packed integers: those are converted first.
llvm::LogicalResult verifyComputable(mlir::Operation* op, mlir::Type element);
/// Elements of `from` combine into elements of `to`; no kind that yields an index.
llvm::LogicalResult verifyCombination(mlir::Operation* op, ReduceKind kind, mlir::Type from, mlir::Type to);
/// The extent as the user wrote it.
std::string printExtent(BufferType type, unsigned dim);

/// The nearest region around `op` that single teams, or their lanes, execute; or null.
ExecOp enclosingTeamExec(mlir::Operation* op);

}  // namespace forerun::tile
