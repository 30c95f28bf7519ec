//===- TileBindParams.cpp - --tile-bind-params -----------------------------===//
// Gives every tile.param its value, so that later passes see integers and element types only.
#include "compiler/dialect/TileOps.h"
#include "compiler/passes/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tile-bind-params"

namespace forerun::passes {
#define GEN_PASS_DEF_TILEBINDPARAMS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using namespace forerun::tile;

namespace {
struct TileBindParams : impl::TileBindParamsBase<TileBindParams> {
  using TileBindParamsBase::TileBindParamsBase;
  void runOnOperation() override;

 private:
  LogicalResult applyValues();
  LogicalResult bind(llvm::StringRef name, llvm::StringRef value);
  LogicalResult replaceTypes();

  llvm::MapVector<StringAttr, ParamOp> params;
};

LogicalResult TileBindParams::bind(llvm::StringRef name, llvm::StringRef value) {
  auto found = params.find(StringAttr::get(&getContext(), name));
  if (found == params.end()) {
    InFlightDiagnostic diagnostic = getOperation().emitError()
                                    << "unknown parameter '" << name << "'; the module defines ";
    if (params.empty()) return diagnostic << "none";
    llvm::interleaveComma(params, diagnostic, [&](auto& entry) { diagnostic << "'" << entry.first.getValue() << "'"; });
    return diagnostic;
  }
  ParamOp param = found->second;
  if (param.isType()) {
    Type type;
    {
      // The parser's own message has no useful place; ours names parameter and value.
      ScopedDiagnosticHandler silence(&getContext(), [](Diagnostic&) { return success(); });
      type = parseType(value, &getContext());
    }
    if (!type || !isElementType(type) || llvm::isa<ParamType>(type))
      return param.emitError() << "expected an element type (" << tile::kElementTypes << ") for parameter '" << name
                               << "', found '" << value << "'";
    param.setValueAttr(TypeAttr::get(type));
    return success();
  }
  int64_t integer = 0;
  if (value.getAsInteger(10, integer))
    return param.emitError() << "expected a 64-bit decimal integer for parameter '" << name << "', found '" << value
                             << "'";
  param.setValueAttr(Builder(&getContext()).getI64IntegerAttr(integer));
  return success();
}

LogicalResult TileBindParams::applyValues() {
  for (llvm::StringRef pair : values) {
    auto [name, value] = pair.split('=');
    if (name.empty() || name.size() == pair.size())
      return getOperation().emitError() << "expected NAME=VALUE for a parameter, found '" << pair << "'";
    if (failed(bind(name, value))) return failure();
  }
  return success();
}

LogicalResult TileBindParams::replaceTypes() {
  LogicalResult status = success();
  auto lookup = [&](FlatSymbolRefAttr name, bool wantsType) -> Attribute {
    auto found = params.find(name.getAttr());
    if (found == params.end())
      status = getOperation().emitError() << "a type uses parameter " << name << ", which the module does not define";
    else if (found->second.isType() != wantsType)
      status = found->second.emitError() << "parameter " << name << " is used as "
                                         << (wantsType ? "an element type" : "an extent") << ", but is "
                                         << (wantsType ? "an integer" : "an element type");
    else
      return found->second.getValue();
    return {};
  };
  AttrTypeReplacer replacer;
  // Each use of a bad parameter would repeat the message.
  replacer.addReplacement([&](ParamType type) -> std::optional<Type> {
    if (failed(status)) return type;
    auto value = llvm::dyn_cast_or_null<TypeAttr>(lookup(type.getName(), /*wantsType=*/true));
    return value ? value.getValue() : Type(type);
  });
  replacer.addReplacement([&](BufferType type) -> std::optional<std::pair<Type, WalkResult>> {
    if (failed(status)) return std::pair(Type(type), WalkResult::skip());
    llvm::SmallVector<Attribute> dims(type.getDims());
    ParamOp bound;  // the last one that gave an extent
    for (Attribute& dim : dims) {
      auto name = llvm::dyn_cast<FlatSymbolRefAttr>(dim);
      if (!name) continue;
      auto extent = llvm::dyn_cast_or_null<IntegerAttr>(lookup(name, /*wantsType=*/false));
      if (!extent) return std::pair(Type(type), WalkResult::skip());
      if (extent.getInt() < 1) {
        status = params.find(name.getAttr())->second.emitError()
                 << "parameter " << name << " is used as an extent: expected at least 1, found " << extent.getInt();
        return std::pair(Type(type), WalkResult::skip());
      }
      dim = extent;
      bound = params.find(name.getAttr())->second;
    }
    Type element = replacer.replace(type.getElementType());
    auto emitError = [&] { return bound ? bound.emitError() : getOperation().emitError(); };
    Type result = BufferType::getChecked(emitError, &getContext(), llvm::ArrayRef<Attribute>(dims), element,
                                         type.getSpace(), type.getLayout());
    if (!result) {  // the layout does not fit the extents
      status = failure();
      result = type;
    }
    return std::pair(result, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return status;
}

void TileBindParams::runOnOperation() {
  params.clear();
  for (auto param : getOperation().getOps<ParamOp>()) params.insert({param.getSymNameAttr(), param});
  if (failed(applyValues()) || failed(replaceTypes())) return signalPassFailure();

  getOperation().walk([&](ParamValueOp use) {
    auto integer = llvm::cast<IntegerAttr>(params.find(use.getParamAttr().getAttr())->second.getValue());
    OpBuilder builder(use);
    auto constant =
        arith::ConstantOp::create(builder, use.getLoc(), builder.getIntegerAttr(use.getType(), integer.getInt()));
    use.replaceAllUsesWith(constant.getResult());
    use.erase();
  });
  for (auto& [name, param] : params) param.erase();
}
}  // namespace
}  // namespace forerun::passes
