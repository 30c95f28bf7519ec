//===- TileSelectOps.td - histograms, sorting, the greatest few ------------===//
// Operations that order or count elements by value.
#ifndef FORERUN_COMPILER_DIALECT_TILESELECTOPS_TD
#define FORERUN_COMPILER_DIALECT_TILESELECTOPS_TD

include "compiler/dialect/TileOpBase.td"

def HistogramOp : TilePrimitive<"histogram"> {
  let summary = "counts how often each value occurs";
  let description = [{
    out[b] = (accumulate ? out[b] : 0) + number of valid elements of `in`, read as unsigned integers, that equal b; values at or past
    out's extent are not counted. in holds integers and has any rank; out has rank 1, holds i32 and becomes valid as a whole.

    ```mlir
    tile.histogram %pixels, %counts : !tile.buffer<64x128xi8, scratch>, !tile.buffer<256xi32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$input, AnyBuffer:$output, UnitAttr:$accumulate);
  let assemblyFormat = "$input `,` $output attr-dict `:` custom<FullType>(type($input)) `,` custom<FullType>(type($output))";
  let hasVerifier = 1;
}

class OrderingOp<string mnemonic> : TilePrimitive<mnemonic> {
  let arguments = (ins AnyBuffer:$input, Variadic<AnyBuffer>:$outputs, I64Attr:$dim, UnitAttr:$descending);
  let assemblyFormat = "$input `,` $outputs `dim` $dim attr-dict `:` custom<FullType>(type($input)) `,` type($outputs)";
  let hasVerifier = 1;
}

def SortOp : OrderingOp<"sort"> {
  let summary = "sorts along a dimension";
  let description = [{
    The first output gets the valid elements of `in` along `dim` in ascending order (`descending`: in descending order), equal ones in the order
    of their indices; the second, if there is one, i32 or i64, gets those indices. Integers are signed; -0 < +0; NaNs are equal to one another
    and greater than all numbers. Outputs have in's extents and get its valid extents.

    ```mlir
    tile.sort %x, %sorted, %order dim 1 {descending}
        : !tile.buffer<8x100xf32, scratch>, !tile.buffer<8x100xf32, scratch>, !tile.buffer<8x100xi32, scratch>
    ```
    Since 0.1.
  }];
}

def TopkOp : OrderingOp<"topk"> {
  let summary = "the first few of what a sort would give";
  let description = [{
    The outputs get the first k elements and indices of `tile.sort` along `dim`, k being their extent there: the least, with `descending` the
    greatest. Where fewer than k elements are valid, so many are written and become valid.

    ```mlir
    tile.topk %scores, %best, %which dim 1 {descending}
        : !tile.buffer<320x128xf32, scratch>, !tile.buffer<320x8xf32, scratch>, !tile.buffer<320x8xi32, scratch>
    ```
    Since 0.1.
  }];
}

#endif
