//===- Atomics.cpp - read-modify-write of single elements -------------------===//
// RISC-V's A extension, with its acquire and release bits. At core scope the passes before have given it to one team.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

LLVM::AtomicOrdering orderingOf(tile::MemoryOrder order) {
  switch (order) {
    case tile::MemoryOrder::Relaxed:
      return LLVM::AtomicOrdering::monotonic;
    case tile::MemoryOrder::Acquire:
      return LLVM::AtomicOrdering::acquire;
    case tile::MemoryOrder::Release:
      return LLVM::AtomicOrdering::release;
    case tile::MemoryOrder::AcqRel:
      return LLVM::AtomicOrdering::acq_rel;
  }
  return LLVM::AtomicOrdering::acq_rel;
}

LLVM::AtomicBinOp operationOf(tile::AtomicKind kind, bool isFloat) {
  switch (kind) {
    case tile::AtomicKind::Exchange:
      return LLVM::AtomicBinOp::xchg;
    case tile::AtomicKind::Add:
      return isFloat ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add;
    case tile::AtomicKind::Min:
      return LLVM::AtomicBinOp::min;
    case tile::AtomicKind::Max:
      return LLVM::AtomicBinOp::max;
    case tile::AtomicKind::And:
      return LLVM::AtomicBinOp::_and;
    case tile::AtomicKind::Or:
      return LLVM::AtomicBinOp::_or;
    case tile::AtomicKind::Xor:
      return LLVM::AtomicBinOp::_xor;
  }
  return LLVM::AtomicBinOp::add;
}

}  // namespace

template <typename OpT>
LogicalResult KernelLowering::emitAtomic(OpT op, function_ref<Value(Value)> atomic) {
  if (scope_.teams > 1) return unsupported(op, "at core scope; run --tile-expand-semantics before the back end");
  settle(accessesOf(op, scope_.teams));
  if (op.releases()) flushPending();
  checkElement(op, op.getBuffer(), op.getIndices());
  SmallVector<Value> indices = llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalar(index); });
  map_.map(op.getOld(), atomic(b_.pointer(windows_.elementAddress(window(op.getBuffer()), indices))));
  return success();
}

LogicalResult KernelLowering::emitAtomicRmw(tile::AtomicRmwOp op) {
  return emitAtomic(op, [&](Value pointer) -> Value {
    Value value = scalar(op.getValue());
    const bool isFloat = llvm::isa<FloatType>(value.getType());
    return LLVM::AtomicRMWOp::create(b_, operationOf(op.getKind(), isFloat), pointer, value, orderingOf(op.getOrder()));
  });
}

LogicalResult KernelLowering::emitCas(tile::CasOp op) {
  return emitAtomic(op, [&](Value pointer) -> Value {
    const auto failing = op.acquires() ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
    Value pair = LLVM::AtomicCmpXchgOp::create(b_, pointer, scalar(op.getExpected()), scalar(op.getDesired()),
                                               orderingOf(op.getOrder()), failing);
    return LLVM::ExtractValueOp::create(b_, pair, ArrayRef<std::int64_t>{0});
  });
}

}  // namespace forerun::backends::accelerator
