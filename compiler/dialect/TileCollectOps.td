//===- TileCollectOps.td - moves by index, scans, random bits --------------===//
// Operations whose elements depend on positions: what a map cannot say, or says at length.
#ifndef FORERUN_COMPILER_DIALECT_TILECOLLECTOPS_TD
#define FORERUN_COMPILER_DIALECT_TILECOLLECTOPS_TD

include "compiler/dialect/TileOpBase.td"

def IotaOp : TilePrimitive<"iota"> {
  let summary = "writes each element's index along a dimension";
  let description = [{
    dst[i...] = i_dim, converted as `tile.cast` converts an i64, for every element of the window (of a `global` window: every one
    inside the buffer); all of it becomes valid. The index counts in the window. `--tile-expand-semantics` makes it a `tile.map`.

    ```mlir
    tile.iota %columns dim 1 : !tile.buffer<8x128xi32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$dst, I64Attr:$dim);
  let assemblyFormat = "$dst `dim` $dim attr-dict `:` custom<FullType>(type($dst))";
  let hasVerifier = 1;
}

def BroadcastOp : TilePrimitive<"broadcast"> {
  let summary = "repeats a buffer along dimensions of extent 1";
  let description = [{
    dst[i...] = src[j...] with j_d = 0 where src has extent 1, else i_d. One rank and one element type; valid extents as an input of
    `tile.map`, which `--tile-expand-semantics` makes of it.

    ```mlir
    tile.broadcast %bias, %rows : !tile.buffer<1x128xf32, scratch>, !tile.buffer<8x128xf32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$src, AnyBuffer:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` custom<FullType>(type($src)) `,` custom<FullType>(type($dst))";
  let hasVerifier = 1;
}

def RandomOp : TileOp<"random", [Pure]> {
  let summary = "32 random bits that depend on nothing but a seed and a position";
  let description = [{
    Word `position mod 4` of Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) with the counter (low and high 32 bits of
    floor(position / 4), 0, 0) and the key (low and high 32 bits of the seed); position and seed are unsigned. The same bits on every
    target, in any order, however the work is cut; those of `randn` and the other random inputs of `forerun run`, too. In map
    bodies and outside.

    ```mlir
    %bits = tile.random %seed, %position : i32
    ```
    For example a number uniform in [0, 1): bits, shifted right by 8, converted to f32, times 2^-24.
    Since 0.1.
  }];
  let arguments = (ins I64:$seed, I64:$position);
  let results = (outs I32:$bits);
  let assemblyFormat = "$seed `,` $position attr-dict `:` type($bits)";
}

def ScanOp : TilePrimitive<"scan"> {
  let summary = "combines each element with those before it";
  let description = [{
    out[.., i, ..] = combination of in[.., j, ..] over the elements j <= i along `dim` that are valid in both operands; `exclusive`: over
    j < i, which for the first is the combination of nothing; `reverse`: over j >= i (j > i). Elements are first converted, exactly,
    to out's type, which is in's or a wider one of its class. Kinds, their types, combinations and the combination of nothing are those
    of `tile.reduce`, argmin and argmax excepted. out is in's window or disjoint from it, has its extents and gets as valid extents
    what is valid in both.

    The order of float add and mul is the target's, within |error| <= K * 2^-p * sum|x| over the K elements combined (p the precision of
    out's type). The accelerator combines in order across rows, and in order log2 of a strip's elements along rows.

    ```mlir
    tile.scan <add> %x, %sums dim 1 : !tile.buffer<8x781xf16, scratch>, !tile.buffer<8x781xf32, scratch>
    tile.scan <add> %counts, %starts dim 0 {exclusive} : !tile.buffer<64xi32, scratch>, !tile.buffer<64xi32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins ReduceKindAttr:$kind, AnyBuffer:$input, AnyBuffer:$output, I64Attr:$dim, UnitAttr:$exclusive,
                       UnitAttr:$reverse);
  let assemblyFormat = [{
    $kind $input `,` $output `dim` $dim attr-dict `:` custom<FullType>(type($input)) `,` custom<FullType>(type($output))
  }];
  let hasVerifier = 1;
}

def GatherOp : TilePrimitive<"gather"> {
  let summary = "reads elements at positions that another buffer gives";
  let description = [{
    out[i...] = src[j...] with j_dim = indices[i...] and j_d = i_d in the other dimensions. indices has out's rank; a dimension of
    extent 1 broadcasts, so that `Rx1` indices take whole rows. src has out's element type and out's extents but along `dim`,
    where any extent will do, `?` included. An index that is negative or not below src's valid extent gives 0. out gets as valid
    extents the intersection of indices' (broadcast dimensions excepted) and src's (`dim` excepted).

    ```mlir
    tile.gather %table, %ids, %rows dim 0
        : !tile.buffer<?x64xf16, global>, !tile.buffer<32x1xi32, scratch>, !tile.buffer<32x64xf16, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$src, AnyBuffer:$indices, AnyBuffer:$output, I64Attr:$dim);
  let assemblyFormat = [{
    $src `,` $indices `,` $output `dim` $dim attr-dict
    `:` custom<FullType>(type($src)) `,` custom<FullType>(type($indices)) `,` custom<FullType>(type($output))
  }];
  let hasVerifier = 1;
}

def ScatterOp : TilePrimitive<"scatter"> {
  let summary = "writes elements to positions that another buffer gives";
  let description = [{
    dst[j...] = src[i...] with j_dim = indices[i...] and j_d = i_d in the other dimensions, for i ascending along `dim`: of equal indices
    the last stays. With `combine <kind>` dst[j...] = combination of dst[j...] and src[i...], one after the other, in the same order, rounded
    each time; kinds and combinations are those of `tile.reduce`, argmin and argmax excepted. indices has src's rank and broadcasts
    along dimensions of extent 1; dst has src's element type and extents but along `dim`. Elements take part that are valid in src and
    indices; an index that is negative or not below dst's valid extent drops its element. dst's valid extents stay.

    Work items that scatter to one element of a `global` buffer race.

    ```mlir
    tile.scatter %rows, %ids, %sums dim 0 combine <add>
        : !tile.buffer<32x64xf32, scratch>, !tile.buffer<32x1xi32, scratch>, !tile.buffer<100x64xf32, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$src, AnyBuffer:$indices, AnyBuffer:$dst, I64Attr:$dim, OptionalAttr<ReduceKindAttr>:$kind);
  let assemblyFormat = [{
    $src `,` $indices `,` $dst `dim` $dim (`combine` $kind^)? attr-dict
    `:` custom<FullType>(type($src)) `,` custom<FullType>(type($indices)) `,` custom<FullType>(type($dst))
  }];
  let hasVerifier = 1;
}

#endif
