//===- IndexRanges.h - what values a kernel's scalars can take --------------===//
// So that checks are emitted only where an index might leave its buffer.
#pragma once

#include "mlir/IR/OpDefinition.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>

namespace mlir {
class DataFlowSolver;
}

namespace forerun::backends::accelerator {

class IndexRanges {
 public:
  /// Analyses all of `kernel`, which must not change while it is asked about.
  explicit IndexRanges(mlir::Operation* kernel);
  ~IndexRanges();

  /// Whether the integer or index lies in low..high, both included, whenever it is computed; false means "unknown".
  bool isWithin(mlir::OpFoldResult value, std::int64_t low, std::int64_t high) const;

 private:
  struct Claim {
    mlir::Value value;  ///< that a loop carries
    std::int64_t low, high;
    bool operator==(const Claim&) const = default;
  };
  bool prove(mlir::OpFoldResult value, std::int64_t low, std::int64_t high, llvm::SmallVectorImpl<Claim>& claims) const;

  std::unique_ptr<mlir::DataFlowSolver> solver_;  ///< null: nothing is known
};

}  // namespace forerun::backends::accelerator
