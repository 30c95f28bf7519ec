//===- Accesses.cpp - who touches which buffer -----------------------------===//
// See Accesses.h.
#include "compiler/backends/accelerator/lowering/Accesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"
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

Value rootOf(Value buffer) {
  while (auto slice = buffer.getDefiningOp<tile::SliceOp>()) buffer = slice.getSource();
  return buffer;
}

namespace {

/// True when `slice` is one whole leading index of its source.
bool isLeadingIndex(tile::SliceOp slice) {
  const tile::BufferType source = slice.getSource().getType(), result = slice.getResult().getType();
  if (source.getRank() != result.getRank() + 1 || !source.isOnChip()) return false;
  const auto origins = slice.getMixedOrigins();
  for (std::int64_t dim = 1; dim < source.getRank(); ++dim)
    if (getConstantIntValue(origins[dim]) != 0 || source.getShape()[dim] != result.getShape()[dim - 1]) return false;
  return true;
}

bool isWhole(tile::SliceOp slice) {
  return slice.getSource().getType().isOnChip() &&
         slice.getSource().getType().getShape() == slice.getResult().getType().getShape();
}

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

void reduction(SmallVectorImpl<Access>& accesses, tile::ReduceOp op, unsigned teams) {
  const tile::BufferType input = op.getInput().getType();
  const bool innermost = llvm::is_contained(op.getDims(), input.getRank() - 1);
  Partition in = Partition::mixed(), out = Partition::mixed();
  const bool aligned = isWholeOrLeadingIndex(op.getInput()) && isWholeOrLeadingIndex(op.getOutput());
  if (aligned && innermost && op.getDims().size() == 1) {
    std::int64_t rows = 1;
    for (std::int64_t extent : input.getShape().drop_back()) rows *= extent;
    in = out = Partition::rows(rows);
  } else if (aligned && !innermost) {
    in = out = Partition::columns(input.getShape().back());
  }
  accesses.push_back({rootOf(op.getInput()), false, Actor::Teams, in});
  accesses.push_back({rootOf(op.getOutput()), true, Actor::Teams, out});
}

template <typename OpT>
void product(SmallVectorImpl<Access>& accesses, OpT op) {
  accesses.push_back({rootOf(op.getA()), false});
  accesses.push_back({rootOf(op.getB()), false});
  if (op.getAccumulate() || op.getAccumulateIf()) accesses.push_back({rootOf(op.getAcc()), false});
  accesses.push_back({rootOf(op.getAcc()), true});
}

}  // namespace

bool isWholeOrLeadingIndex(Value buffer) {
  auto slice = buffer.getDefiningOp<tile::SliceOp>();
  if (!slice) return true;
  if (isWhole(slice)) return isWholeOrLeadingIndex(slice.getSource());
  return isLeadingIndex(slice) && !slice.getSource().getDefiningOp<tile::SliceOp>();
}

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
      .Case([&](tile::ReduceOp reduce) { reduction(accesses, reduce, teams); })
      .Case([&](tile::MatmulOp matmul) { product(accesses, matmul); })
      .Case([&](tile::MatmulAsyncOp matmul) { product(accesses, matmul); })
      .Case([&](tile::LoadOp load) {
        accesses.push_back({rootOf(load.getBuffer()), false, Actor::Teams, Partition::everything()});
      })
      .Case([&](tile::StoreOp store) { accesses.push_back({rootOf(store.getBuffer()), true}); })
      .Case([&](tile::WaitOp wait) {
        // What an engine wrote counts as the leader's from the wait on.
        for (Value token : wait.getTokens())
          for (Operation* source : asyncSources(token)) llvm::append_range(accesses, accessesOf(source, teams));
      });
  return accesses;
}

SmallVector<Access> accessesWithin(Operation* op, unsigned teams) {
  SmallVector<Access> accesses;
  if (auto exec = dyn_cast<tile::ExecOp>(op); exec && exec.getScope() == tile::Scope::Team) {
    exec.getBody().walk([&](Operation* inner) {
      for (Access access : accessesOf(inner, 1)) {
        access.actor = Actor::Teams;
        access.partition = Partition::mixed();
        accesses.push_back(access);
      }
    });
    return accesses;
  }
  llvm::append_range(accesses, accessesOf(op, teams));
  for (Region& region : op->getRegions())
    for (Block& block : region)
      for (Operation& inner : block) llvm::append_range(accesses, accessesWithin(&inner, teams));
  return accesses;
}

SmallVector<Operation*> asyncSources(Value token) {
  llvm::SetVector<Operation*> sources;
  SmallVector<Value> pending{token};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()); loop && argument.getArgNumber() > 0) {
        const unsigned index = argument.getArgNumber() - 1;
        pending.push_back(loop.getInitArgs()[index]);
        pending.push_back(loop.getYieldedValues()[index]);
      }
      continue;
    }
    Operation* op = value.getDefiningOp();
    const unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      pending.push_back(loop.getInitArgs()[index]);
      pending.push_back(loop.getYieldedValues()[index]);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      pending.push_back(branch.thenYield().getOperand(index));
      pending.push_back(branch.elseYield().getOperand(index));
    } else if (!llvm::isa<tile::ReadyOp>(op)) {
      sources.insert(op);
    }
  }
  return sources.takeVector();
}

}  // namespace forerun::backends::accelerator
