//===- TileOpBase.td - what every tile operation shares --------------------===//
// Base classes and the includes that operation groups need.
#ifndef FORERUN_COMPILER_DIALECT_TILEOPBASE_TD
#define FORERUN_COMPILER_DIALECT_TILEOPBASE_TD

include "compiler/dialect/TileTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class TileOp<string mnemonic, list<Trait> traits = []> : Op<TileDialect, mnemonic, traits>;

/// An operation whose effects follow from the spaces of its buffer operands (MemoryEffects.cpp).
class TileEffectOp<string mnemonic, list<Trait> traits = []>
    : TileOp<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

/// An operation on whole tiles, of which a back end has variants: takes the attributes `variant` and `options` (Primitive.h).
def Primitive : NativeOpTrait<"Primitive"> {
  let cppNamespace = "::forerun::tile";
}
class TilePrimitive<string mnemonic, list<Trait> traits = []> : TileEffectOp<mnemonic, !listconcat(traits, [Primitive])>;

#endif
