//===- StructureOps.cpp - checks of parameters, launches, scopes -----------===//
// Verifiers of the operations that give a module its structure.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult ParamOp::verify() {
  if (auto type = llvm::dyn_cast<TypeAttr>(getValue())) {
    if (!isElementType(type.getValue()) || llvm::isa<ParamType>(type.getValue()))
      return emitOpError() << "expected an element type (" << kElementTypes << "), found " << type.getValue();
    return success();
  }
  auto integer = llvm::dyn_cast<IntegerAttr>(getValue());
  if (!integer || !integer.getType().isSignlessInteger(64))
    return emitOpError() << "expected a 64-bit integer or an element type, found " << getValue();
  return success();
}

LogicalResult ParamValueOp::verifySymbolUses(SymbolTableCollection& symbols) {
  auto param = symbols.lookupNearestSymbolFrom<ParamOp>(getOperation(), getParamAttr());
  if (!param)
    return emitOpError() << "uses parameter " << getParamAttr()
                         << ", which the module does not define; add 'tile.param " << getParamAttr() << " = 1'";
  if (param.isType()) return emitOpError() << "expected an integer parameter, found element type " << getParamAttr();
  return success();
}

LogicalResult LaunchOp::verify() {
  if (getGrid().empty() || getGrid().size() > 3)
    return emitOpError() << "expected one to three grid extents, found " << getGrid().size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection& symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(getOperation(), getKernelAttr());
  if (!kernel) return emitOpError() << "expected a tile.kernel of the module, found " << getKernelAttr();
  if (getGrid().size() != kernel.getGridIds().size())
    return emitOpError() << "expected " << kernel.getGridIds().size() << " grid extents as " << getKernelAttr()
                         << " has grid ids, found " << getGrid().size();
  llvm::ArrayRef<Type> expected = kernel.getArgumentTypes();
  if (getArgs().size() != expected.size())
    return emitOpError() << "expected " << expected.size() << " arguments for " << getKernelAttr() << ", found "
                         << getArgs().size();
  for (auto [index, found] : llvm::enumerate(getArgs().getTypes())) {
    auto from = llvm::dyn_cast<BufferType>(found);
    auto to = llvm::dyn_cast<BufferType>(expected[index]);
    bool fits = from && to ? from.getSpace() == to.getSpace() && from.getRank() == to.getRank() &&
                                 from.getLayout() == to.getLayout() &&
                                 compatibleElements(from.getElementType(), to.getElementType())
                           : !from && !to && compatibleElements(found, expected[index]);
    for (unsigned dim = 0; fits && to && dim < to.getRank(); ++dim)
      fits = to.isRuntimeDim(dim) || compatibleExtents(from, dim, to, dim);
    if (!fits)
      return emitOpError() << "expected " << expected[index] << " as argument " << index << " of " << getKernelAttr()
                           << ", found " << found;
  }
  return success();
}

llvm::SmallVector<OpFoldResult> ExecOp::getMixedRange() {
  llvm::SmallVector<OpFoldResult> range;
  unsigned next = 0;
  Builder builder(getContext());
  for (int64_t bound : getStaticRange())
    range.push_back(bound == ShapedType::kDynamic ? OpFoldResult(getRange()[next++])
                                                  : OpFoldResult(builder.getIndexAttr(bound)));
  return range;
}

LogicalResult ExecOp::verify() {
  llvm::ArrayRef<int64_t> bounds = getStaticRange();
  if (bounds.size() > 2) return emitOpError() << "expected at most two range bounds, found " << bounds.size();
  if (llvm::count(bounds, ShapedType::kDynamic) != static_cast<int64_t>(getRange().size()))
    return emitOpError() << "expected one operand for each dynamic bound";
  if (getScope() == Scope::Core && !bounds.empty())
    return emitOpError() << "a core has no range; write 'tile.exec team [...]' to select teams";
  for (int64_t bound : bounds)
    if (bound != ShapedType::kDynamic && bound < 0)
      return emitOpError() << "expected team numbers from 0, found " << bound;
  if (bounds.size() == 2 && !llvm::is_contained(bounds, ShapedType::kDynamic) && bounds[0] >= bounds[1])
    return emitOpError() << "expected a range [low : high] with low < high, found [" << bounds[0] << " : " << bounds[1]
                         << "]";
  if (ExecOp outer = enclosingTeamExec(getOperation())) {
    InFlightDiagnostic diagnostic = emitOpError()
                                    << "a single team executes here already; move this region out of 'tile.exec team'";
    diagnostic.attachNote(outer.getLoc()) << "the enclosing region";
    return diagnostic;
  }
  return success();
}

LogicalResult TeamIdOp::verify() {
  if (enclosingTeamExec(getOperation())) return success();
  return emitOpError() << "at core scope all teams act together; use it inside 'tile.exec team'";
}

}  // namespace forerun::tile
