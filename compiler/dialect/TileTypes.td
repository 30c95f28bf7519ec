//===- TileTypes.td - types of the tile dialect ----------------------------===//
// Buffers, tokens, barriers, and the placeholder for an element type that a module parameter names.
#ifndef FORERUN_COMPILER_DIALECT_TILETYPES_TD
#define FORERUN_COMPILER_DIALECT_TILETYPES_TD

include "compiler/dialect/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class TileType<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<TileDialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def BufferType : TileType<"Buffer", "buffer", [ShapedTypeInterface]> {
  let summary = "a shaped tile in a memory space";
  let description = [{
    `!tile.buffer<128x64xf16, scratch>`. Each dimension is a positive integer, `?` (`global` only: extent known at run time,
    0 allowed) or `@PARAM` (a `tile.param`; write spaces around it: `@TM x @TK x f16`). The element type is one of
    i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU or `!tile.param<@T>`. The floats of 8 and 4 bits and i4
    are kept, moved, converted and (f8E4M3FN and f8E5M2) sorted and multiplied as matrices, not computed in. f8E8M0FNU, the scale of a
    block, is 2^(code - 127), 255 is NaN. i4 and f4E2M1FN lie two a byte, low nibble first; the innermost dimension begins at a whole
    byte, so windows of them have an even innermost origin. The space is `global` (DRAM, may be strided), `scratch` (local to a core), `acc` (matrix
    accumulator) or `reg` (lane registers). An optional third parameter is the layout,
    `#tile.layout<...>` (below), for buffers of integer extents whose product is its size; without one the buffer is row-major, or
    strided as its window is. A window's type has none: it lies as its buffer does. Rank is at least 1.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::Attribute", "one a dimension: IntegerAttr (i64; kDynamic for `?`) or FlatSymbolRefAttr">:$dims,
    "::mlir::Type":$elementType, "::forerun::tile::Space":$space, OptionalParameter<"::mlir::Attribute">:$layout);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                        "::forerun::tile::Space":$space)>];
  let extraClassDeclaration = [{
    using ::mlir::ShapedType::Trait<BufferType>::clone;
    using ::mlir::ShapedType::Trait<BufferType>::getRank;
    using ::mlir::ShapedType::Trait<BufferType>::getDimSize;
    using ::mlir::ShapedType::Trait<BufferType>::isDynamicDim;

    /// Extents outermost first; kDynamic for `?` and for a `@PARAM` that is not bound yet.
    ::llvm::ArrayRef<int64_t> getShape() const;
    bool hasRank() const { return true; }
    BufferType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;

    /// True when every extent is an integer and the element type is not a parameter.
    bool isStatic() const;
    /// True when some extent or the element type still names a `tile.param`.
    bool hasParams() const;
    bool isParamDim(unsigned dim) const { return ::llvm::isa<::mlir::FlatSymbolRefAttr>(getDims()[dim]); }
    /// True for a `?` extent.
    bool isRuntimeDim(unsigned dim) const { return !isParamDim(dim) && getShape()[dim] == ::mlir::ShapedType::kDynamic; }
    bool isGlobal() const { return getSpace() == Space::Global; }
    bool isOnChip() const { return getSpace() != Space::Global; }
  }];
}

def TokenType : TileType<"Token", "token"> {
  let summary = "completion of one asynchronous operation";
  let description = [{
    Linear: a token is waited for exactly once on every path (`tile.wait`) and may cross only `scf.for` and `scf.if`.
  }];
}

def BarrierType : TileType<"Barrier", "barrier"> {
  let summary = "a counting barrier of one core";
  let description = "Made by `tile.barrier_init`; phases count from 0.";
}

def PipelineType : TileType<"Pipeline", "pipeline"> {
  let summary = "stages that one role fills and another empties";
  let description = "Made by `tile.pipeline`; used inside `tile.roles`.";
}

def ParamType : TileType<"Param", "param"> {
  let summary = "an element type that a `tile.param` names";
  let description = "`!tile.param<@T>`; `--tile-bind-params` replaces it by the type bound to `@T`.";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def AnyBuffer : Type<CPred<"::llvm::isa<::forerun::tile::BufferType>($_self)">, "buffer", "::forerun::tile::BufferType">;
def AnyToken : Type<CPred<"::llvm::isa<::forerun::tile::TokenType>($_self)">, "token", "::forerun::tile::TokenType">,
               BuildableType<"::forerun::tile::TokenType::get($_builder.getContext())">;
def AnyBarrier : Type<CPred<"::llvm::isa<::forerun::tile::BarrierType>($_self)">, "barrier", "::forerun::tile::BarrierType">,
                 BuildableType<"::forerun::tile::BarrierType::get($_builder.getContext())">;
def AnyPipeline : Type<CPred<"::llvm::isa<::forerun::tile::PipelineType>($_self)">, "pipeline", "::forerun::tile::PipelineType">,
                  BuildableType<"::forerun::tile::PipelineType::get($_builder.getContext())">;
def AnyElement : Type<CPred<"::forerun::tile::isElementType($_self)">,
                      "an element type (i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU or !tile.param)">;
def AnyScalar : Type<CPred<"::forerun::tile::isElementType($_self) || $_self.isIndex()">, "an element type or index">;

#endif
