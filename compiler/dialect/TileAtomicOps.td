//===- TileAtomicOps.td - read-modify-write of single elements -------------===//
// The one order between cores that a launch knows before its end.
#ifndef FORERUN_COMPILER_DIALECT_TILEATOMICOPS_TD
#define FORERUN_COMPILER_DIALECT_TILEATOMICOPS_TD

include "compiler/dialect/TileOpBase.td"

def AtomicKindEnum : TileEnum<"AtomicKind", "what an atomic operation makes of the old value", [
    I32EnumAttrCase<"Exchange", 0, "exchange">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">, I32EnumAttrCase<"Xor", 6, "xor">]>;
def AtomicKindAttr : TileEnumAttr<AtomicKindEnum, "atomic_kind">;

def MemoryOrderEnum : TileEnum<"MemoryOrder", "what an atomic operation orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def MemoryOrderAttr : TileEnumAttr<MemoryOrderEnum, "memory_order">;

def SyncScopeEnum : TileEnum<"SyncScope", "who sees an atomic operation as one step", [
    I32EnumAttrCase<"Core", 0, "core">, I32EnumAttrCase<"Cluster", 1, "cluster">, I32EnumAttrCase<"Chip", 2, "chip">]>;
def SyncScopeAttr : TileEnumAttr<SyncScopeEnum, "sync_scope">;

class AtomicOp<string mnemonic, list<Trait> traits> : TileEffectOp<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What came before is visible to those that acquire; what comes after sees what those released that this saw.
    bool releases() { return getOrder() == MemoryOrder::Release || getOrder() == MemoryOrder::AcqRel; }
    bool acquires() { return getOrder() == MemoryOrder::Acquire || getOrder() == MemoryOrder::AcqRel; }
  }];
}

def AtomicRmwOp : AtomicOp<"atomic_rmw", [AllTypesMatch<["value", "old"]>]> {
  let summary = "combines a value with an element, in one step";
  let description = [{
    old = buffer[i...]; buffer[i...] = combination of old and value; no other atomic operation of the cores in `scope` comes between.
    Kinds: exchange and add of i32, i64, f32, f64; min, max (signed), and, or, xor of i32, i64. An index outside the buffer is a run-time error.
    The buffer is global, or scratch with scope core.

    `release` and `acq_rel`: what this scope wrote before, asynchronous operations that it waited for included, is visible to who sees the
    new value with an `acquire` or `acq_rel`. At core scope it happens once for all teams, which all get `old`
    (`--tile-expand-semantics` gives it to one team). Float adds of several work items come in no given order.

    ```mlir
    %arrived = tile.atomic_rmw <add> %one, %counters[%i] order <acq_rel> scope <chip> : !tile.buffer<?xi32, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins AtomicKindAttr:$kind, AnyElement:$value, AnyBuffer:$buffer, Variadic<Index>:$indices, MemoryOrderAttr:$order,
                       SyncScopeAttr:$scope);
  let results = (outs AnyElement:$old);
  let assemblyFormat = [{
    $kind $value `,` $buffer `[` $indices `]` `order` $order `scope` $scope attr-dict `:` custom<ElementOf>(type($buffer), type($value))
  }];
}

def CasOp : AtomicOp<"cas", [AllTypesMatch<["expected", "desired", "old"]>]> {
  let summary = "replaces an element that has an expected value, in one step";
  let description = [{
    old = buffer[i...]; if old equals expected, buffer[i...] = desired. i32 and i64; otherwise as `tile.atomic_rmw`.

    ```mlir
    %old = tile.cas %free, %mine, %locks[%i] order <acquire> scope <chip> : !tile.buffer<?xi32, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyElement:$expected, AnyElement:$desired, AnyBuffer:$buffer, Variadic<Index>:$indices, MemoryOrderAttr:$order,
                       SyncScopeAttr:$scope);
  let results = (outs AnyElement:$old);
  let assemblyFormat = [{
    $expected `,` $desired `,` $buffer `[` $indices `]` `order` $order `scope` $scope attr-dict
    `:` custom<ElementOf>(type($buffer), type($expected))
  }];
}

#endif
