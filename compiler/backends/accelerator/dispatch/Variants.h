//===- Variants.h - the variants of primitives on the accelerator -----------===//
// Their names, who executes them, and what each costs for an operation.
#pragma once

#include "compiler/backends/accelerator/HartCode.h"
#include "compiler/backends/lowering/Dispatch.h"
#include "compiler/dialect/TileOps.h"
#include "targets/TargetSpec.h"

namespace forerun::backends::accelerator {

inline constexpr llvm::StringLiteral kDma = "dma", kMatrix = "matrix";  ///< commands of engines
inline constexpr llvm::StringLiteral kVector = "vector";                ///< lanes along the innermost dimension
inline constexpr llvm::StringLiteral kStrided = "strided";              ///< lanes along the outer of two dimensions
inline constexpr llvm::StringLiteral kAlong = "along";                  ///< lanes along a line, combined
inline constexpr llvm::StringLiteral kSegments = "segments";            ///< lanes with neighbours of a line each
inline constexpr llvm::StringLiteral kAcross = "across";                ///< each lane has a line
inline constexpr llvm::StringLiteral kWords = "words";                  ///< lanes load 64-bit words of several elements
inline constexpr llvm::StringLiteral kRows = "rows";                    ///< an index for strips of a row
inline constexpr llvm::StringLiteral kIndexed = "indexed";              ///< an index a lane
inline constexpr llvm::StringLiteral kScalar = "scalar";                ///< one element after the other
inline constexpr llvm::StringLiteral kQueueOption = "queue";
inline constexpr unsigned kSegmentFields = 8;  ///< elements of a segment
inline constexpr unsigned kProductRows = 4;  ///< rows of a product on the harts that share a strip of the other operand

/// Of an operation whose variant is chosen.
enum class Engine { None, Dma, Matrix };
Engine engineOf(mlir::Operation* op);
inline bool byEngine(mlir::Operation* op) { return engineOf(op) != Engine::None; }

/// Every variant of a primitive, judged for `op` when `sharing` of `teams` execute it together.
Candidates candidatesOf(mlir::Operation* op, const targets::TargetSpec& target, const ComputeTeams& teams,
                        unsigned sharing);

}  // namespace forerun::backends::accelerator
