//===- ComputeVariants.cpp - ways to compute on tiles ------------------------===//
// Maps, reductions, scans and products: which way lanes run, and whether the array multiplies.
#include "compiler/backends/accelerator/dispatch/Judge.h"
#include "compiler/backends/lowering/ReduceKinds.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// Operations of a map's body, and most that follow each other.
struct BodyWork {
  double operations = 0, depth = 0;
};
BodyWork workOf(Block& body) {
  BodyWork work;
  llvm::DenseMap<Operation*, double> depth;
  for (Operation& op : body.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) continue;
    double before = 0;
    for (Value operand : op.getOperands())
      if (Operation* from = operand.getDefiningOp()) before = std::max(before, depth.lookup(from));
    depth[&op] = before + 1;
    work.operations += 1;
    work.depth = std::max(work.depth, before + 1);
  }
  return work;
}

}  // namespace

Candidates Judge::lines(ArrayRef<std::int64_t> shape, ArrayRef<std::int64_t> dims, llvm::StringRef alongEmits,
                        llvm::StringRef acrossEmits, llvm::function_ref<Walk(const LineWalk&)> walkAs) const {
  const Walk along = walkAs(lineWalk(shape, dims, true));
  Candidate across;
  across.name = kAcross;
  across.emits = acrossEmits;
  if (dims.size() == shape.size())
    across.refusal = "there is one line";
  else
    across = onLanes(kAcross, acrossEmits, walkAs(lineWalk(shape, dims, false)));
  return {onLanes(kAlong, alongEmits, along), across, onScalars(along)};
}

Candidates Judge::map(tile::MapOp op) const {
  const ArrayRef<std::int64_t> shape = bufferType(op.getOutputs().front()).getShape();
  const BodyWork work = workOf(op.getBody().front());
  auto walkAs = [&](const Split& split) {
    const auto lane = static_cast<std::size_t>(split.lane());
    Walk walk = walkOver(shape, split);
    walk.operations = work.operations;
    walk.depth = work.depth;
    for (Value operand : op->getOperands()) {
      const tile::BufferType type = bufferType(operand);
      walk.shape.note(type.getElementType());
      if (type.getShape()[lane] == 1 && shape[lane] != 1) continue;  // once a row
      const bool innermost = lane + 1 == shape.size() || type.getShape().back() == 1;
      walk.streams.push_back({storageBytes(type.getElementType()), llvm::is_contained(op.getOutputs(), operand),
                              innermost && isContiguous(operand), rowBytes(operand)});
    }
    for (Operation& inner : op.getBody().front())
      for (Type type : inner.getResultTypes())
        if (!type.isIndex() && !type.isInteger(1)) walk.shape.note(type);
    walk.shape.liveValues = static_cast<unsigned>(walk.streams.size()) + 1;
    return walk;
  };
  const Split natural = splitFor(shape, costs_.sharing());
  Split outer = natural;
  outer.kind = Split::Strided;
  const Walk walk = walkAs(natural);
  Candidates candidates{onLanes(kVector, natural.kind == Split::Strided ? "lanes along the column" : "vle, vse", walk)};
  if (shape.size() == 2 && natural.kind != Split::Strided)
    candidates.push_back(onLanes(kStrided, "vlse, vsse", walkAs(outer)));
  candidates.push_back(onScalars(walk));
  return candidates;
}

Candidates Judge::reduce(tile::ReduceOp op) const {
  const tile::BufferType in = op.getInput().getType(), out = op.getOutput().getType();
  const ArrayRef<std::int64_t> shape = in.getShape(), dims = op.getDims();
  const ReduceKind kind(op);
  auto walkAs = [&](const LineWalk& lines) {
    const auto lane = static_cast<std::size_t>(lines.lane);
    Walk walk = walkOver(shape, lines.lane, !lines.along);
    walk.operations = walk.depth = kind.isIndex() ? 6 : kind.stateSize();
    walk.streams = {{storageBytes(in.getElementType()), false, lane + 1 == shape.size() && isContiguous(op.getInput()),
                     rowBytes(op.getInput())}};
    walk.shape.note(in.getElementType());
    walk.shape.note(out.getElementType());
    walk.shape.widestBits = std::max(walk.shape.widestBits, kind.widestBits());
    walk.shape.liveValues = kind.isIndex() ? 8 : 1 + kind.stateSize();
    walk.shape.vectorizable = !kind.inOrder();
    walk.shape.folds = lines.along;
    // Several rows side by side only where they are folded on the way.
    walk.oneStripAtATime = walk.unrolled = !lines.along || lane + 1 != shape.size() || dims.size() != 1;
    const double lineEnds = elementsOf(out.getShape());
    walk.rowCycles =
        lines.along ? costs_.acrossLanes(kind.widestBits()) * kind.stateSize() * lineEnds / std::max(1.0, walk.rows)
                    : 0;
    return walk;
  };
  return lines(shape, dims, "vle, combined in place, vred", "a lane for each result", walkAs);
}

Candidate Judge::scanBySegments(tile::ScanOp op, Walk walk) const {
  // A strip is eight registers. Its neighbours combine in seven of eight, what came before joins all, and of the rest
  // there is one register.
  walk.shape.liveValues = 1;
  const double lanes = std::max(1.0, costs_.teams().vlenBits / static_cast<double>(walk.shape.widestBits)),
               steps = std::ceil(std::log2(std::max(2.0, lanes)));
  walk.operations = (2 * kSegmentFields + 3 * steps + 4) / kSegmentFields;
  walk.depth = kSegmentFields + 2 * steps + 4;
  Candidate candidate = onLanes(kSegments, "vlseg8, vsseg8", walk);
  if (op.getReverse()) refuse(candidate, "segments run forward");
  if (llvm::any_of(walk.streams, [](const Stream& stream) { return !stream.contiguous; }))
    refuse(candidate, "neighbours of a line do not lie side by side");
  if (walk.columns < kSegmentFields * lanes) refuse(candidate, "a line does not fill one strip of segments");
  return candidate;
}

Candidates Judge::scan(tile::ScanOp op) const {
  const tile::BufferType in = op.getInput().getType(), out = op.getOutput().getType();
  const ArrayRef<std::int64_t> shape = in.getShape();
  const auto dim = static_cast<std::int64_t>(op.getDim());
  const ReduceKind kind(op.getKind(), in.getElementType(), out.getElementType());
  auto walkAs = [&](const LineWalk& lines) {
    const auto lane = static_cast<std::size_t>(lines.lane);
    Walk walk = walkOver(shape, lines.lane, !lines.along);
    const bool innermost = lane + 1 == shape.size();
    walk.streams = {
        {storageBytes(in.getElementType()), false, innermost && isContiguous(op.getInput()), rowBytes(op.getInput())},
        {storageBytes(out.getElementType()), true, innermost && isContiguous(op.getOutput()),
         rowBytes(op.getOutput())}};
    walk.shape.note(in.getElementType());
    walk.shape.note(out.getElementType());
    walk.shape.widestBits = std::max(walk.shape.widestBits, kind.widestBits());
    walk.shape.liveValues = 4;
    walk.oneStripAtATime = walk.unrolled = true;
    walk.operations = walk.depth = 1;
    if (lines.along) {
      // A slide and a combination for 1, 2, 4... lanes, then what came before the strip.
      const StripPlan plan = planStrips(walk.shape, costs_.teams(), shape[lane], 1);
      const double width = std::min(walk.columns, plan.lanes.perGranule * costs_.teams().vlenBits / 64.0);
      walk.operations = walk.depth = 3 * std::ceil(std::log2(std::max(2.0, width))) + 3;
    }
    return walk;
  };
  Candidates candidates = lines(shape, dim, "vslideup and combinations in log steps", "a lane for each line", walkAs);
  candidates.push_back(scanBySegments(op, walkAs(lineWalk(shape, dim, true))));
  return candidates;
}

Candidates Judge::matmul(Operation* op, Value a, Value b, Value acc, bool transposeA, bool transposeB) const {
  const tile::BufferType left = bufferType(a), right = bufferType(b), out = bufferType(acc);
  const auto m = static_cast<double>(out.getShape()[0]), n = static_cast<double>(out.getShape()[1]),
             k = static_cast<double>(left.getShape()[transposeA ? 0 : 1]);
  auto nameOf = [](Type type) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return name;
  };
  Candidate array;
  array.name = kMatrix;
  array.emits = "xmm.load, xmm.run";
  if (target_.matrix.rows == 0 || target_.matrix.cols == 0 || !costs_.engine(targets::EngineKind::Matrix)) {
    array.refusal = "the target has no matrix unit";
  } else {
    array.cycles = costs_.product(m, n, k, nameOf(left.getElementType()));
    for (Type element : {left.getElementType(), right.getElementType()}) {
      const std::string name = nameOf(element);
      if (llvm::any_of(target_.matrix.typeRate, [&](const targets::TypeRate& rate) { return rate.type == name; }))
        continue;
      array.refusal = "the matrix unit of target '" + target_.name + "' does not multiply " + name +
                      " (its file lists the types under matrix.typeRate)";
      array.mendable = true;
    }
  }

  Shape shape;
  shape.note(left.getElementType());
  shape.note(right.getElementType());
  shape.note(out.getElementType());
  const bool lanesAlongM = splitFor(out.getShape(), costs_.sharing()).lane() == 0;
  const bool contiguous = lanesAlongM ? transposeA : !transposeB;
  const bool widens = left.getElementType() != out.getElementType();
  Candidate harts;
  harts.name = kVector;
  harts.emits = "vfmacc";
  harts.refusal = whyNoLanes(shape);
  harts.plainLoop = true;
  harts.cycles = lanesAlongM ? costs_.vectorProduct(n, m, k, contiguous, widens, shape)
                             : costs_.vectorProduct(m, n, k, contiguous, widens, shape);
  Candidate scalars = harts;
  scalars.name = kScalar;
  scalars.emits = "fmadd";
  scalars.refusal.clear();
  shape.vectorizable = false;
  scalars.cycles = costs_.vectorProduct(m, n, k, contiguous, widens, shape);
  if (tile::isFloat8(left.getElementType()) || tile::isFloat8(right.getElementType()))
    harts.refusal = scalars.refusal = "harts do not compute 8-bit floats; cast the operands to f16";
  return {array, harts, scalars};
}

}  // namespace forerun::backends::accelerator
