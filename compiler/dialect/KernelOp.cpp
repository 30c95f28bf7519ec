//===- KernelOp.cpp - syntax and invariants of tile.kernel -----------------===//
// A function whose trailing block arguments are the grid ids.
#include "compiler/dialect/TileOps.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

namespace forerun::tile {

ParseResult KernelOp::parse(OpAsmParser& parser, OperationState& result) {
  Builder& builder = parser.getBuilder();
  StringAttr name;
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  llvm::SmallVector<Type> resultTypes;
  llvm::SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes)) return failure();
  llvm::SMLoc signatureLoc = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionSignatureWithArguments(parser, /*allowVariadic=*/false, arguments,
                                                                   isVariadic, resultTypes, resultAttrs))
    return failure();
  if (!resultTypes.empty()) return parser.emitError(signatureLoc, "a kernel has no results; write to a global buffer");
  llvm::SmallVector<Type> types;
  for (const OpAsmParser::Argument& argument : arguments) types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name), TypeAttr::get(builder.getFunctionType(types, {})));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, /*resultAttrs=*/{},
                                            getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));

  llvm::SmallVector<OpAsmParser::Argument> gridIds;
  if (parser.parseKeyword("grid", " with one to three ids after the arguments, as in 'grid(%i, %j)'") ||
      parser.parseArgumentList(gridIds, OpAsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument& id : gridIds) {
    id.type = builder.getIndexType();
    arguments.push_back(id);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes)) return failure();
  Region* body = result.addRegion();
  if (parser.parseRegion(*body, arguments)) return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter& printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(), /*isVariadic=*/false, {});
  printer << " grid(";
  llvm::interleaveComma(getGridIds(), printer);
  printer << ')';
  function_interface_impl::printFunctionAttributes(
      printer, *this, {getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult KernelOp::verifyBody() {
  Block& entry = getBody().front();
  unsigned arguments = getNumArguments();
  if (entry.getNumArguments() <= arguments || entry.getNumArguments() > arguments + 3)
    return emitOpError() << "expected one to three grid ids after " << arguments << " arguments, found "
                         << static_cast<int64_t>(entry.getNumArguments()) - static_cast<int64_t>(arguments);
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (entry.getArgument(index).getType() != type)
      return emitOpError() << "argument " << index << " has type " << entry.getArgument(index).getType()
                           << " in the body and " << type << " in the signature";
  for (BlockArgument id : getGridIds())
    if (!id.getType().isIndex()) return emitOpError() << "expected grid ids of type index, found " << id.getType();
  return success();
}

LogicalResult KernelOp::verify() {
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    if (auto buffer = llvm::dyn_cast<BufferType>(type)) {
      if (!buffer.isGlobal())
        return emitOpError() << "expected a global buffer or a scalar as argument " << index << ", found " << buffer
                             << "; allocate on-chip buffers in the body";
    } else if (!isElementType(type) && !type.isIndex()) {
      return emitOpError() << "expected a global buffer or a scalar as argument " << index << ", found " << type;
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  WalkResult result = getBody().walk([&](Operation* op) {
    if (llvm::isa<LaunchOp, ParamOp>(op)) {
      op->emitOpError() << "belongs outside of kernels";
      return WalkResult::interrupt();
    }
    if (op->getNumSuccessors() != 0) {
      op->emitOpError() << "branches inside a kernel; use scf.if, scf.for or scf.while";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void KernelOp::getAsmBlockArgumentNames(Region& region, OpAsmSetValueNameFn setName) {
  static constexpr llvm::StringLiteral names[] = {"x", "y", "z"};
  for (auto [index, id] : llvm::enumerate(getGridIds()))
    if (index < 3) setName(id, names[index]);
}

/// Every `@PARAM` in a type of the kernel must name a tile.param of the right kind.
LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection& symbols) {
  llvm::DenseSet<Type> seen;
  Operation* where = getOperation();
  auto check = [&](FlatSymbolRefAttr name, bool wantsType) -> LogicalResult {
    auto param = symbols.lookupNearestSymbolFrom<ParamOp>(getOperation(), name);
    if (!param)
      return where->emitOpError() << "uses parameter " << name << ", which the module does not define; add 'tile.param "
                                  << name << (wantsType ? " : type = f32'" : " = 1'");
    if (param.isType() != wantsType)
      return where->emitOpError() << "uses parameter " << name << " as "
                                  << (wantsType ? "an element type" : "an integer") << ", but it is "
                                  << (wantsType ? "an integer" : "an element type");
    return success();
  };
  LogicalResult status = success();
  AttrTypeWalker walker;
  walker.addWalk([&](BufferType type) {
    for (Attribute dim : type.getDims())
      if (auto name = llvm::dyn_cast<FlatSymbolRefAttr>(dim); name && failed(check(name, /*wantsType=*/false))) {
        status = failure();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  walker.addWalk([&](ParamType type) {
    if (succeeded(check(type.getName(), /*wantsType=*/true))) return WalkResult::advance();
    status = failure();
    return WalkResult::interrupt();
  });
  auto checkTypes = [&](TypeRange types) {
    for (Type type : types)
      if (seen.insert(type).second && walker.walk(type).wasInterrupted()) return failure();
    return success();
  };
  if (failed(checkTypes(getArgumentTypes()))) return failure();
  getBody().walk([&](Operation* op) {
    where = op;
    return failed(checkTypes(op->getResultTypes())) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return status;
}

}  // namespace forerun::tile
