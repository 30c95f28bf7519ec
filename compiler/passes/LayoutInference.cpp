//===- LayoutInference.cpp - a layout for every buffer ---------------------===//
// One forward walk, repeated until nothing is added: loops may define a buffer after its first reader.
#include "compiler/passes/LayoutInference.h"

#include "compiler/dialect/Place.h"
#include "compiler/dialect/layout/Distribution.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"
#include "compiler/dialect/layout/Text.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forerun::passes {

using layout::Layout;
using tile::BufferType;
using tile::Space;

namespace {

BufferType typeOf(Value value) { return cast<BufferType>(value.getType()); }

bool isDistributed(const Layout& layout) { return !layout.memoryOnly(); }

/// Dimensions of extent 1 that stand for every index of the others' shape.
SmallVector<std::int64_t> broadcastDims(BufferType type, ArrayRef<std::int64_t> shape) {
  SmallVector<std::int64_t> dims;
  for (auto [dim, extents] : llvm::enumerate(llvm::zip_equal(type.getShape(), shape)))
    if (std::get<0>(extents) == 1 && std::get<1>(extents) != 1) dims.push_back(static_cast<std::int64_t>(dim));
  return dims;
}

/// An operation whose operands are walked together: element i of one goes with element i of the others.
struct Together {
  MutableArrayRef<OpOperand> inputs, outputs;
  ArrayRef<std::int64_t> reduced;  ///< dimensions that the outputs no longer have
};
std::optional<Together> together(Operation* op) {
  if (auto map = dyn_cast<tile::MapOp>(op))
    return Together{
        MutableArrayRef<OpOperand>(map.getInputsMutable()), MutableArrayRef<OpOperand>(map.getOutputsMutable()), {}};
  if (auto cast = dyn_cast<tile::CastOp>(op)) return Together{cast.getSrcMutable(), cast.getDstMutable(), {}};
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return Together{reduce.getInputMutable(), reduce.getOutputMutable(), reduce.getDims()};
  return std::nullopt;
}

class Inference {
 public:
  Inference(tile::KernelOp kernel, Accumulators accumulators) : kernel_(kernel), accumulators_(accumulators) {}

  LayoutPlan run() {
    kernel_.walk([&](tile::AllocOp op) {
      if (auto given = cast_if_present<tile::LayoutAttr>(typeOf(op.getResult()).getLayout()))
        known_[op.getResult()] = {given.getValue(), "as written"};
    });
    for (std::size_t before = 0; before != known_.size();) {
      before = known_.size();
      kernel_.walk([&](Operation* op) {
        if (auto operands = together(op)) follow(op, *operands);
      });
    }
    LayoutPlan plan;
    for (BlockArgument argument : kernel_.getKernelArguments())
      if (isa<BufferType>(argument.getType()))
        plan.choices.push_back({argument, std::nullopt, "strides of the launch"});
    kernel_.walk([&](tile::AllocOp op) { plan.choices.push_back(choose(op.getResult())); });
    for (const LayoutChoice& choice : plan.choices)
      if (choice.layout) known_[choice.buffer].layout = *choice.layout;
    kernel_.walk([&](Operation* op) {
      if (auto operands = together(op)) agree(*operands, plan);
    });
    return plan;
  }

 private:
  struct Known {
    Layout layout;
    std::string why;
  };

  /// Of a buffer or window; nothing where that is not known or no layout. Where in memory a window begins does not
  /// matter, on which lane or team does.
  std::optional<Layout> layoutOf(Value value) const {
    auto slice = value.getDefiningOp<tile::SliceOp>();
    if (!slice) {
      const auto found = known_.find(value);
      if (found == known_.end()) return std::nullopt;
      return found->second.layout;
    }
    const std::optional<Layout> source = layoutOf(slice.getSource());
    const BufferType from = typeOf(slice.getSource()), to = typeOf(value);
    if (!source || !from.isStatic() || !to.isStatic()) return std::nullopt;
    SmallVector<layout::IndexRange> window;
    for (auto [index, origin] : llvm::enumerate(slice.getMixedOrigins())) {
      const std::int64_t kept = static_cast<std::int64_t>(index) - slice.getDroppedDims();
      const std::optional<std::int64_t> constant = getConstantIntValue(origin);
      if (!constant && isDistributed(*source)) return std::nullopt;
      const std::int64_t first = isDistributed(*source) ? *constant : 0;
      window.push_back({first, first + (kept < 0 ? 1 : to.getShape()[kept])});
    }
    auto sliced = layout::slice({*source, from.getShape()}, window);
    if (sliced) return *sliced;
    llvm::consumeError(sliced.takeError());
    return std::nullopt;
  }

  /// Why the type of this allocation must stay as it is; empty where it may get a layout.
  static std::string whyFixed(Value buffer) {
    if (!typeOf(buffer).isStatic()) return "row-major; its extents are not bound yet";
    if (tile::isPacked(typeOf(buffer).getElementType())) return "row-major, two elements a byte";
    for (Operation* user : buffer.getUsers())
      if (!isa<tile::TileDialect>(user->getDialect()))
        return ("row-major; passed on by '" + user->getName().getStringRef() + "' at " + tile::place(user->getLoc()))
            .str();
    return "";
  }

  /// Gives outputs without a layout that of an input.
  void follow(Operation* op, const Together& operands) {
    for (OpOperand& output : operands.outputs) {
      Value buffer = output.get();
      if (!buffer.getDefiningOp<tile::AllocOp>() || known_.contains(buffer) || !whyFixed(buffer).empty()) continue;
      for (OpOperand& input : operands.inputs) {
        const BufferType type = typeOf(input.get());
        const std::optional<Layout> from = layoutOf(input.get());
        if (!from || !mayFollow(typeOf(buffer).getSpace(), type.getSpace(), *from)) continue;
        if (operands.reduced.empty() && type.getShape() != typeOf(buffer).getShape()) continue;
        std::optional<Layout> result = from;
        if (!operands.reduced.empty()) {
          auto left = layout::reduced({*from, type.getShape()}, operands.reduced);
          if (!left) {
            llvm::consumeError(left.takeError());
            continue;
          }
          result = *left;
        }
        known_[buffer] = {*result, ("follows " + describe(input) + " of '" + op->getName().getStringRef() + "' at " +
                                    tile::place(op->getLoc()))
                                       .str()};
        break;
      }
    }
  }

  /// Memory tells nothing about another memory, and registers nothing about memory.
  static bool mayFollow(Space to, Space from, const Layout& layout) {
    if (isDistributed(layout)) return to == Space::Acc || to == Space::Reg;
    return to == from && to != Space::Acc;
  }

  LayoutChoice choose(Value buffer) const {
    if (const auto found = known_.find(buffer); found != known_.end())
      return {buffer, found->second.layout, found->second.why};
    if (std::string why = whyFixed(buffer); !why.empty()) return {buffer, std::nullopt, why};
    const BufferType type = typeOf(buffer);
    const bool accumulates = type.getSpace() == Space::Acc;
    if (accumulates && accumulators_ == Accumulators::Fragments)
      return {buffer, std::nullopt, "fragments of the back end's matrix instructions"};
    auto rowMajor = Layout::rowMajor(type.getShape());
    if (!rowMajor) return {buffer, std::nullopt, llvm::toString(rowMajor.takeError())};
    return {buffer, *rowMajor, accumulates ? "row-major, as the matrix unit writes it" : "row-major, the default"};
  }

  /// Operands that are distributed must be so alike; memory serves every distribution.
  void agree(const Together& operands, LayoutPlan& plan) const {
    const auto distributed = [&](OpOperand& operand) {
      const std::optional<Layout> layout = layoutOf(operand.get());
      return layout && isDistributed(*layout) ? layout : std::nullopt;
    };
    const auto bufferOf = [](Value value) {
      while (auto slice = value.getDefiningOp<tile::SliceOp>()) value = slice.getSource();
      return value;
    };
    OpOperand* home = nullptr;
    const bool reduces = !operands.reduced.empty();
    // What has all dimensions decides: outputs of maps, inputs of reductions.
    for (OpOperand& operand : reduces ? operands.inputs : operands.outputs)
      if (!home && distributed(operand)) home = &operand;
    const ArrayRef<std::int64_t> shape =
        typeOf((reduces ? operands.inputs : operands.outputs).front().get()).getShape();
    if (!home && !reduces)
      for (OpOperand& operand : operands.inputs)
        if (!home && typeOf(operand.get()).getShape() == shape && distributed(operand)) home = &operand;
    if (!home) return;
    const Layout decided = *layoutOf(home->get());
    auto reduce = dyn_cast<tile::ReduceOp>(home->getOwner());
    const bool accumulates = reduce && reduce.getAccumulate();
    const auto check = [&](OpOperand& operand, bool isInput, ArrayRef<std::int64_t> without) {
      const bool known = layoutOf(operand.get()).has_value();
      // Of a window that begins at an unknown lane only the buffer's is known.
      const std::optional<Layout> from = layoutOf(known ? operand.get() : bufferOf(operand.get()));
      if (&operand == home || !from || !isDistributed(*from)) return;
      LayoutConversion conversion{&operand, home, *from, decided, std::nullopt, "", isInput || accumulates, !isInput};
      auto wanted = layout::reduced({decided, shape}, without);
      if (!wanted)
        conversion.whyNot = llvm::toString(wanted.takeError());
      else if (known &&
               layout::compare(layout::distribution(*from), layout::distribution(*wanted)) == layout::Equality::Equal)
        return;
      else
        conversion.to = *wanted;
      plan.conversions.push_back(std::move(conversion));
    };
    for (OpOperand& input : operands.inputs) check(input, true, broadcastDims(typeOf(input.get()), shape));
    for (OpOperand& output : operands.outputs) check(output, false, operands.reduced);
  }

  tile::KernelOp kernel_;
  Accumulators accumulators_;
  llvm::MapVector<Value, Known> known_;
};

}  // namespace

LayoutPlan inferLayouts(tile::KernelOp kernel, Accumulators accumulators) {
  return Inference(kernel, accumulators).run();
}

std::string describe(OpOperand& operand) {
  Operation* op = operand.getOwner();
  const unsigned number = operand.getOperandNumber();
  if (auto map = dyn_cast<tile::MapOp>(op)) {
    const auto inputs = static_cast<unsigned>(map.getInputs().size());
    return number < inputs ? "input " + std::to_string(number) : "output " + std::to_string(number - inputs);
  }
  if (isa<tile::CastOp>(op)) return number == 0 ? "the source" : "the destination";
  return number == 0 ? "the input" : "the output";
}

std::int64_t LayoutConversion::bytes() const {
  const BufferType type = typeOf(operand->get());
  return ShapedType::getNumElements(type.getShape()) * std::max(1u, type.getElementTypeBitWidth() / 8) *
         (copiesIn + copiesOut);
}

void explain(llvm::raw_ostream& os, tile::KernelOp kernel, const LayoutPlan& plan) {
  os << "layouts of @" << kernel.getSymName() << "\n";
  for (const LayoutChoice& choice : plan.choices) {
    os << "  " << tile::place(choice.buffer.getLoc()) << "  ";
    if (auto argument = dyn_cast<BlockArgument>(choice.buffer)) os << "argument " << argument.getArgNumber() << " ";
    const BufferType type = typeOf(choice.buffer);
    os << BufferType::get(type.getContext(), type.getDims(), type.getElementType(), type.getSpace(), Attribute())
       << ": ";
    if (choice.layout) os << *choice.layout << ", ";
    os << choice.why << "\n";
  }
  for (const LayoutConversion& conversion : plan.conversions) {
    os << "  " << tile::place(conversion.operand->getOwner()->getLoc()) << "  " << describe(*conversion.operand)
       << " of '" << conversion.operand->getOwner()->getName() << "': ";
    if (conversion.to)
      os << "converted from " << conversion.from << " to " << *conversion.to << ", " << conversion.bytes()
         << " bytes copied\n";
    else
      os << "cannot be converted from " << conversion.from << ": " << conversion.whyNot << "\n";
  }
}

}  // namespace forerun::passes
