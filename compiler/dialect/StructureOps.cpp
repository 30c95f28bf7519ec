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
  for (int64_t bound : getStaticRange().take_front(2))
    range.push_back(bound == ShapedType::kDynamic ? OpFoldResult(getRange()[next++])
                                                  : OpFoldResult(builder.getIndexAttr(bound)));
  return range;
}

std::optional<std::array<int64_t, 3>> ExecOp::getConstantRange() {
  llvm::SmallVector<int64_t, 2> bounds;
  for (OpFoldResult bound : getMixedRange()) {
    std::optional<int64_t> constant = getConstantIntValue(bound);
    if (!constant) return std::nullopt;
    bounds.push_back(*constant);
  }
  if (bounds.empty()) return std::nullopt;
  return std::array{bounds[0], bounds.size() == 1 ? bounds[0] + 1 : bounds[1], getStep()};
}

/// The range as it is written.
static LogicalResult verifyRange(ExecOp op) {
  llvm::ArrayRef<int64_t> bounds = op.getStaticRange();
  if (bounds.size() > 3)
    return op.emitOpError() << "expected at most two range bounds and a step, found " << bounds.size();
  if (bounds.size() == 3 && bounds[2] < 1)
    return op.emitOpError() << "expected a step of at least 1, found " << bounds[2];
  if (llvm::count(bounds.take_front(2), ShapedType::kDynamic) != static_cast<int64_t>(op.getRange().size()))
    return op.emitOpError() << "expected one operand for each dynamic bound";
  for (int64_t bound : bounds.take_front(2))
    if (bound != ShapedType::kDynamic && bound < 0)
      return op.emitOpError() << "expected " << stringifyScope(op.getScope()) << " numbers from 0, found " << bound;
  if (auto range = op.getConstantRange(); range && (*range)[0] >= (*range)[1])
    return op.emitOpError() << "expected a range [low : high] with low < high, found [" << (*range)[0] << " : "
                            << (*range)[1] << "]";
  return success();
}

/// Several cores: the region stands where each core is with its one work item.
static LogicalResult verifyCores(ExecOp op) {
  const llvm::StringRef scope = stringifyScope(op.getScope());
  if (!op.getStaticRange().empty())
    return op.emitOpError() << "a " << scope << " has no range here; 'tile.exec core [...]' inside it selects cores";
  if (llvm::isa<KernelOp>(op->getParentOp())) return success();
  auto diagnostic = op.emitOpError() << "expected in the kernel's own block, which every core comes to; the cores of a "
                                     << scope << " would wait for those that do not";
  diagnostic.attachNote(op->getParentOp()->getLoc()) << "the enclosing operation";
  return failure();
}

LogicalResult ExecOp::verify() {
  if (failed(verifyRange(*this))) return failure();
  const Scope scope = getScope();
  if (scope > Scope::Core) return verifyCores(*this);
  ExecOp outer = getOperation()->getParentOfType<ExecOp>();
  if (scope == Scope::Core) {
    const bool several = outer && outer.getScope() > Scope::Core;
    if (!getStaticRange().empty() && !several)
      return emitOpError() << "a core has no range; write 'tile.exec team [...]' to select teams";
    if (several || !outer || outer.getScope() == Scope::Core) return success();
  } else if (scope == Scope::Group) {
    if (auto roles = getOperation()->getParentOfType<RolesOp>()) {
      auto diagnostic = emitOpError() << "the teams of a role have no groups; give the groups roles of their own";
      diagnostic.attachNote(roles.getLoc()) << "the roles";
      return diagnostic;
    }
  }
  if (!outer || outer.getScope() > scope) return success();
  InFlightDiagnostic diagnostic = emitOpError();
  if (outer.getScope() == Scope::Team)
    diagnostic << "a single team executes here already; move this region out of 'tile.exec team'";
  else
    diagnostic << "a single " << stringifyScope(outer.getScope())
               << " executes here already; scopes nest from coarse to fine: chip, cluster, core, group, team, lane";
  diagnostic.attachNote(outer.getLoc()) << "the enclosing region";
  return diagnostic;
}

LogicalResult ExecOp::verifyRegions() {
  if (getScope() <= Scope::Core) return success();
  for (Operation& op : getBody().front().without_terminator()) {
    if (auto inner = llvm::dyn_cast<ExecOp>(op); inner && inner.getScope() == Scope::Core) continue;
    if (llvm::isa<SyncOp>(op) || isMemoryEffectFree(&op)) continue;
    auto diagnostic =
        op.emitOpError() << "several cores together do not execute it; put it into 'tile.exec core [...]'";
    diagnostic.attachNote(getLoc()) << "the region of the cores";
    return failure();
  }
  return success();
}

/// Numbers of units stand in regions that each unit executes.
static LogicalResult verifyId(Operation* op, Scope scope) {
  for (auto exec = op->getParentOfType<ExecOp>(); exec; exec = exec->getParentOfType<ExecOp>())
    if (exec.getScope() == scope) return success();
  const llvm::StringRef name = stringifyScope(scope);
  return op->emitOpError() << "at " << (scope == Scope::Lane ? "this" : "core") << " scope all " << name
                           << "s act together; use it inside 'tile.exec " << name << "'";
}

LogicalResult TeamIdOp::verify() { return verifyId(*this, Scope::Team); }
LogicalResult GroupIdOp::verify() { return verifyId(*this, Scope::Group); }
LogicalResult LaneIdOp::verify() { return verifyId(*this, Scope::Lane); }

}  // namespace forerun::tile
