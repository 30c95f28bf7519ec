//===- Placement.cpp - where buffers lie, and which are always full ---------===//
// Scratch and accumulator offsets are fixed at compile time: buffers of a region stack on those of the regions around
// it, so siblings share bytes.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

constexpr std::int64_t kAlignmentBytes = 64;

struct Watermark {
  std::int64_t now = 0, most = 0;
  void allocate(std::int64_t bytes) {
    now += bytes;
    most = std::max(most, now);
  }
};

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

}  // namespace

LogicalResult KernelLowering::collectBuffers() {
  auto add = [&](Value root) -> Buffer& {
    auto buffer = std::make_unique<Buffer>();
    buffer->id = static_cast<unsigned>(buffers_.size());
    buffer->root = root;
    buffer->type = cast<tile::BufferType>(root.getType());
    bufferOf_[root] = buffer.get();
    buffers_.push_back(std::move(buffer));
    return *buffers_.back();
  };
  for (BlockArgument argument : kernel_.getKernelArguments())
    if (llvm::isa<tile::BufferType>(argument.getType())) add(argument);
  LogicalResult result = success();
  kernel_.walk([&](tile::AllocOp op) {
    const tile::BufferType type = op.getResult().getType();
    if (type.getSpace() == tile::Space::Reg) {
      result =
          unsupported(op, "buffers in 'reg'; use 'scratch': element-wise values stay in vector registers inside a map");
      return;
    }
    Buffer& buffer = add(op.getResult());
    buffer.bytes = storageBytes(type.getElementType());
    for (std::int64_t extent : type.getShape()) buffer.bytes *= extent;
    buffer.bytes = (buffer.bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    for (Operation* parent = op->getParentOp(); parent != kernel_; parent = parent->getParentOp())
      if (auto exec = dyn_cast<tile::ExecOp>(parent); exec && exec.getScope() == tile::Scope::Team)
        buffer.perTeam = true;
    if (buffer.perTeam) buffer.copies = teams_.count;
  });
  kernel_.walk([&](tile::SliceOp op) {
    Buffer* buffer = bufferOf_.lookup(rootOf(op.getResult()));
    if (!buffer) {
      result = unsupported(op, "buffers that scf.if or scf.for pass on; slice the buffer where it is used");
      return;
    }
    if (buffer->onChip() && op.getDroppedDims() == 1 && isWholeOrLeadingIndex(op.getResult()))
      buffer->leadingIndexed = true;
  });
  return result;
}

LogicalResult KernelLowering::placeBuffers() {
  Watermark scratch, acc;
  std::function<void(Region&)> place = [&](Region& region) {
    const std::int64_t scratchBefore = scratch.now, accBefore = acc.now;
    for (Block& block : region)
      for (Operation& op : block) {
        if (auto alloc = dyn_cast<tile::AllocOp>(op)) {
          Buffer& buffer = *bufferOf_.lookup(alloc.getResult());
          Watermark& memory = buffer.type.getSpace() == tile::Space::Acc ? acc : scratch;
          buffer.offset = memory.now;
          memory.allocate(buffer.bytes * buffer.copies);
        }
        for (Region& inner : op.getRegions()) place(inner);
      }
    scratch.now = scratchBefore;
    acc.now = accBefore;
  };
  place(kernel_.getBody());
  needs_.scratchBytes = std::max(needs_.scratchBytes, scratch.most);
  needs_.accBytes = std::max(needs_.accBytes, acc.most);

  auto check = [&](StringRef name, std::int64_t needed, const targets::BankedMemorySpec& memory, tile::Space space) {
    const std::int64_t has = static_cast<std::int64_t>(memory.banks) * static_cast<std::int64_t>(memory.bytesPerBank);
    if (needed <= has) return success();
    const Buffer* largest = nullptr;
    for (const auto& buffer : buffers_)
      if (buffer->onChip() && buffer->type.getSpace() == space &&
          (!largest || buffer->bytes * buffer->copies > largest->bytes * largest->copies))
        largest = buffer.get();
    auto diagnostic = kernel_.emitError() << "kernel @" << kernel_.getSymName() << " needs " << needed << " bytes of "
                                          << name << ", a core of target '" << target_.name << "' has " << has
                                          << "; shrink a tile parameter (--param NAME=VALUE)";
    diagnostic.attachNote(largest->root.getLoc())
        << "the largest buffer takes " << largest->bytes * largest->copies << " bytes: " << largest->type;
    return failure();
  };
  if (failed(check("scratch", scratch.most, target_.scratch, tile::Space::Scratch))) return failure();
  return check("accumulator memory", acc.most, target_.acc, tile::Space::Acc);
}

void KernelLowering::findAlwaysFull() {
  for (const auto& buffer : buffers_)
    if (buffer->onChip()) alwaysFull_.insert(buffer->root);
  auto full = [&](Value value) {
    return cast<tile::BufferType>(value.getType()).isGlobal() ? isStaticallyInside(value)
                                                              : alwaysFull_.contains(rootOf(value));
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
        if (isWholeOrLeadingIndex(destination)) changed |= alwaysFull_.erase(rootOf(destination));
    });
  }
}

}  // namespace forerun::backends::accelerator
