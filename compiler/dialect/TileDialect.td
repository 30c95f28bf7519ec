//===- TileDialect.td - the tile dialect and its enumerations --------------===//
// Root of the TableGen definitions: op docs, C++ and the reference page are generated from here.
#ifndef FORERUN_COMPILER_DIALECT_TILEDIALECT_TD
#define FORERUN_COMPILER_DIALECT_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TileDialect : Dialect {
  let name = "tile";
  let cppNamespace = "::forerun::tile";
  let summary = "Kernels over shaped tiles in explicit memory spaces";
  let description = [{
    A kernel states what one work item does, with buffers in named memory spaces, whole-tile
    operations, and asynchronous copies and products tied to their waits by tokens. See
    docs/language.md for valid extents, order and numerics. Every operation is since 0.1.

    Operations on whole tiles are primitives: a back end has variants of each and takes the cheapest that applies. `variant = "name"` in
    the attributes of one pins its variant, `options = {key = 1}` beside it sets what that variant lets one set.
    `forerun compile --explain-dispatch` lists names, reasons and costs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOperations();
  }];
}

class TileEnum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::forerun::tile";
  let genSpecializedAttr = 0;
}
class TileEnumAttr<EnumInfo info, string mnemonic> : EnumAttr<TileDialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def SpaceEnum : TileEnum<"Space", "memory space of a buffer", [
    I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Scratch", 1, "scratch">,
    I32EnumAttrCase<"Acc", 2, "acc">, I32EnumAttrCase<"Reg", 3, "reg">]>;

def ReduceKindEnum : TileEnum<"ReduceKind", "operation of a reduction", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"MinNum", 4, "minnum">, I32EnumAttrCase<"MaxNum", 5, "maxnum">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">,
    I32EnumAttrCase<"ArgMin", 9, "argmin">, I32EnumAttrCase<"ArgMax", 10, "argmax">]>;
def ReduceKindAttr : TileEnumAttr<ReduceKindEnum, "reduce_kind">;

def ReduceOrderEnum : TileEnum<"ReduceOrder", "order in which a reduction combines elements", [
    I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"Tree", 1, "tree">]>;
def ReduceOrderAttr : TileEnumAttr<ReduceOrderEnum, "reduce_order">;

def OverflowEnum : TileEnum<"Overflow", "what a conversion makes of a number beyond the greatest of an 8-bit float", [
    I32EnumAttrCase<"Saturate", 0, "saturate">, I32EnumAttrCase<"NaN", 1, "nan">]>;
def OverflowAttr : TileEnumAttr<OverflowEnum, "overflow">;

// Finest first, so that a scope within another has the smaller number.
def ScopeEnum : TileEnum<"Scope", "who executes a region", [
    I32EnumAttrCase<"Lane", 0, "lane">, I32EnumAttrCase<"Team", 1, "team">, I32EnumAttrCase<"Group", 2, "group">,
    I32EnumAttrCase<"Core", 3, "core">, I32EnumAttrCase<"Cluster", 4, "cluster">, I32EnumAttrCase<"Chip", 5, "chip">]>;
def ScopeAttr : TileEnumAttr<ScopeEnum, "scope"> {
  let assemblyFormat = "$value";
}

def LayoutAttr : AttrDef<TileDialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "where the elements of a buffer lie";
  let description = [{
    `#tile.layout<[swizzle(M,B,S) of] S[(extents):(strides@axes)] [+ R[(extents):(strides@axes)]] [+ value@axis]>`: element x of the
    buffer, counted row-major, lies at sum_k c_k * s_k @ a_k + sum_t r_t * s_t @ a_t + O, with c_k the digits of x over the extents of S
    and every r_t of the replicas R. Axis `m` counts elements in the buffer's memory and need not be written; team axes (`lane`, `team`...)
    are the target's. docs/layouts.md has the maths. A layout never changes what a kernel computes. Attributes are equal when they are
    written alike.

    ```mlir
    %padded = tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<S[(8,64):(72,1)]>>
    %swizzled = tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<swizzle(3,3,3) of S[(8,64):(64,1)]>>
    ```
    Since 0.1.
  }];
  let parameters = (ins AttrParameter<"::forerun::layout::Layout", "the layout", "const ::forerun::layout::Layout &">:$value);
  let hasCustomAssemblyFormat = 1;
}

#endif
