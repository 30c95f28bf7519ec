//===- LayoutInference.h - a layout for every buffer -----------------------===//
// The decisions of --tile-infer-layouts, apart from the pass so that the driver can print them.
#pragma once

#include "compiler/dialect/TileOps.h"

#include <optional>
#include <string>
#include <vector>

namespace forerun::passes {

/// Where one buffer of a kernel lies.
struct LayoutChoice {
  mlir::Value buffer;                    ///< an argument or allocation
  std::optional<layout::Layout> layout;  ///< nothing where its type keeps none
  std::string why;
};

/// An operand whose distribution over lanes, teams... is not the one that its operation needs.
struct LayoutConversion {
  mlir::OpOperand* operand = nullptr;
  mlir::OpOperand* agreesWith = nullptr;  ///< the operand that decides
  layout::Layout from;                    ///< of `operand`, or of its buffer where a window's is not known
  layout::Layout decides;                 ///< of `agreesWith`
  std::optional<layout::Layout> to;       ///< what `operand` has to have
  std::string whyNot;                     ///< where there is no such layout
  bool copiesIn = false;                  ///< the operation reads the operand
  bool copiesOut = false;                 ///< it writes it

  std::int64_t bytes() const;  ///< that the copies move together
};

struct LayoutPlan {
  std::vector<LayoutChoice> choices;  ///< arguments, then allocations in the kernel's order
  std::vector<LayoutConversion> conversions;
};

/// Where accumulators without a written layout lie: the accelerator's matrix unit writes rows to memory, the matrix
/// instructions of GPUs leave fragments in registers, which the back end places. Their types have no layout either way.
enum class Accumulators { Memory, Fragments };

/// Layouts that are written stay. Element-wise operations and reductions give theirs to results without one, in program
/// order: to scratch what one of scratch tells, to acc and reg what lanes and teams hold. What is left is row-major.
/// Changes nothing.
LayoutPlan inferLayouts(tile::KernelOp kernel, Accumulators accumulators = Accumulators::Memory);

/// "input 1": what messages call an operand.
std::string describe(mlir::OpOperand& operand);

/// A line a buffer and a line a conversion, with places in the kernel file.
void explain(llvm::raw_ostream& os, tile::KernelOp kernel, const LayoutPlan& plan);

}  // namespace forerun::passes
