//===- TileMemoryOps.td - buffers, windows, moves, scalars -----------------===//
// Operations that make, view and move data without computing on it.
#ifndef FORERUN_COMPILER_DIALECT_TILEMEMORYOPS_TD
#define FORERUN_COMPILER_DIALECT_TILEMEMORYOPS_TD

include "compiler/dialect/TileOpBase.td"

def DimOp : TileOp<"dim", [Pure]> {
  let summary = "extent of a buffer dimension";
  let description = [{
    The extent in the type, or the run-time extent of a `?`. (Not the valid extent of a window.)

    ```mlir
    %m = tile.dim %c, 0 : !tile.buffer<?x?xf16, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$buffer, I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$buffer `,` $dim attr-dict `:` custom<FullType>(type($buffer))";
  let hasVerifier = 1;
}

def AllocOp : TileEffectOp<"alloc"> {
  let summary = "a new buffer that lives for its region";
  let description = [{
    In a kernel: an on-chip buffer of static extents. In a host function: a `global` buffer, one operand for each `?`.
    Contents are undefined (reading them is a run-time error of interpreter and simulator) and valid extents are the static extents.
    In `tile.exec team` each team has its own.

    ```mlir
    %s = tile.alloc : !tile.buffer<2x128x64xf16, scratch>
    %g = tile.alloc(%m, %n) : !tile.buffer<?x?xf32, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs AnyBuffer:$result);
  let assemblyFormat = "(`(` $sizes^ `)`)? attr-dict `:` custom<FullType>(type($result))";
  let hasVerifier = 1;
}

def SliceOp : TileOp<"slice", [Pure, ViewLikeOpInterface]> {
  let summary = "a window of a buffer";
  let description = [{
    Element (i...) of the window is element (origin + i...) of the buffer. Origins are integers or index values, one for each source
    dimension. The result has the extents of its type; when its rank is smaller, the leading source dimensions have window extent 1
    and are dropped. A window of a `global` buffer may overhang any edge; one of an on-chip buffer lies inside it.

    Valid along dimension d are the window's indices i with 0 <= origin + i < v, where v is the valid extent of the source there. For
    example extents 128 at origin 900 of a 1000-row matrix are 100 valid rows. A dropped dimension that is outside makes all invalid.

    ```mlir
    %w = tile.slice %a[%i, %k] : !tile.buffer<?x?xf16, global> to !tile.buffer<128x64xf16, global>
    %s = tile.slice %stages[%n, 0, 0] : !tile.buffer<2x128x64xf16, scratch> to !tile.buffer<128x64xf16, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$source, Variadic<Index>:$origins, DenseI64ArrayAttr:$static_origins);
  let results = (outs AnyBuffer:$result);
  let assemblyFormat = [{
    $source custom<DynamicIndexList>($origins, $static_origins) attr-dict `:` custom<FullType>(type($source)) `to` custom<FullType>(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    /// One origin a source dimension, static ones as index attributes.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOrigins();
    /// Leading source dimensions that the result drops.
    unsigned getDroppedDims() { return getSource().getType().getRank() - getResult().getType().getRank(); }
    /// The pipeline that handed out the stage which the leading origin is; null when it is none.
    ::mlir::Value getPipeline();
  }];
}

class CopyBase<string mnemonic> : TilePrimitive<mnemonic> {
  let arguments = (ins AnyBuffer:$src, AnyBuffer:$dst,
                       DefaultValuedAttr<OverflowAttr, "::forerun::tile::Overflow::Saturate">:$overflow);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $src `,` $dst (`overflow` $overflow^)? attr-dict `:` custom<FullType>(type($src)) `,` custom<FullType>(type($dst))
  }];
}

def CopyOp : CopyBase<"copy"> {
  let summary = "copies a buffer, converting elements if types differ";
  let description = [{
    dst[i...] = convert(src[i...]) for all i valid in both; conversion as `tile.cast`, equal types move bits. Extents must be
    equal and static (take a window of a `?` buffer). Source and destination are identical or disjoint. A destination that is a
    whole on-chip buffer, or one leading index of it, gets the source's valid extents; of a source that overhangs a low edge the
    elements below it are written as zero and count as valid.

    ```mlir
    tile.copy %window, %tile : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
    ```
    Since 0.1.
  }];
}

def CopyAsyncOp : CopyBase<"copy_async"> {
  let summary = "starts a copy";
  let description = [{
    Does what `tile.copy` does, some time between here and the wait for its token. Until then the destination may not be touched
    nor the source written. Valid extents of the destination change here.

    ```mlir
    %t = tile.copy_async %window, %tile : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
    ...
    tile.wait %t
    ```
    Since 0.1.
  }];
  let results = (outs AnyToken:$token);
}

def FillOp : TilePrimitive<"fill"> {
  let summary = "writes one value to every element";
  let description = [{
    dst[i...] = value for every element of the window (of a `global` window: every one inside the buffer); all of it becomes valid.

    ```mlir
    tile.fill %acc, %zero : !tile.buffer<128x128xf32, acc>, f32
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$dst, AnyElement:$value);
  let assemblyFormat = "$dst `,` $value attr-dict `:` custom<FullType>(type($dst)) `,` type($value)";
  let hasVerifier = 1;
}

def CastOp : CopyBase<"cast"> {
  let summary = "element-wise conversion";
  let description = [{
    dst[i...] = convert(src[i...]) for all i valid in both; valid extents as `tile.copy`. Float to float rounds once, to nearest
    even, overflow gives infinity. To floats of 8 and 4 bits it saturates, infinities included; `overflow <nan>` gives f8E5M2 infinity,
    f8E4M3FN and f8E8M0FNU NaN instead. f4E2M1FN has no NaN: NaN gives 0. To f8E8M0FNU a number rounds to the nearest power of two (of
    two, the greater), what is below 2^-127, 0 too, gives 2^-127, a negative number NaN. Integer to float rounds once from the exact
    integer. Float to integer truncates, saturates, NaN gives 0 (to i1: saturates to 0 and 1). Integers wrap or sign-extend; i1 extends
    as 0 or 1.

    ```mlir
    tile.cast %x, %y : !tile.buffer<128x64xf32, scratch>, !tile.buffer<128x64xbf16, scratch>
    tile.cast %x, %z overflow <nan> : !tile.buffer<128x64xf32, scratch>, !tile.buffer<128x64xf8E4M3FN, scratch>
    ```
    Since 0.1.
  }];
}

def TransposeOp : TilePrimitive<"transpose"> {
  let summary = "copies with permuted dimensions";
  let description = [{
    dst[i_0, i_1, ...] = src[j...] with j_{permutation[d]} = i_d: dimension d of dst is dimension permutation[d] of src. Same element
    type. Valid extents are permuted likewise.

    ```mlir
    tile.transpose %x, %y permutation [1, 0] : !tile.buffer<128x64xf16, scratch>, !tile.buffer<64x128xf16, scratch>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$src, AnyBuffer:$dst, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = "$src `,` $dst `permutation` $permutation attr-dict `:` custom<FullType>(type($src)) `,` custom<FullType>(type($dst))";
  let hasVerifier = 1;
}

def LoadOp : TileEffectOp<"load"> {
  let summary = "reads one element";
  let description = [{
    value = buffer[i...]. An index outside the buffer is a run-time error.

    ```mlir
    %v = tile.load %offsets[%i] : !tile.buffer<?xi32, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBuffer:$buffer, Variadic<Index>:$indices);
  let results = (outs AnyElement:$value);
  let assemblyFormat = "$buffer `[` $indices `]` attr-dict `:` custom<ElementOf>(type($buffer), type($value))";
  let hasVerifier = 1;
}

def StoreOp : TileEffectOp<"store"> {
  let summary = "writes one element";
  let description = [{
    buffer[i...] = value. An index outside the buffer is a run-time error. At core scope the store happens once.

    ```mlir
    tile.store %v, %out[%i] : !tile.buffer<?xf32, global>
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyElement:$value, AnyBuffer:$buffer, Variadic<Index>:$indices);
  let assemblyFormat = "$value `,` $buffer `[` $indices `]` attr-dict `:` custom<ElementOf>(type($buffer), type($value))";
  let hasVerifier = 1;
}

#endif
