//===- Maps.cpp - tile.map on the harts -------------------------------------===//
// Writes a map's body for several strips side by side, operation by operation, and joins the reductions behind it to
// its walk. What is the same for a whole row is computed once, on the scalar side of the hart.
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

bool isVectorizable(Block& body) {
  return llvm::all_of(body, [](Operation& op) { return op.getNumRegions() == 0; });
}

/// What is known of a map body before it is written.
class BodyFacts {
 public:
  /// `uniform`: arguments with one element for a whole row. Lanes run along dimension `inner`, of `extent` elements.
  BodyFacts(Block& block, ArrayRef<bool> uniform, std::int64_t inner, std::int64_t extent)
      : block_(block), inner_(inner), extent_(extent) {
    for (auto [argument, same] : llvm::zip_equal(block.getArguments(), uniform))
      if (same) uniform_.insert(argument);
    for (Operation& op : block.without_terminator())
      if (op.getNumRegions() == 0 && isUniformOperation(op)) uniform_.insert(op.result_begin(), op.result_end());
  }

  bool isUniform(Value value) const {
    return uniform_.contains(value) || (!isa<BlockArgument>(value) && value.getDefiningOp()->getBlock() != &block_) ||
           (isa<BlockArgument>(value) && cast<BlockArgument>(value).getOwner() != &block_);
  }
  bool isUniform(Operation& op) const { return op.getNumResults() != 0 && isUniform(op.getResult(0)); }

  /// A comparison of the lane's index with something that is the same for the row needs as many bits as the extent has.
  bool isIndexComparison(Operation& op) const {
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (!compare || extent_ >= std::numeric_limits<std::int32_t>::max()) return false;
    return (isLaneIndex(compare.getLhs()) && isUniform(compare.getRhs())) ||
           (isLaneIndex(compare.getRhs()) && isUniform(compare.getLhs()));
  }
  bool isLaneIndex(Value value) const {
    auto index = value.getDefiningOp<tile::IndexOp>();
    return index && static_cast<std::int64_t>(index.getDim()) == inner_ && index.getType().isIndex();
  }

  Shape shape() const {
    Shape shape;
    shape.vectorizable = isVectorizable(block_);
    llvm::DenseMap<Value, Operation*> lastUse;
    llvm::SmallDenseSet<Attribute> constants;
    for (Operation& op : block_)
      for (Value operand : op.getOperands()) lastUse[operand] = &op;
    llvm::SmallDenseSet<Value> live;
    auto add = [&](Value value) {
      if (isUniform(value) || value.getType().isInteger(1)) return;
      if (isLaneIndex(value) &&
          llvm::all_of(value.getUsers(), [&](Operation* user) { return isIndexComparison(*user); }))
        return;
      shape.note(value.getType());
      if (lastUse.contains(value)) live.insert(value);
    };
    for (Value argument : block_.getArguments()) add(argument);
    unsigned most = live.size();
    for (Operation& op : block_.without_terminator()) {
      for (Value operand : op.getOperands())
        if (lastUse.lookup(operand) == &op) live.erase(operand);
      for (Value result : op.getResults()) add(result);
      most = std::max(most, live.size());
      // Only an addend has to stand in a vector; other constants are scalar operands.
      Attribute addend;
      if (llvm::isa<math::FmaOp>(op) && !isUniform(op) && matchPattern(op.getOperand(2), m_Constant(&addend)))
        constants.insert(addend);
    }
    shape.liveValues = most + 1;
    shape.constants = static_cast<unsigned>(constants.size());
    return shape;
  }

 private:
  bool isUniformOperation(Operation& op) const {
    if (auto index = dyn_cast<tile::IndexOp>(op)) return static_cast<std::int64_t>(index.getDim()) != inner_;
    return llvm::all_of(op.getOperands(), [&](Value operand) { return isUniform(operand); });
  }

  Block& block_;
  llvm::SmallDenseSet<Value> uniform_;
  std::int64_t inner_, extent_;
};

/// True when a NaN in `value` is RISC-V's canonical one, which is positive: the result of arithmetic that no constant
/// operand lets LLVM drop.
bool hasCanonicalNan(Value value) {
  Operation* op = value.getDefiningOp();
  if (!op || !value.getType().isF32() ||
      !llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, math::FmaOp>(op))
    return false;
  return llvm::none_of(op->getOperands(), [](Value operand) { return matchPattern(operand, m_Constant()); });
}

/// The bound of select(x < bound, bound, x) with a negative constant bound and an x whose NaN is positive: as unsigned
/// integers the bits of such x, NaN included, are above the bound's exactly where x < bound.
std::optional<APInt> lowerBound(arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  APFloat bound(0.0f), chosen(0.0f);
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OLT || compare.getLhs() != select.getFalseValue() ||
      !matchPattern(compare.getRhs(), m_ConstantFloat(&bound)) ||
      !matchPattern(select.getTrueValue(), m_ConstantFloat(&chosen)) || !bound.bitwiseIsEqual(chosen) ||
      !bound.isNegative() || bound.isNaN() || !hasCanonicalNan(select.getFalseValue()))
    return std::nullopt;
  return bound.bitcastToAPInt();
}

}  // namespace

Value KernelLowering::laneIndices(const Lanes& lanes, const Piece& piece, Type type) {
  auto narrow = [&](Value value) { return b_.createOrFold<arith::TruncIOp>(type, value); };
  Value first = piece.position[piece.inner];
  if (type != b_.getI64Type()) first = narrow(first);
  if (lanes.scalar()) return first;
  return arith::AddIOp::create(b_, lanes.splat(b_, first), LLVM::StepVectorOp::create(b_, lanes.of(type)));
}

Value KernelLowering::bodyValue(Value value, const Lanes& lanes, const IRMapping& values) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    return lanes.constant(b_, constantValue(cast<TypedAttr>(constant)));
  }
  Value known = values.lookupOrNull(value);
  return lanes.spread(b_, known ? known : scalar(value));
}

void KernelLowering::emitBodyOperation(Operation& op, const Lanes& lanes, const Piece& piece, IRMapping& values,
                                       LogicalResult& result) {
  Type element = op.getNumResults() == 0 ? Type() : scalarType(op.getResult(0).getType());
  auto operand = [&](Value value) { return bodyValue(value, lanes, values); };
  if (llvm::isa<arith::ConstantOp>(op)) return;
  if (auto index = dyn_cast<tile::IndexOp>(op)) {
    const auto dim = static_cast<unsigned>(index.getDim());
    if (dim == piece.inner) return values.map(index.getResult(), laneIndices(lanes, piece, element));
    Value position = piece.position[dim];
    return values.map(index.getResult(),
                      element.isInteger(64) ? position : b_.createOrFold<arith::TruncIOp>(element, position));
  }
  if (auto conversion = dyn_cast<tile::ConvertOp>(op)) {
    if (failed(checkConversion(conversion, conversion.getValue().getType(), conversion.getType()))) result = failure();
    return values.map(conversion.getResult(), convert(b_, lanes, operand(conversion.getValue()),
                                                      conversion.getValue().getType(), conversion.getType()));
  }
  auto refuse = [&](const Twine& why) {
    result = unsupported(&op, why);
    for (Value value : op.getResults())
      values.map(value, LLVM::PoisonOp::create(b_, lanes.of(scalarType(value.getType()))));
  };
  if (op.getNumRegions() != 0) return refuse("control flow inside a map body; write it with arith.select");
  if (!hasInstruction(op))
    return refuse("an operation that has no RISC-V instruction; run --tile-expand-semantics before the back end");
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (const auto bound = lowerBound(select)) {
      Type bits = b_.getIntegerType(bound->getBitWidth());
      Value x = arith::BitcastOp::create(b_, lanes.of(bits), operand(select.getFalseValue()));
      Value least = arith::MinUIOp::create(b_, x, lanes.constant(b_, b_.getIntegerAttr(bits, *bound)));
      return values.map(select.getResult(), arith::BitcastOp::create(b_, lanes.of(element), least).getResult());
    }
  SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), operand);
  values.map(op.getResults(), cloneOperation(b_, &op, operands, lanes));
}

Value KernelLowering::compareIndex(arith::CmpIOp op, const Lanes& lanes, const Piece& piece, std::int64_t extent,
                                   bool laneIsLeft, Value bound) {
  // Past -1 and the extent nothing changes; unsigned comparisons see a negative bound above the extent.
  const bool isSigned = op.getPredicate() <= arith::CmpIPredicate::sge;
  bound = isSigned ? b_.max(b_.constant(-1), b_.min(bound, b_.constant(extent)))
                   : b_.createOrFold<arith::MinUIOp>(bound, b_.constant(extent));
  Value index = laneIndices(lanes, piece, b_.getI32Type());
  bound = lanes.splat(b_, b_.createOrFold<arith::TruncIOp>(b_.getI32Type(), bound));
  return arith::CmpIOp::create(b_, op.getPredicate(), laneIsLeft ? index : bound, laneIsLeft ? bound : index);
}

SmallVector<tile::ReduceOp> KernelLowering::reductionsBehind(tile::MapOp op, const Shape& shape) {
  SmallVector<tile::ReduceOp> found;
  const auto extents = op.getOutputs().front().getType();
  const auto window = cast<tile::BufferType>(extents).getShape();
  const Split split = splitOf(op, window, scope_.teams);
  if (split.kind != Split::Rows) return found;
  SmallVector<Value> written(op.getOutputs());
  for (Operation* next = op->getNextNode(); next; next = next->getNextNode()) {
    auto reduce = dyn_cast<tile::ReduceOp>(next);
    if (!reduce || tile::variantOf(reduce) != kAlong ||
        reduce.getDims() != ArrayRef<std::int64_t>{static_cast<std::int64_t>(window.size()) - 1} ||
        !llvm::is_contained(op.getOutputs(), reduce.getInput()) || !isWholeOrLeadingIndex(reduce.getInput()) ||
        (scope_.teams > 1 && barriers_.before.contains(reduce)))
      break;
    const ReduceKind kind(reduce);
    if (kind.inOrder() || kind.widestBits() > shape.widestBits) break;
    // A row's result is written when the row is done: rows may be read where they were, nothing else.
    Value out = reduce.getOutput();
    auto disturbs = [&](Value other) { return windows_.overlap(rootOf(other), rootOf(out)); };
    if (llvm::any_of(written, disturbs) ||
        llvm::any_of(op.getInputs(), [&](Value input) { return input != out && disturbs(input); }))
      break;
    written.push_back(out);
    found.push_back(reduce);
  }
  return found;
}

LogicalResult KernelLowering::emitMap(tile::MapOp op) {
  Block& block = op.getBody().front();
  std::vector<Window> inputs, outputs;
  for (Value value : op.getInputs()) inputs.push_back(window(value));
  for (Value value : op.getOutputs()) outputs.push_back(window(value));
  const ArrayRef<std::int64_t> extents = outputs.front().type.getShape();
  const Split split = splitOf(op, extents, scope_.teams);
  const std::int64_t inner = split.lane();
  const auto uniform =
      llvm::map_to_vector(inputs, [&](const Window& input) { return input.extent(inner) == 1 && extents[inner] != 1; });
  const BodyFacts facts(block, uniform, inner, extents[inner]);
  Shape shape = facts.shape();
  shape.vectorizable &= tile::variantOf(op) != kScalar;
  for (Value operand : op->getOperands()) shape.note(cast<tile::BufferType>(operand.getType()).getElementType());

  SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  std::vector<Fold> folds;
  for (tile::ReduceOp reduce : reductionsBehind(op, shape)) {
    llvm::append_range(accesses, accessesOf(reduce, scope_.teams));
    const auto outputs = op.getOutputs();
    const auto value = static_cast<unsigned>(llvm::find(outputs, reduce.getInput()) - outputs.begin());
    folds.push_back({ReduceKind(reduce), value, window(reduce.getOutput()), reduce.getAccumulate()});
    shape.liveValues += folds.back().kind.stateSize();
    shape.folds = true;
    done_.insert(reduce);
  }
  settle(accesses);

  LogicalResult result = success();
  elementwise(
      inputs, outputs, split, shape,
      [&](const Lanes& lanes, ArrayRef<Piece> pieces) {
        std::vector<IRMapping> values(pieces.size());
        for (auto [piece, mapping] : llvm::zip_equal(pieces, values))
          for (auto [argument, value] : llvm::zip_equal(block.getArguments(), piece.values))
            mapping.map(argument, value);
        const Location location = b_.getLoc();
        for (Operation& inner : block.without_terminator()) {
          b_.setLoc(inner.getLoc());
          const Lanes width = facts.isUniform(inner) ? Lanes{} : lanes;
          for (auto [piece, mapping] : llvm::zip_equal(pieces, values)) {
            if (!width.scalar() && facts.isIndexComparison(inner)) {
              auto compare = cast<arith::CmpIOp>(inner);
              const bool laneIsLeft = facts.isLaneIndex(compare.getLhs());
              Value bound = laneIsLeft ? compare.getRhs() : compare.getLhs();
              mapping.map(compare.getResult(), compareIndex(compare, lanes, piece, extents[piece.inner], laneIsLeft,
                                                            bodyValue(bound, Lanes{}, mapping)));
              continue;
            }
            emitBodyOperation(inner, width, piece, mapping, result);
          }
        }
        b_.setLoc(location);
        return llvm::map_to_vector(values, [&](IRMapping& mapping) {
          return llvm::map_to_vector(block.getTerminator()->getOperands(),
                                     [&](Value value) { return bodyValue(value, lanes, mapping); });
        });
      },
      folds);
  return result;
}

}  // namespace forerun::backends::accelerator
