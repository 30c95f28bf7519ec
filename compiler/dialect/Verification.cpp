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

ExecOp enclosingTeamExec(Operation* op) {
  for (auto exec = op->getParentOfType<ExecOp>(); exec; exec = exec->getParentOfType<ExecOp>())
    if (exec.getScope() == Scope::Team) return exec;
  return {};
}

}  // namespace forerun::tile
