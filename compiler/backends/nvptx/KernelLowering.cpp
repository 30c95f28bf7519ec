//===- KernelLowering.cpp - the walk over one kernel ------------------------===//
// Threads meet where data moves between them: at a CTA's barrier, inside `tile.exec team` at their warp's.
#include "compiler/backends/nvptx/KernelLowering.h"

#include "compiler/backends/nvptx/GpuCode.h"
#include "compiler/dialect/layout/TargetAxes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace forerun::backends::nvptx {

namespace {

constexpr unsigned kGlobal = 1;  // address space of NVPTX

/// Threads share what an operation touches in an order of no further interest. Accumulators are private.
SmallVector<Access> accessesOf(Operation* op) {
  SmallVector<Access> accesses;
  if (auto wait = dyn_cast<tile::WaitOp>(op)) {  // what a copy wrote in the background can be seen from here on
    for (Value token : wait.getTokens())
      for (Operation* source : asyncSources(token)) llvm::append_range(accesses, accessesOf(source));
    return accesses;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) return accesses;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const auto& instance : instances) {
    Value value = instance.getValue();
    auto type = value ? dyn_cast<tile::BufferType>(value.getType()) : tile::BufferType();
    const bool reads = llvm::isa<MemoryEffects::Read>(instance.getEffect()),
               writes = llvm::isa<MemoryEffects::Write>(instance.getEffect());
    if (type && type.getSpace() != tile::Space::Acc && (reads || writes))
      accesses.push_back({rootOf(value), writes, Actor::Teams, Partition::mixed()});
  }
  return accesses;
}

}  // namespace

KernelLowering::KernelLowering(tile::KernelOp kernel, const targets::GpuSpec& target)
    : kernel_(kernel), target_(target), b_(kernel.getLoc(), OpBuilder(kernel)) {}

LogicalResult KernelLowering::unsupported(Operation* op, const Twine& why) {
  return op->emitError() << "the nvptx back end does not support this '" << op->getName() << "': " << why;
}

LogicalResult KernelLowering::run(StringRef name, LLVM::GlobalOp shared) {
  if (failed(windows_.collect(
          kernel_, target_.warpsPerCta, /*groups=*/1, [&](unsigned) { return layout::axesOf(target_); },
          [&](Operation* op, const Twine& why) { return unsupported(op, why); })))
    return failure();
  for (const auto& buffer : windows_.buffers())
    if (tile::isSmallFloat(buffer->type.getElementType()) || tile::isPacked(buffer->type.getElementType()))
      return emitError(buffer->root.getLoc())
             << "the nvptx back end does not support elements of 4 bits or floats of 8, found " << buffer->type;
  const std::int64_t sharedBytes = windows_.place(kernel_.getBody()).scratchBytes;
  if (failed(windows_.requireSpace(kernel_, tile::Space::Scratch, sharedBytes,
                                   static_cast<std::int64_t>(target_.sharedBytes), "shared memory", target_.name)))
    return failure();
  auto overlap = [&](Value a, Value b) { return windows_.overlap(a, b); };
  barriers_ = placeBarriers(kernel_.getBody().front(), /*repeats=*/false, accessesOf, overlap);
  kernel_.walk([&](tile::ExecOp exec) {  // whose members meet by themselves
    if (exec.getScope() != tile::Scope::Team) return;
    for (Operation* op : placeBarriers(exec.getBody().front(), /*repeats=*/false, accessesOf, overlap).before)
      barriers_.before.insert(op);
  });
  emitEntry(name, sharedBytes, shared);
  return emitBlock(kernel_.getBody().front());
}

void KernelLowering::emitEntry(StringRef name, std::int64_t sharedBytes, LLVM::GlobalOp shared) {
  auto global = LLVM::LLVMPointerType::get(b_.getContext(), kGlobal);
  SmallVector<Type> parameters;
  SmallVector<unsigned> pointers;
  for (BlockArgument argument : kernel_.getKernelArguments()) {
    auto type = dyn_cast<tile::BufferType>(argument.getType());
    if (!type) {
      parameters.push_back(scalarType(argument.getType()));
      continue;
    }
    pointers.push_back(static_cast<unsigned>(parameters.size()));
    parameters.push_back(global);
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      if (type.isRuntimeDim(dim)) parameters.push_back(b_.getI64Type());
  }
  auto function = LLVM::LLVMFuncOp::create(
      b_, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b_.getContext()), parameters));
  for (unsigned pointer : pointers)  // different arguments do not overlap
    function.setArgAttr(pointer, LLVM::LLVMDialect::getNoAliasAttrName(), b_.getUnitAttr());
  const auto threads = static_cast<std::int32_t>(target_.warpsPerCta * target_.warpSize);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b_.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), b_.getDenseI32ArrayAttr({threads, 1, 1}));
  function.setPassthroughAttr(
      b_.getArrayAttr({b_.getStrArrayAttr({kSharedBytesAttribute, std::to_string(sharedBytes)})}));

  entry_ = function.addEntryBlock(b_);
  b_.setInsertionPointToStart(entry_);
  LLVM::ReturnOp::create(b_, ValueRange{});
  b_.setInsertionPointToStart(entry_);
  windows_.allocateExtents();
  shared_ = LLVM::AddressOfOp::create(b_, shared);
  auto wide = [&](Value value) -> Value { return arith::ExtUIOp::create(b_, b_.getI64Type(), value); };
  auto special = [&]<typename Register>(Register) { return wide(Register::create(b_, b_.getI32Type())); };
  Value thread = special(NVVM::ThreadIdXOp());
  lane_ = b_.remUnsigned(thread, target_.warpSize);
  cta_ = {thread, threads, b_.divUnsigned(thread, target_.warpSize), target_.warpsPerCta};
  scope_ = cta_;
  const auto ids = kernel_.getGridIds();
  map_.map(ids[0], special(NVVM::BlockIdXOp()));
  if (ids.size() > 1) map_.map(ids[1], special(NVVM::BlockIdYOp()));
  if (ids.size() > 2) map_.map(ids[2], special(NVVM::BlockIdZOp()));

  unsigned next = 0;
  for (BlockArgument argument : kernel_.getKernelArguments()) {
    auto type = dyn_cast<tile::BufferType>(argument.getType());
    if (!type) {
      map_.map(argument, entry_->getArgument(next++));
      continue;
    }
    Buffer& buffer = *windows_.buffer(argument);
    bases_[&buffer] = entry_->getArgument(next++);
    buffer.address = b_.constant(0);
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      buffer.extents.push_back(type.isRuntimeDim(dim) ? Value(entry_->getArgument(next++))
                                                      : b_.constant(type.getShape()[dim]));
    windows_.setStrides(buffer);
    windows_.define(buffer);
  }
}

LogicalResult KernelLowering::emitBlock(Block& block) {
  for (Operation& op : block.without_terminator())
    if (failed(emitOperation(&op))) return failure();
  return success();
}

void KernelLowering::barrier() {
  if (scope_.warps == cta_.warps)
    NVVM::Barrier0Op::create(b_);
  else
    NVVM::SyncWarpOp::create(b_, b_.constant32(-1));
}

LogicalResult KernelLowering::emitOperation(Operation* op) {
  b_.setLoc(op->getLoc());
  if (barriers_.before.contains(op)) barrier();
  auto region = [&](Block& block) { return emitBlock(block); };
  return llvm::TypeSwitch<Operation*, LogicalResult>(op)
      .Case([&](tile::AllocOp alloc) { return emitAlloc(alloc); })
      .Case([&](tile::SliceOp slice) { return windows_.slice(slice), success(); })
      .Case([&](tile::DimOp dim) {
        return map_.map(dim.getResult(), windows_.at(dim.getBuffer()).extents[dim.getDim()]), success();
      })
      .Case([&](tile::CopyOp copy) { return emitCopy(op, copy.getSrc(), copy.getDst()); })
      .Case([&](tile::CastOp cast) { return emitCopy(op, cast.getSrc(), cast.getDst()); })
      .Case([&](tile::CopyAsyncOp copy) { return emitCopyAsync(copy); })
      .Case([&](tile::FillOp fill) { return emitFill(fill); })
      .Case([&](tile::MapOp map) { return emitMap(map); })
      .Case([&](tile::MatmulOp matmul) { return emitMatmul(matmul); })
      .Case([&](tile::MatmulAsyncOp matmul) { return emitMatmul(matmul); })
      .Case([&](tile::WaitOp wait) { return emitWait(wait), success(); })
      .Case([&](tile::ReadyOp ready) { return map_.map(ready.getToken(), b_.constant(0)), success(); })
      .Case([&](tile::LoadOp element) {
        const Window& window = windows_.at(element.getBuffer());
        map_.map(element.getValue(),
                 load(window, windows_.elementAddress(window, scalars_.values(element.getIndices()))));
        return success();
      })
      .Case([&](tile::StoreOp element) {
        const Window& window = windows_.at(element.getBuffer());
        Value address = windows_.elementAddress(window, scalars_.values(element.getIndices()));
        b_.when(b_.equal(scope_.thread, b_.constant(0)),
                [&] { store(window, address, scalars_.value(element.getValue())); });
        return success();
      })
      .Case([&](tile::ExecOp exec) { return emitExec(exec); })
      .Case([&](tile::SyncOp) { return success(); })  // the barrier itself is in the plan
      .Case([&](tile::TeamIdOp id) { return map_.map(id.getResult(), cta_.warp), success(); })
      .Case([&](tile::NumTeamsOp id) { return map_.map(id.getResult(), b_.constant(cta_.warps)), success(); })
      .Case([&](tile::MarkOp mark) { return emitBlock(mark.getBody().front()); })
      .Case([&](tile::ConvertOp conversion) {
        Type from = conversion.getValue().getType(), to = conversion.getType();
        if (failed(checkConversion(op, from, to))) return failure();
        map_.map(conversion.getResult(), convert(b_, Lanes{}, scalars_.value(conversion.getValue()), from, to));
        return success();
      })
      .Case([&](scf::ForOp loop) { return scalars_.emitFor(loop, region); })
      .Case([&](scf::IfOp branch) { return scalars_.emitIf(branch, region); })
      .Case([&](scf::WhileOp loop) { return scalars_.emitWhile(loop, region); })
      .Default([&](Operation*) -> LogicalResult {
        if (scalars_.emit(op)) return success();
        return unsupported(op,
                           "it takes kernel, slice, dim, alloc, copy, copy_async, cast, fill, map, matmul, wait, exec, "
                           "sync, load, store, mark, scf.for / if / while and scalar arith");
      });
}

LogicalResult KernelLowering::emitExec(tile::ExecOp op) {
  if (op.getScope() == tile::Scope::Core) return emitBlock(op.getBody().front());
  if (op.getScope() != tile::Scope::Team || op.getStep() != 1)
    return unsupported(op, "a scope beside core and team, or a range with a step");
  SmallVector<std::int64_t> range;
  for (OpFoldResult edge : op.getMixedRange()) {
    const auto constant = getConstantIntValue(edge);
    if (!constant) return unsupported(op, "a range that is known at run time only; write integers");
    if (*constant > cta_.warps)
      return unsupported(op, "a range past the core's teams: a CTA has " + Twine(cta_.warps) + " warps (warpsPerCta)");
    range.push_back(*constant);
  }
  Value inside;
  if (range.size() == 1) inside = b_.equal(cta_.warp, b_.constant(range[0]));
  if (range.size() == 2)
    inside = b_.conjunction(b_.less(b_.constant(range[0] - 1), cta_.warp), b_.less(cta_.warp, b_.constant(range[1])));
  scope_ = {lane_, target_.warpSize, b_.constant(0), 1};
  LogicalResult result = success();
  auto body = [&] { result = emitBlock(op.getBody().front()); };
  if (inside)
    b_.when(inside, body);
  else
    body();
  scope_ = cta_;
  return result;
}

LogicalResult KernelLowering::emitAlloc(tile::AllocOp op) {
  Buffer& buffer = *windows_.buffer(op.getResult());
  if (buffer.type.getSpace() == tile::Space::Acc) {
    if (failed(allocateFragments(op, buffer))) return failure();
    buffer.address = b_.constant(0);
  } else {
    bases_[&buffer] = shared_;
    buffer.address = b_.constant(buffer.offset);
    if (buffer.scope == tile::Scope::Team) buffer.address = b_.add(buffer.address, b_.mul(cta_.warp, buffer.bytes));
  }
  windows_.setStrides(buffer);
  windows_.define(buffer);
  return success();
}

}  // namespace forerun::backends::nvptx
