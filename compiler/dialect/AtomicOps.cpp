//===- AtomicOps.cpp - checks of atomic operations -------------------------===//
// Verifiers of the operations of TileAtomicOps.td.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

namespace {

template <typename OpT>
LogicalResult verifyAtomic(OpT op, Type value, bool floats, llvm::StringRef what) {
  const BufferType buffer = op.getBuffer().getType();
  if (value != buffer.getElementType())
    return op.emitOpError() << "expected a value of the element type " << buffer.getElementType() << ", found "
                            << value;
  if (failed(verifyAccess(op, buffer, op.getIndices().size()))) return failure();
  const bool fits = llvm::isa<ParamType>(value) || value.isInteger(32) || value.isInteger(64) ||
                    (floats && (value.isF32() || value.isF64()));
  if (!fits)
    return op.emitOpError() << "expected elements of i32" << (floats ? ", i64, f32 or f64" : " or i64") << " for "
                            << what << ", found " << value;
  if (buffer.getSpace() != Space::Global && buffer.getSpace() != Space::Scratch)
    return op.emitOpError() << "expected a buffer in global or scratch, found " << buffer;
  if (buffer.isOnChip() && op.getScope() != SyncScope::Core)
    return op.emitOpError() << "expected scope <core> for a buffer that one core has, found <"
                            << stringifySyncScope(op.getScope()) << ">";
  if (!op->template getParentOfType<KernelOp>())
    return op.emitOpError() << "belongs into a kernel; host functions run alone";
  return success();
}

}  // namespace

LogicalResult AtomicRmwOp::verify() {
  const bool floats = getKind() == AtomicKind::Exchange || getKind() == AtomicKind::Add;
  return verifyAtomic(*this, getValue().getType(), floats, stringifyAtomicKind(getKind()));
}

LogicalResult CasOp::verify() { return verifyAtomic(*this, getExpected().getType(), /*floats=*/false, "cas"); }

}  // namespace forerun::tile
