//===- Verification.cpp - checks that several operations share -------------===//
// Buffer compatibility while parameters are unbound, and enclosing scopes.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

bool compatibleExtents(BufferType a, unsigned dimA, BufferType b, unsigned dimB) {
  return a.getDims()[dimA] == b.getDims()[dimB] || a.isParamDim(dimA) || b.isParamDim(dimB);
}

bool compatibleElements(Type a, Type b) { return a == b || llvm::isa<ParamType>(a) || llvm::isa<ParamType>(b); }

std::string printExtent(BufferType type, unsigned dim) {
  if (auto symbol = llvm::dyn_cast<FlatSymbolRefAttr>(type.getDims()[dim])) return "@" + symbol.getValue().str();
  return type.isRuntimeDim(dim) ? "?" : std::to_string(type.getShape()[dim]);
}

LogicalResult verifyWindow(Operation* op, BufferType type, llvm::StringRef name) {
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (type.isRuntimeDim(dim))
      return op->emitOpError() << "expected static extents, found " << type << " as " << name
                               << "; take a window with tile.slice first";
  return success();
}

LogicalResult verifySameShape(Operation* op, BufferType a, llvm::StringRef nameA, BufferType b, llvm::StringRef nameB) {
  if (failed(verifyWindow(op, a, nameA)) || failed(verifyWindow(op, b, nameB))) return failure();
  if (a.getRank() != b.getRank())
    return op->emitOpError() << "expected operands of one rank, found " << nameA << " of rank " << a.getRank()
                             << " and " << nameB << " of rank " << b.getRank()
                             << "; drop leading dimensions with tile.slice";
  for (unsigned dim = 0; dim < a.getRank(); ++dim)
    if (!compatibleExtents(a, dim, b, dim))
      return op->emitOpError() << "expected equal extents, found " << printExtent(a, dim) << " in dimension " << dim
                               << " of " << nameA << " and " << printExtent(b, dim) << " in " << nameB
                               << "; take windows of one shape with tile.slice";
  return success();
}

LogicalResult verifyDim(Operation* op, int64_t dim, BufferType type) {
  if (dim >= 0 && dim < type.getRank()) return success();
  return op->emitOpError() << "expected a dimension from 0 to " << type.getRank() - 1 << ", found " << dim;
}

LogicalResult verifyBroadcast(Operation* op, BufferType from, llvm::StringRef nameFrom, BufferType to,
                              llvm::StringRef nameTo) {
  if (from.getRank() != to.getRank())
    return op->emitOpError() << "expected " << nameFrom << " to have the rank of the " << nameTo << ", " << to.getRank()
                             << ", found " << from.getRank() << "; drop leading dimensions with tile.slice";
  for (unsigned dim = 0; dim < to.getRank(); ++dim)
    if (from.getShape()[dim] != 1 && !compatibleExtents(from, dim, to, dim))
      return op->emitOpError() << "expected extent " << printExtent(to, dim) << " or 1 in dimension " << dim << " of "
                               << nameFrom << ", found " << printExtent(from, dim);
  return success();
}

LogicalResult verifyAccess(Operation* op, BufferType type, size_t indices) {
  if (static_cast<int64_t>(indices) == type.getRank()) return success();
  return op->emitOpError() << "expected " << type.getRank() << " indices for " << type << ", found " << indices;
}

LogicalResult verifyWholeBytes(Operation* op, Type element) {
  if (!isPacked(element)) return success();
  return op->emitOpError() << "expected elements of a byte or more, found " << element
                           << ", two of which share one; convert to "
                           << (element.isInteger() ? "i8" : "f16, bf16 or f32") << " with tile.cast";
}

LogicalResult verifyOverflow(Operation* op, Overflow overflow, Type from, Type to) {
  if (overflow == Overflow::Saturate || llvm::isa<ParamType>(from) || llvm::isa<ParamType>(to)) return success();
  if (from == to)
    return op->emitOpError() << "expected no 'overflow' between equal types, found " << from << " twice; leave it out";
  if (isSmallFloat(to) && !isPacked(to)) return success();
  return op->emitOpError() << "expected 'overflow <nan>' of a conversion to f8E4M3FN, f8E5M2 or f8E8M0FNU, found " << to
                           << (isPacked(to) ? ", which has no NaN" : ", which does what its type does")
                           << "; leave it out";
}

LogicalResult verifyComputable(Operation* op, Type element) {
  if (element.isInteger(4)) return verifyWholeBytes(op, element);
  if (!isSmallFloat(element)) return success();
  return op->emitOpError() << "expected elements to compute in, found " << element
                           << "; convert to f16, bf16 or f32 with tile.cast";
}

LogicalResult verifyCombination(Operation* op, ReduceKind kind, Type from, Type to) {
  const llvm::StringRef name = stringifyReduceKind(kind);
  if (kind == ReduceKind::ArgMin || kind == ReduceKind::ArgMax)
    return op->emitOpError() << "expected a kind that combines elements, found " << name
                             << ", which yields an index; use tile.reduce";
  if (failed(verifyComputable(op, from)) || failed(verifyComputable(op, to))) return failure();
  if (llvm::isa<ParamType>(from) || llvm::isa<ParamType>(to)) return success();
  const bool wantsInteger = kind == ReduceKind::And || kind == ReduceKind::Or || kind == ReduceKind::Xor;
  const bool wantsFloat = kind == ReduceKind::MinNum || kind == ReduceKind::MaxNum;
  if ((wantsInteger && !from.isInteger()) || (wantsFloat && from.isInteger()))
    return op->emitOpError() << "expected " << (wantsInteger ? "an integer" : "a float") << " input for " << name
                             << ", found " << from;
  const bool wider = from.isInteger() == to.isInteger() && from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (from != to && !wider)
    return op->emitOpError() << "expected an output of the input's element type " << from << " or a wider one, found "
                             << to;
  return success();
}

ExecOp enclosingTeamExec(Operation* op) {
  for (auto exec = op->getParentOfType<ExecOp>(); exec; exec = exec->getParentOfType<ExecOp>())
    if (exec.getScope() <= Scope::Team) return exec;
  return {};
}

}  // namespace forerun::tile
