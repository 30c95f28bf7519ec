//===- Accesses.cpp - who touches which buffer -----------------------------===//
// See Accesses.h.
#include "compiler/backends/accelerator/lowering/Accesses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::accelerator {

Split splitFor(ArrayRef<std::int64_t> shape, unsigned teams) {
  Split split;
  for (std::int64_t extent : shape.drop_back()) split.rows *= extent;
  split.columns = shape.back();
  if (shape.size() == 2 && shape.back() == 1 && split.rows > 1) {
    split.trailingUnit = true;  // a column: its rows are the elements
    return split;
  }
  split.byRows = shape.size() > 1 && split.rows >= std::min<std::int64_t>(teams, 4) && split.rows > 1;
  if (teams == 1) split.byRows = shape.size() > 1;
  return split;
}

namespace {

/// Partition of an element-wise operand when the work is split as `split` over windows of shape `shape`.
Partition operandPartition(Value operand, ArrayRef<std::int64_t> shape, const Split& split) {
  if (!isWholeOrLeadingIndex(operand)) return Partition::mixed();
  const auto own = cast<tile::BufferType>(operand.getType()).getShape();
  if (own == shape) return split.partition();
  if (split.byRows) {
    // Broadcast along the innermost dimension only: rows still agree.
    if (own.drop_back() == shape.drop_back()) return Partition::rows(split.rows);
    return Partition::everything();
  }
  return own.back() == shape.back() ? Partition::columns(split.columns) : Partition::everything();
}

void elementwise(SmallVectorImpl<Access>& accesses, ValueRange inputs, ValueRange outputs, unsigned teams) {
  const auto shape = cast<tile::BufferType>(outputs.front().getType()).getShape();
  const Split split = splitFor(shape, teams);
  for (Value input : inputs)
    accesses.push_back({rootOf(input), false, Actor::Teams, operandPartition(input, shape, split)});
  for (Value output : outputs)
    accesses.push_back({rootOf(output), true, Actor::Teams, operandPartition(output, shape, split)});
}

/// Operations along lines share the lines by number where these run along rows, columns otherwise.
void alongLines(SmallVectorImpl<Access>& accesses, Value input, Value output, ArrayRef<std::int64_t> dims) {
  const auto type = cast<tile::BufferType>(input.getType());
  const bool innermost = llvm::is_contained(dims, type.getRank() - 1);
  Partition partition = Partition::mixed();
  const bool aligned = isWholeOrLeadingIndex(input) && isWholeOrLeadingIndex(output);
  if (aligned && innermost && dims.size() == 1) {
    std::int64_t rows = 1;
    for (std::int64_t extent : type.getShape().drop_back()) rows *= extent;
    partition = Partition::rows(rows);
  } else if (aligned && !innermost) {
    partition = Partition::columns(type.getShape().back());
  }
  accesses.push_back({rootOf(input), false, Actor::Teams, partition});
  accesses.push_back({rootOf(output), true, Actor::Teams, partition});
}

template <typename OpT>
void product(SmallVectorImpl<Access>& accesses, OpT op) {
  accesses.push_back({rootOf(op.getA()), false});
  accesses.push_back({rootOf(op.getB()), false});
  if (op.getAccumulate() || op.getAccumulateIf()) accesses.push_back({rootOf(op.getAcc()), false});
  accesses.push_back({rootOf(op.getAcc()), true});
}

}  // namespace

bool usesDma(tile::BufferType source, tile::BufferType destination) {
  return source.isGlobal() || destination.isGlobal();
}

bool usesMatrixStore(tile::BufferType source, tile::BufferType destination) {
  return source.getSpace() == tile::Space::Acc && destination.getSpace() == tile::Space::Scratch &&
         source.getRank() == 2 && source.getShape().back() > 1;
}

SmallVector<Access> accessesOf(Operation* op, unsigned teams) {
  SmallVector<Access> accesses;
  auto move = [&](Value source, Value destination, bool engine) {
    if (engine) {
      accesses.push_back({rootOf(source), false});
      accesses.push_back({rootOf(destination), true});
    } else {
      elementwise(accesses, source, destination, teams);
    }
  };
  auto usesEngine = [](auto copy) {
    const tile::BufferType from = copy.getSrc().getType(), to = copy.getDst().getType();
    return usesDma(from, to) || usesMatrixStore(from, to);
  };
  llvm::TypeSwitch<Operation*>(op)
      .Case([&](tile::CopyOp copy) { move(copy.getSrc(), copy.getDst(), usesEngine(copy)); })
      .Case([&](tile::CopyAsyncOp copy) { move(copy.getSrc(), copy.getDst(), true); })
      .Case([&](tile::CastOp cast) { move(cast.getSrc(), cast.getDst(), usesEngine(cast)); })
      .Case([&](tile::FillOp fill) {
        if (fill.getDst().getType().isGlobal())
          accesses.push_back({rootOf(fill.getDst()), true});
        else
          elementwise(accesses, {}, fill.getDst(), teams);
      })
      .Case([&](tile::TransposeOp transpose) {
        if (usesDma(transpose.getSrc().getType(), transpose.getDst().getType())) {
          move(transpose.getSrc(), transpose.getDst(), true);
          return;
        }
        elementwise(accesses, {}, transpose.getDst(), teams);
        accesses.push_back({rootOf(transpose.getSrc()), false, Actor::Teams, Partition::everything()});
      })
      .Case([&](tile::MapOp map) { elementwise(accesses, map.getInputs(), map.getOutputs(), teams); })
      .Case(
          [&](tile::ReduceOp reduce) { alongLines(accesses, reduce.getInput(), reduce.getOutput(), reduce.getDims()); })
      .Case([&](tile::ScanOp scan) {
        const auto dim = static_cast<std::int64_t>(scan.getDim());
        const ArrayRef<std::int64_t> shape = scan.getInput().getType().getShape();
        if (shape.back() != 1 || dim == static_cast<std::int64_t>(shape.size()) - 1)
          return alongLines(accesses, scan.getInput(), scan.getOutput(), dim);
        accesses.push_back({rootOf(scan.getInput()), false, Actor::Teams, Partition::mixed()});
        accesses.push_back({rootOf(scan.getOutput()), true, Actor::Teams, Partition::mixed()});
      })
      .Case([&](tile::GatherOp gather) {
        elementwise(accesses, gather.getIndices(), gather.getOutput(), teams);
        accesses.push_back({rootOf(gather.getSrc()), false, Actor::Teams, Partition::everything()});
      })
      .Case([&](tile::ScatterOp scatter) {
        for (Value read : {scatter.getSrc(), scatter.getIndices()})
          accesses.push_back({rootOf(read), false, Actor::Teams, Partition::mixed()});
        accesses.push_back({rootOf(scatter.getDst()), true, Actor::Teams, Partition::mixed()});
      })
      .Case([&](tile::HistogramOp histogram) {
        accesses.push_back({rootOf(histogram.getInput()), false, Actor::Teams, Partition::mixed()});
        accesses.push_back({rootOf(histogram.getOutput()), true, Actor::Teams, Partition::mixed()});
      })
      .Case<tile::SortOp, tile::TopkOp>([&](Operation* ordering) {
        accesses.push_back({rootOf(ordering->getOperand(0)), false, Actor::Teams, Partition::mixed()});
        for (Value output : ordering->getOperands().drop_front())
          accesses.push_back({rootOf(output), true, Actor::Teams, Partition::mixed()});
      })
      .Case([&](tile::MatmulOp matmul) { product(accesses, matmul); })
      .Case([&](tile::MatmulAsyncOp matmul) { product(accesses, matmul); })
      .Case([&](tile::LoadOp load) {
        accesses.push_back({rootOf(load.getBuffer()), false, Actor::Teams, Partition::everything()});
      })
      .Case<tile::AtomicRmwOp, tile::CasOp>([&](auto atomic) {
        accesses.push_back({rootOf(atomic.getBuffer()), true, Actor::Teams, Partition::mixed()});
      })
      .Case([&](tile::StoreOp store) { accesses.push_back({rootOf(store.getBuffer()), true}); })
      .Case<tile::WaitOp, tile::ProducerCommitOp, tile::ConsumerReleaseOp>([&](auto wait) {
        // What an engine wrote counts as the leader's from the wait on.
        for (Value token : wait.getTokens())
          for (Operation* source : asyncSources(token)) llvm::append_range(accesses, accessesOf(source, teams));
      });
  return accesses;
}

}  // namespace forerun::backends::accelerator
