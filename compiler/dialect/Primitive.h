//===- Primitive.h - operations that a back end carries out in one of several ways ===//
// The trait that marks them, and the two attributes with which a kernel says which way: `variant` and `options`.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace forerun::tile {

/// `variant = "name"`: the only variant that may carry out the operation.
inline constexpr llvm::StringLiteral kVariantAttribute = "variant";
/// `options = {key = 1}`: integers for the variant named beside them.
inline constexpr llvm::StringLiteral kOptionsAttribute = "options";

/// `variant` is a name, `options` a dictionary of integers beside it, and there is no other attribute without a
/// dialect's prefix: a slip of the pen is not ignored.
llvm::LogicalResult verifyPrimitive(mlir::Operation* op);

/// Empty when the operation names none.
llvm::StringRef variantOf(mlir::Operation* op);
/// The integer of an option, or nothing.
std::optional<std::int64_t> optionOf(mlir::Operation* op, llvm::StringRef key);

/// Operations on whole tiles: of each, a back end has one or more variants and takes the cheapest that applies.
template <typename ConcreteType>
class Primitive : public mlir::OpTrait::TraitBase<ConcreteType, Primitive> {
 public:
  static llvm::LogicalResult verifyTrait(mlir::Operation* op) { return verifyPrimitive(op); }
};

}  // namespace forerun::tile
