//===- Placement.cpp - do buffers fit, and which are always full ------------===//
// Both are known before any code is emitted. Where a memory has room for all buffers twice, work items take the two
// places in turn.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/dialect/Scopes.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

/// True when a global window lies inside its buffer whatever the run-time sizes are.
bool isStaticallyInside(Value value) {
  auto type = cast<tile::BufferType>(value.getType());
  if (llvm::is_contained(type.getShape(), ShapedType::kDynamic)) return false;
  auto slice = value.getDefiningOp<tile::SliceOp>();
  if (!slice) return true;
  const tile::BufferType source = slice.getSource().getType();
  if (!isStaticallyInside(slice.getSource())) return false;
  const unsigned dropped = slice.getDroppedDims();
  for (auto [dim, origin] : llvm::enumerate(slice.getMixedOrigins())) {
    const auto constant = getConstantIntValue(origin);
    const std::int64_t extent = dim < dropped ? 1 : type.getShape()[dim - dropped];
    if (!constant || *constant < 0 || *constant + extent > source.getShape()[dim]) return false;
  }
  return true;
}

std::int64_t capacity(const targets::BankedMemorySpec& memory) {
  return static_cast<std::int64_t>(memory.banks) * static_cast<std::int64_t>(memory.bytesPerBank);
}

/// What an operation on whole tiles takes valid extents from, and what it gives them to.
struct Data {
  SmallVector<Value> sources, destinations;
};

Data dataOf(Operation* op) {
  Data data;
  if (auto map = dyn_cast<tile::MapOp>(op)) {
    llvm::append_range(data.sources, map.getInputs());
    llvm::append_range(data.destinations, map.getOutputs());
  } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    data = {{reduce.getInput()}, {reduce.getOutput()}};
  } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    data = {{scan.getInput()}, {scan.getOutput()}};
  } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    data = {{gather.getSrc(), gather.getIndices()}, {gather.getOutput()}};
  } else if (llvm::isa<tile::SortOp, tile::TopkOp>(op)) {
    data.sources = {op->getOperand(0)};
    llvm::append_range(data.destinations, op->getOperands().drop_front());
  } else if (auto matmul = dyn_cast<tile::MatmulOp>(op)) {
    data = {{matmul.getA(), matmul.getB()}, {matmul.getAcc()}};
  } else if (auto matmul = dyn_cast<tile::MatmulAsyncOp>(op)) {
    data = {{matmul.getA(), matmul.getB()}, {matmul.getAcc()}};
  } else if (llvm::isa<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp, tile::TransposeOp>(op)) {
    data = {{op->getOperand(0)}, {op->getOperand(1)}};
  } else if (auto fill = dyn_cast<tile::FillOp>(op)) {
    data.destinations = {fill.getDst()};
  }
  return data;
}

}  // namespace

LogicalResult KernelLowering::findPartWritten() {
  LogicalResult result = success();
  kernel_.walk([&](Operation* op) {
    const tile::Scope scope = tile::scopeOf(op);
    if (scope == tile::Scope::Core || teams_.count == 1) return;
    for (Value destination : dataOf(op).destinations) {
      Buffer& buffer = *windows_.buffer(rootOf(destination));
      if (!buffer.onChip() || buffer.alwaysFull || scope >= buffer.scope || !isWholeOrLeadingIndex(destination))
        continue;
      buffer.partWritten = true;
      if (part_)
        result = unsupported(op,
                             "in a role, where it may leave a buffer of all its teams partly valid; let the role's "
                             "teams do it together, or copy windows that overhang no edge");
    }
  });
  return result;
}

LogicalResult KernelLowering::requireMemory(const Windows::Needs& memory) {
  auto fits = [&](tile::Space space, std::int64_t bytes, const targets::BankedMemorySpec& has, StringRef name) {
    return windows_.requireSpace(kernel_, space, bytes, capacity(has), name, target_.name);
  };
  return failure(failed(fits(tile::Space::Scratch, memory.scratchBytes, target_.scratch, "scratch")) ||
                 failed(fits(tile::Space::Acc, memory.accBytes, target_.acc, "accumulator memory")));
}

LogicalResult KernelLowering::placeBuffers() {
  Windows::Needs most;
  if (part_)
    most = part_->memory;
  else
    most = windows_.place(kernel_.getBody());
  for (const auto& buffer : windows_.buffers()) {
    if (!buffer->partWritten) continue;
    const std::int64_t offset = llvm::alignTo<64>(most.scratchBytes);
    most.scratchBytes = offset + 8 * buffer->extentWords() * buffer->copies;
    sharedExtents_[buffer.get()] = offset;
  }
  if (failed(requireMemory(most))) return failure();
  // Commands that outlive their work item would hold up the next one's first commands if both used the same bytes.
  auto turnBytes = [&](tile::Space space, std::int64_t bytes, const targets::BankedMemorySpec& memory) {
    const bool outlived = llvm::any_of(carried_, [&](const Carried& command) {
      return llvm::any_of(llvm::concat<const Value>(command.reads, command.writes),
                          [&](Value root) { return cast<tile::BufferType>(root.getType()).getSpace() == space; });
    });
    return outlived && 2 * bytes <= capacity(memory) ? bytes : 0;
  };
  scratchTurnBytes_ = turnBytes(tile::Space::Scratch, most.scratchBytes, target_.scratch);
  accTurnBytes_ = turnBytes(tile::Space::Acc, most.accBytes, target_.acc);
  needs_.scratchBytes = std::max(needs_.scratchBytes, most.scratchBytes + scratchTurnBytes_);
  needs_.accBytes = std::max(needs_.accBytes, most.accBytes + accTurnBytes_);
  return success();
}

bool KernelLowering::rotates(Value root) const {
  const tile::Space space = cast<tile::BufferType>(root.getType()).getSpace();
  if (windows_.buffer(root)->shared) return false;  // the roles may be at different work items
  return (space == tile::Space::Scratch && scratchTurnBytes_ != 0) || (space == tile::Space::Acc && accTurnBytes_ != 0);
}

void KernelLowering::findAlwaysFull() {
  for (const auto& buffer : windows_.buffers()) buffer->alwaysFull = buffer->onChip();
  auto full = [&](Value value) {
    return cast<tile::BufferType>(value.getType()).isGlobal() ? isStaticallyInside(value)
                                                              : windows_.buffer(rootOf(value))->alwaysFull;
  };
  for (bool changed = true; changed;) {
    changed = false;
    kernel_.walk([&](Operation* op) {
      const Data data = dataOf(op);
      if (llvm::all_of(data.sources, full)) return;
      for (Value destination : data.destinations)
        if (isWholeOrLeadingIndex(destination))
          changed |= std::exchange(windows_.buffer(rootOf(destination))->alwaysFull, false);
    });
  }
}

}  // namespace forerun::backends::accelerator
