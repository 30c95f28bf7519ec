//===- Primitive.cpp - operations that a back end carries out in one of several ways ===//
// See Primitive.h. Which names and keys there are is the back end's to say.
#include "compiler/dialect/Primitive.h"

using namespace mlir;

namespace forerun::tile {

LogicalResult verifyPrimitive(Operation* op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    const llvm::StringRef name = attribute.getName();
    if (name.contains('.') || name == kVariantAttribute || name == kOptionsAttribute) continue;
    return op->emitOpError() << "has no attribute '" << name << "'; a primitive takes " << kVariantAttribute << " and "
                             << kOptionsAttribute << " beside its own";
  }
  if (Attribute variant = op->getAttr(kVariantAttribute)) {
    auto name = llvm::dyn_cast<StringAttr>(variant);
    if (!name || name.empty())
      return op->emitOpError() << "expected the name of a variant, as in " << kVariantAttribute
                               << " = \"vector\", found " << variant;
  }
  Attribute options = op->getAttr(kOptionsAttribute);
  if (!options) return success();
  auto dictionary = llvm::dyn_cast<DictionaryAttr>(options);
  if (!dictionary ||
      !llvm::all_of(dictionary, [](NamedAttribute option) { return llvm::isa<IntegerAttr>(option.getValue()); }))
    return op->emitOpError() << "expected integers by name, as in " << kOptionsAttribute << " = {queue = 1}, found "
                             << options;
  if (variantOf(op).empty())
    return op->emitOpError() << "has " << kOptionsAttribute << ", but names no variant that they are for; add "
                             << kVariantAttribute << " = \"...\"";
  return success();
}

llvm::StringRef variantOf(Operation* op) {
  auto name = op->getAttrOfType<StringAttr>(kVariantAttribute);
  return name ? name.getValue() : llvm::StringRef();
}

std::optional<std::int64_t> optionOf(Operation* op, llvm::StringRef key) {
  auto options = op->getAttrOfType<DictionaryAttr>(kOptionsAttribute);
  auto value = options ? options.getAs<IntegerAttr>(key) : IntegerAttr();
  if (!value) return std::nullopt;
  return value.getInt();
}

}  // namespace forerun::tile
