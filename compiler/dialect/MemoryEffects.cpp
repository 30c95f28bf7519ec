//===- MemoryEffects.cpp - what each operation reads and writes ------------===//
// One table of effects; the resource follows from the space of the buffer.
#include "compiler/dialect/TileOps.h"

using namespace mlir;

namespace forerun::tile {

SideEffects::Resource* memoryResource(BufferType type) {
  switch (type.getSpace()) {
    case Space::Global:
      return GlobalMemory::get();
    case Space::Scratch:
      return ScratchMemory::get();
    case Space::Acc:
      return AccMemory::get();
    case Space::Reg:
      return RegMemory::get();
  }
  llvm_unreachable("unknown space");
}

namespace {
using Effects = llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

SideEffects::Resource* resourceOf(OpOperand& operand) {
  return memoryResource(llvm::cast<BufferType>(operand.get().getType()));
}
void reads(Effects& effects, OpOperand& operand) {
  effects.emplace_back(MemoryEffects::Read::get(), &operand, resourceOf(operand));
}
void writes(Effects& effects, OpOperand& operand) {
  effects.emplace_back(MemoryEffects::Write::get(), &operand, resourceOf(operand));
}
/// Orders the operation against every access: what a wait or a barrier needs.
void ordersEverything(Effects& effects) {
  for (SideEffects::Resource* resource :
       {static_cast<SideEffects::Resource*>(GlobalMemory::get()),
        static_cast<SideEffects::Resource*>(ScratchMemory::get()),
        static_cast<SideEffects::Resource*>(AccMemory::get()), static_cast<SideEffects::Resource*>(RegMemory::get()),
        static_cast<SideEffects::Resource*>(Synchronization::get())}) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}
template <typename OpT>
void moves(OpT op, Effects& effects) {
  reads(effects, op.getSrcMutable());
  writes(effects, op.getDstMutable());
}
template <typename OpT>
void multiplies(OpT op, Effects& effects) {
  reads(effects, op.getAMutable());
  reads(effects, op.getBMutable());
  for (OpOperand& scale : op.getScaleAMutable()) reads(effects, scale);
  for (OpOperand& scale : op.getScaleBMutable()) reads(effects, scale);
  if (op.getAccumulate() || op.getAccumulateIf()) reads(effects, op.getAccMutable());
  writes(effects, op.getAccMutable());
}
template <typename OpT>
void orders(OpT op, Effects& effects) {
  reads(effects, op.getInputMutable());
  for (OpOperand& output : op.getOutputsMutable()) writes(effects, output);
}
}  // namespace

void AllocOp::getEffects(Effects& effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0),
                       memoryResource(getResult().getType()));
}
void CopyOp::getEffects(Effects& effects) { moves(*this, effects); }
void CopyAsyncOp::getEffects(Effects& effects) {
  moves(*this, effects);
  effects.emplace_back(MemoryEffects::Write::get(), Synchronization::get());
}
void CastOp::getEffects(Effects& effects) { moves(*this, effects); }
void TransposeOp::getEffects(Effects& effects) { moves(*this, effects); }
void FillOp::getEffects(Effects& effects) { writes(effects, getDstMutable()); }
void LoadOp::getEffects(Effects& effects) { reads(effects, getBufferMutable()); }
void StoreOp::getEffects(Effects& effects) { writes(effects, getBufferMutable()); }
void MapOp::getEffects(Effects& effects) {
  for (OpOperand& input : getInputsMutable()) reads(effects, input);
  for (OpOperand& output : getOutputsMutable()) writes(effects, output);
}
void ReduceOp::getEffects(Effects& effects) {
  reads(effects, getInputMutable());
  if (getAccumulate()) reads(effects, getOutputMutable());
  writes(effects, getOutputMutable());
}
void IotaOp::getEffects(Effects& effects) { writes(effects, getDstMutable()); }
void BroadcastOp::getEffects(Effects& effects) { moves(*this, effects); }
void ScanOp::getEffects(Effects& effects) {
  reads(effects, getInputMutable());
  writes(effects, getOutputMutable());
}
void GatherOp::getEffects(Effects& effects) {
  reads(effects, getSrcMutable());
  reads(effects, getIndicesMutable());
  writes(effects, getOutputMutable());
}
void ScatterOp::getEffects(Effects& effects) {
  reads(effects, getSrcMutable());
  reads(effects, getIndicesMutable());
  if (getKind()) reads(effects, getDstMutable());
  writes(effects, getDstMutable());
}
void HistogramOp::getEffects(Effects& effects) {
  reads(effects, getInputMutable());
  if (getAccumulate()) reads(effects, getOutputMutable());
  writes(effects, getOutputMutable());
}
void SortOp::getEffects(Effects& effects) { orders(*this, effects); }
void TopkOp::getEffects(Effects& effects) { orders(*this, effects); }
void MatmulOp::getEffects(Effects& effects) { multiplies(*this, effects); }
void MatmulAsyncOp::getEffects(Effects& effects) {
  multiplies(*this, effects);
  effects.emplace_back(MemoryEffects::Write::get(), Synchronization::get());
}
void WaitOp::getEffects(Effects& effects) { ordersEverything(effects); }
void SyncOp::getEffects(Effects& effects) { ordersEverything(effects); }
void AtomicRmwOp::getEffects(Effects& effects) { ordersEverything(effects); }
void CasOp::getEffects(Effects& effects) { ordersEverything(effects); }
void BarrierInitOp::getEffects(Effects& effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0), Synchronization::get());
}
void BarrierArriveOp::getEffects(Effects& effects) { ordersEverything(effects); }
void BarrierWaitOp::getEffects(Effects& effects) { ordersEverything(effects); }
void PipelineOp::getEffects(Effects& effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0), Synchronization::get());
}
void ProducerAcquireOp::getEffects(Effects& effects) { ordersEverything(effects); }
void ProducerCommitOp::getEffects(Effects& effects) { ordersEverything(effects); }
void ConsumerWaitOp::getEffects(Effects& effects) { ordersEverything(effects); }
void ConsumerReleaseOp::getEffects(Effects& effects) { ordersEverything(effects); }
void AssertOp::getEffects(Effects& effects) {
  effects.emplace_back(MemoryEffects::Write::get(), Synchronization::get());
}

}  // namespace forerun::tile
