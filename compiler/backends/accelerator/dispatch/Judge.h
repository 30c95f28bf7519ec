//===- Judge.h - what judging an operation's variants needs -----------------===//
// The operation's windows and the target's costs, for the files that list the variants of a group of operations.
#pragma once

#include "compiler/backends/accelerator/dispatch/Costs.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/Accesses.h"

namespace forerun::backends::accelerator {

class Judge {
 public:
  Judge(const targets::TargetSpec& target, const ComputeTeams& teams, unsigned sharing)
      : target_(target), costs_(target, teams, sharing) {}

  // MoveVariants.cpp
  Candidates copy(mlir::Operation* op, mlir::Value src, mlir::Value dst) const;
  Candidates fill(tile::FillOp op) const;
  Candidates transpose(tile::TransposeOp op) const;
  Candidates gather(tile::GatherOp op) const;

  // ComputeVariants.cpp
  Candidates map(tile::MapOp op) const;
  Candidates reduce(tile::ReduceOp op) const;
  Candidates scan(tile::ScanOp op) const;
  Candidates matmul(mlir::Operation* op, mlir::Value a, mlir::Value b, mlir::Value acc, bool transposeA,
                    bool transposeB) const;

  /// An operation that is carried out in one way.
  static Candidates only(llvm::StringRef name, llvm::StringRef emits);

 private:
  Candidate transposeWords(tile::TransposeOp op) const;
  /// `walk`: the scan along lines.
  Candidate scanBySegments(tile::ScanOp op, Walk walk) const;
  /// A walk as a variant; refused where the teams' vector units cannot do it.
  Candidate onLanes(llvm::StringRef name, llvm::StringRef emits, const Walk& walk) const;
  /// Along lines, across lines, and an element at a time.
  Candidates lines(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> dims, llvm::StringRef alongEmits,
                   llvm::StringRef acrossEmits, llvm::function_ref<Walk(const LineWalk&)> walkAs) const;
  /// The same walk an element at a time: the plain loop.
  Candidate onScalars(Walk walk) const;
  Candidate byDma(llvm::StringRef emits, const Transfer& transfer) const;
  std::string whyNoLanes(const Shape& shape) const;  ///< empty: the vector units have what it takes

  const targets::TargetSpec& target_;
  Costs costs_;
};

/// Keeps the first reason.
inline void refuse(Candidate& candidate, llvm::StringRef why) {
  if (candidate.refusal.empty()) candidate.refusal = why.str();
}

/// True where neighbours along the innermost dimension lie side by side.
bool isContiguous(mlir::Value buffer);
tile::BufferType bufferType(mlir::Value buffer);
/// From a row of the buffer to the next.
double rowBytes(mlir::Value buffer);
/// A walk over a window of this shape, without what is done on it.
Walk walkOver(llvm::ArrayRef<std::int64_t> shape, std::int64_t lane, bool sharesLanes);
Walk walkOver(llvm::ArrayRef<std::int64_t> shape, const Split& split);
/// Product of the extents.
double elementsOf(llvm::ArrayRef<std::int64_t> shape);

}  // namespace forerun::backends::accelerator
