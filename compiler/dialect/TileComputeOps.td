//===- TileComputeOps.td - operations that compute on whole tiles ----------===//
// Element-wise maps, reductions, matrix products, and what stands inside a map.
#ifndef FORERUN_COMPILER_DIALECT_TILECOMPUTEOPS_TD
#define FORERUN_COMPILER_DIALECT_TILECOMPUTEOPS_TD

include "compiler/dialect/TileOpBase.td"

def MapOp : TilePrimitive<"map", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "n-ary element-wise operation";
  let description = [{
    outs[i...] = body(ins[i...]) for every index valid in all operands. Inputs have the outputs' rank; an input dimension of
    extent 1 broadcasts along an output dimension of another extent, and then does not limit what is valid. The outputs get the
    intersection as valid extents. The body is one block with an argument an input (its element type) and yields a value an output;
    it may hold operations of arith, math, `tile.index`, `tile.convert`, and use scalars defined outside. Its meaning is the
    language's (docs/numerics.md), not arith's. An output may be the same window as an input, else it is disjoint from all.

    ```mlir
    tile.map ins(%x, %bias : !tile.buffer<64x128xf32, scratch>, !tile.buffer<1x128xf32, scratch>)
             outs(%y : !tile.buffer<64x128xf32, scratch>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    }
    ```
    Since 0.1.
  }];
  let arguments = (ins Variadic<AnyBuffer>:$inputs, Variadic<AnyBuffer>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def IndexOp : TileOp<"index", [Pure]> {
  let summary = "index of the element that a map body computes";
  let description = [{
    The index along dimension `dim` of the *window* that is written; add the window's origin for the position in the buffer.
    i32 and i64 results wrap.

    ```mlir
    %col = tile.index 1 : index
    ```
    Since 0.1.
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs AnyTypeOf<[Index, I32, I64]>:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def ConvertOp : TileOp<"convert", [Pure]> {
  let summary = "scalar conversion with the meaning of tile.cast";
  let description = [{
    Also from and to a parameter's type, which arith does not know, so that one body serves every element type.

    ```mlir
    %w = tile.convert %x : !tile.param<@T> to f32
    %n = tile.convert %w overflow <nan> : f32 to f8E4M3FN
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyElement:$value, DefaultValuedAttr<OverflowAttr, "::forerun::tile::Overflow::Saturate">:$overflow);
  let results = (outs AnyElement:$result);
  let assemblyFormat = "$value (`overflow` $overflow^)? attr-dict `:` type($value) `to` type($result)";
  let hasVerifier = 1;
}

def ReduceOp : TilePrimitive<"reduce"> {
  let summary = "combines elements along dimensions";
  let description = [{
    out[k...] = combination over the *valid* elements of `in` along `dims`; out has the rank of in, extent 1 in the reduced dimensions
    and in's extents in the others, whose valid extents it gets. Elements are first converted, exactly, to out's type, which is in's
    or a wider one of its class. With `accumulate` the old value of out joins last.

    | kind | types | combination | of nothing |
    | --- | --- | --- | --- |
    | add, mul | int, float | wrapping; float rounds every step | 0 (-0 for floats), 1 |
    | min, max | signed int, float | NaN wins; -0 < +0 | largest / smallest value (+inf / -inf) |
    | minnum, maxnum | float | numbers win over NaN; -0 < +0 | NaN |
    | and, or, xor | int | bitwise | all ones, 0, 0 |
    | argmin, argmax | any to i32, i64 | index along the one reduced dimension: the first NaN wins, then the least / greatest, then the lowest index | 0 |

    `order <any>` (default) leaves the order of float add and mul to the target, within |error| <= K * 2^-p * sum|x| (p the precision of
    out's type, K the number of elements). `order <tree>`: element i (row-major over the reduced dimensions) joins chain i mod 256; chains fold
    left from the identity; then halves 128 ... 1 combine chain c with chain c + half; bit-identical on every target.

    ```mlir
    tile.reduce <max> %x, %m dims [1] : !tile.buffer<8x781xf32, scratch>, !tile.buffer<8x1xf32, scratch>
    tile.reduce <add> %x, %s dims [1] order <tree> {accumulate} : !tile.buffer<8x781xf16, scratch>, !tile.buffer<8x1xf32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins ReduceKindAttr:$kind, AnyBuffer:$input, AnyBuffer:$output, DenseI64ArrayAttr:$dims,
                       DefaultValuedAttr<ReduceOrderAttr, "::forerun::tile::ReduceOrder::Any">:$order, UnitAttr:$accumulate);
  let assemblyFormat = [{
    $kind $input `,` $output `dims` $dims (`order` $order^)? attr-dict `:` custom<FullType>(type($input)) `,` custom<FullType>(type($output))
  }];
  let hasVerifier = 1;
}

class MatmulBase<string mnemonic> : TilePrimitive<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins AnyBuffer:$a, AnyBuffer:$b, AnyBuffer:$acc, Optional<AnyBuffer>:$scale_a, Optional<AnyBuffer>:$scale_b,
                       Optional<I1>:$accumulate_if, OptionalAttr<I64Attr>:$scale_block, UnitAttr:$accumulate,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`scales` `(` $scale_a^ `,` $scale_b `)` `block` $scale_block)? custom<Accumulate>($accumulate_if, $accumulate)
    attr-dict `:` custom<FullType>(type($a)) `,` custom<FullType>(type($b)) `,` custom<FullType>(type($acc))
    (`,` type($scale_a)^ `,` type($scale_b))?
  }];
}

def MatmulOp : MatmulBase<"matmul"> {
  let summary = "matrix product into an accumulator";
  let description = [{
    acc[m, n] = (accumulate ? acc[m, n] : +0) + sum over k of a[m, k] * b[k, n]. a (M x K, or K x M with `transpose_a`) and b (K x N, or N x K
    with `transpose_b`) are rank-2 scratch buffers of one type, or each of f8E4M3FN or f8E5M2; acc is M x N in `acc`: f32 for floats; i32, wrapping, for i8. A k that is not valid in both
    is absent (0 * inf does not arise). The result's valid extents are (valid M of a, valid N of b). `accumulate` always adds, `accumulate(%p)` when %p is true; accumulating into elements that were
    not valid is a run-time error. `scales(%sa, %sb) block B` multiplies a[m, k] by sa[m, k / B] and b[k, n] by sb[k / B, n], as the OCP
    Microscaling formats (v1.0) do with B = 32: a and b are each of f8E4M3FN, f8E5M2 or f4E2M1FN, sa (M x ceil(K / B)) and sb
    (ceil(K / B) x N) of f8E8M0FNU, each transposed as its operand is and valid where its operand is. A scaled element counts rounded to bf16, which is exact while it is 0 or of magnitude 2^-126 to 2^128. Products are exact, sums in f32 in an order of the target's choice: |error| <= c * K * 2^-24 * sum|a||b|, c = 1 on the accelerator (k ascending,
    fused: one rounding a step).

    ```mlir
    tile.matmul %a, %b, %acc accumulate(%notFirst) {transpose_b}
        : !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x128xf32, acc>
    tile.matmul %a, %b, %acc scales(%sa, %sb) block 32
        : !tile.buffer<64x96xf8E5M2, scratch>, !tile.buffer<96x64xf8E4M3FN, scratch>, !tile.buffer<64x64xf32, acc>,
          !tile.buffer<64x3xf8E8M0FNU, scratch>, !tile.buffer<3x64xf8E8M0FNU, scratch>
    ```
    Since 0.1.
  }];
}

def MatmulAsyncOp : MatmulBase<"matmul_async"> {
  let summary = "starts a matrix product";
  let description = [{
    Does what `tile.matmul` does, some time between here and the wait for its token: until then a and b may not be written nor acc
    touched, except by further `matmul_async` into the same acc, which follow in program order. With scales, the operands are scaled
    here, by the teams, and the product is complete when it is issued.

    ```mlir
    %t = tile.matmul_async %a, %b, %acc accumulate
        : !tile.buffer<128x64xf16, scratch>, !tile.buffer<64x128xf16, scratch>, !tile.buffer<128x128xf32, acc>
    tile.wait %t
    ```
    Since 0.1.
  }];
  let results = (outs AnyToken:$token);
}

#endif
