//===- Accesses.cpp - who touches which buffer -----------------------------===//
// See Accesses.h.
#include "compiler/backends/accelerator/lowering/Accesses.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/dialect/Scopes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::accelerator {

Split splitFor(ArrayRef<std::int64_t> shape, unsigned teams) {
  Split split;
  split.rank = static_cast<std::int64_t>(shape.size());
  for (std::int64_t extent : shape.drop_back()) split.rows *= extent;
  split.columns = shape.back();
  if (shape.size() == 2 && shape.back() == 1 && split.rows > 1) {
    split.kind = Split::Strided;
    return split;
  }
  const bool enoughRows = teams == 1 || (split.rows >= std::min<std::int64_t>(teams, 4) && split.rows > 1);
  split.kind = shape.size() > 1 && enoughRows ? Split::Rows : Split::Columns;
  return split;
}

Split splitOf(Operation* op, ArrayRef<std::int64_t> shape, unsigned teams) {
  Split split = splitFor(shape, teams);
  // Indices that number rows are side by side from row to row.
  auto gather = dyn_cast<tile::GatherOp>(op);
  const bool numbersRows = gather && tile::variantOf(op) == kIndexed && shape.size() == 2 &&
                           gather.getIndices().getType().getShape().back() == 1;
  if (numbersRows || tile::variantOf(op) == kStrided) split.kind = Split::Strided;
  return split;
}

LineWalk lineWalk(ArrayRef<std::int64_t> shape, ArrayRef<std::int64_t> dims, bool along) {
  const auto rank = static_cast<std::int64_t>(shape.size()), inner = rank - 1;
  LineWalk walk;
  walk.along = along;
  if (along) {
    walk.lane = dims.back();
    if (dims == ArrayRef<std::int64_t>{inner}) {
      std::int64_t rows = 1;
      for (std::int64_t extent : shape.drop_back()) rows *= extent;
      walk.partition = Partition::rows(rows);
    }
    return walk;
  }
  // The innermost dimension that has more than one line; without any, some kept one.
  for (std::int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim) &&
        (shape[dim] != 1 || shape[walk.lane] == 1 || llvm::is_contained(dims, walk.lane)))
      walk.lane = dim;
  if (walk.lane == inner) {
    walk.granule = 64;
    walk.partition = Partition::columns(shape.back());
  } else if (rank == 2) {
    walk.partition = Partition::rows(shape.front());
  }
  return walk;
}

LineWalk lineWalkOf(Operation* op, ArrayRef<std::int64_t> shape, ArrayRef<std::int64_t> dims) {
  const llvm::StringRef variant = tile::variantOf(op);
  bool along = variant == kAlong || variant == kSegments;
  if (!along && variant != kAcross) {
    along = true;
    for (auto dim = static_cast<std::size_t>(dims.back()) + 1; dim < shape.size(); ++dim) along &= shape[dim] == 1;
  }
  return lineWalk(shape, dims, along);
}

namespace {

/// Partition of an element-wise operand when the work is split as `split` over windows of shape `shape`.
Partition operandPartition(Value operand, ArrayRef<std::int64_t> shape, const Split& split) {
  if (!isWholeOrLeadingIndex(operand)) return Partition::mixed();
  const auto own = cast<tile::BufferType>(operand.getType()).getShape();
  if (own == shape) return split.partition();
  if (split.kind != Split::Columns) {
    // Broadcast along the innermost dimension only: rows still agree.
    if (own.drop_back() == shape.drop_back()) return Partition::rows(split.rows);
    return Partition::everything();
  }
  return own.back() == shape.back() ? Partition::columns(split.columns) : Partition::everything();
}

void elementwise(SmallVectorImpl<Access>& accesses, Operation* op, ValueRange inputs, ValueRange outputs,
                 unsigned teams) {
  const auto shape = cast<tile::BufferType>(outputs.front().getType()).getShape();
  const Split split = splitOf(op, shape, teams);
  for (Value input : inputs)
    accesses.push_back({rootOf(input), false, Actor::Teams, operandPartition(input, shape, split)});
  for (Value output : outputs)
    accesses.push_back({rootOf(output), true, Actor::Teams, operandPartition(output, shape, split)});
}

void alongLines(SmallVectorImpl<Access>& accesses, Operation* op, Value input, Value output,
                ArrayRef<std::int64_t> dims) {
  Partition partition = Partition::mixed();
  if (isWholeOrLeadingIndex(input) && isWholeOrLeadingIndex(output))
    partition = lineWalkOf(op, cast<tile::BufferType>(input.getType()).getShape(), dims).partition;
  accesses.push_back({rootOf(input), false, Actor::Teams, partition});
  accesses.push_back({rootOf(output), true, Actor::Teams, partition});
}

template <typename OpT>
void product(SmallVectorImpl<Access>& accesses, OpT op, unsigned teams) {
  const bool engine = byEngine(op);
  const Actor actor = engine ? Actor::Leader : Actor::Teams;
  Partition rows = Partition::everything();
  if (!engine && isWholeOrLeadingIndex(op.getAcc()))
    rows = splitFor(op.getAcc().getType().getShape(), teams).partition();
  else if (!engine)
    rows = Partition::mixed();
  accesses.push_back({rootOf(op.getA()), false, actor});
  accesses.push_back({rootOf(op.getB()), false, actor});
  if (op.getAccumulate() || op.getAccumulateIf()) accesses.push_back({rootOf(op.getAcc()), false, actor, rows});
  accesses.push_back({rootOf(op.getAcc()), true, actor, rows});
}

}  // namespace

unsigned teamsTogether(Operation* op, unsigned coreTeams, unsigned groupTeams) {
  switch (tile::scopeOf(op)) {
    case tile::Scope::Lane:
    case tile::Scope::Team:
      return 1;
    case tile::Scope::Group:
      return groupTeams;
    default:
      return coreTeams;
  }
}

SmallVector<Access> accessesOf(Operation* op, unsigned teams) {
  SmallVector<Access> accesses;
  auto move = [&](Operation* copy, Value source, Value destination) {
    if (byEngine(copy)) {
      accesses.push_back({rootOf(source), false});
      accesses.push_back({rootOf(destination), true});
    } else {
      elementwise(accesses, copy, source, destination, teams);
    }
  };
  llvm::TypeSwitch<Operation*>(op)
      .Case<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp>([&](auto copy) { move(copy, copy.getSrc(), copy.getDst()); })
      .Case([&](tile::FillOp fill) {
        if (byEngine(fill))
          accesses.push_back({rootOf(fill.getDst()), true});
        else
          elementwise(accesses, fill, {}, fill.getDst(), teams);
      })
      .Case([&](tile::TransposeOp transpose) {
        if (byEngine(transpose)) return move(transpose, transpose.getSrc(), transpose.getDst());
        elementwise(accesses, transpose, {}, transpose.getDst(), teams);
        accesses.push_back({rootOf(transpose.getSrc()), false, Actor::Teams, Partition::everything()});
      })
      .Case([&](tile::MapOp map) { elementwise(accesses, map, map.getInputs(), map.getOutputs(), teams); })
      .Case([&](tile::ReduceOp reduce) {
        alongLines(accesses, reduce, reduce.getInput(), reduce.getOutput(), reduce.getDims());
      })
      .Case([&](tile::ScanOp scan) {
        alongLines(accesses, scan, scan.getInput(), scan.getOutput(), static_cast<std::int64_t>(scan.getDim()));
      })
      .Case([&](tile::GatherOp gather) {
        if (byEngine(gather)) {
          for (Value read : {gather.getSrc(), gather.getIndices()}) accesses.push_back({rootOf(read), false});
          accesses.push_back({rootOf(gather.getOutput()), true});
          return;
        }
        elementwise(accesses, gather, gather.getIndices(), gather.getOutput(), teams);
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
      .Case([&](tile::MatmulOp matmul) { product(accesses, matmul, teams); })
      .Case([&](tile::MatmulAsyncOp matmul) { product(accesses, matmul, teams); })
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
