//===- Placement.cpp - do buffers fit, and which are always full ------------===//
// Both are known before any code is emitted. Where a memory has room for all buffers twice, work items take the two
// places in turn.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

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

}  // namespace

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
      SmallVector<Value> sources, destinations;
      if (auto map = dyn_cast<tile::MapOp>(op)) {
        llvm::append_range(sources, map.getInputs());
        llvm::append_range(destinations, map.getOutputs());
      } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        sources = {reduce.getInput()};
        destinations = {reduce.getOutput()};
      } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
        sources = {scan.getInput()};
        destinations = {scan.getOutput()};
      } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
        sources = {gather.getSrc(), gather.getIndices()};
        destinations = {gather.getOutput()};
      } else if (llvm::isa<tile::SortOp, tile::TopkOp>(op)) {
        sources = {op->getOperand(0)};
        llvm::append_range(destinations, op->getOperands().drop_front());
      } else if (auto matmul = dyn_cast<tile::MatmulOp>(op)) {
        sources = {matmul.getA(), matmul.getB()};
        destinations = {matmul.getAcc()};
      } else if (auto matmul = dyn_cast<tile::MatmulAsyncOp>(op)) {
        sources = {matmul.getA(), matmul.getB()};
        destinations = {matmul.getAcc()};
      } else if (llvm::isa<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp, tile::TransposeOp>(op)) {
        sources = {op->getOperand(0)};
        destinations = {op->getOperand(1)};
      }
      if (llvm::all_of(sources, full)) return;
      for (Value destination : destinations)
        if (isWholeOrLeadingIndex(destination))
          changed |= std::exchange(windows_.buffer(rootOf(destination))->alwaysFull, false);
    });
  }
}

}  // namespace forerun::backends::accelerator
