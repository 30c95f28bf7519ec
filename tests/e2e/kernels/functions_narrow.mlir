// Every function of math on every value of f16 and of bf16: %N of the 65536 bit patterns a work item.
tile.param @N = 2048

!out16 = !tile.buffer<?x?xf16, global>
!outBrain = !tile.buffer<?x?xbf16, global>
!block16 = !tile.buffer<13 x @N x f16, scratch>
!blockBrain = !tile.buffer<13 x @N x bf16, scratch>
!row16 = !tile.buffer<1 x @N x f16, scratch>
!rowBrain = !tile.buffer<1 x @N x bf16, scratch>
!window16 = !tile.buffer<13 x @N x f16, global>
!windowBrain = !tile.buffer<13 x @N x bf16, global>

tile.kernel @halves(%y: !out16) grid(%i) {
  %n = tile.param_value @N : index
  %first = arith.muli %i, %n : index
  %out = tile.alloc : !block16
  %o0 = tile.slice %out[0, 0] : !block16 to !row16
  %o1 = tile.slice %out[1, 0] : !block16 to !row16
  %o2 = tile.slice %out[2, 0] : !block16 to !row16
  %o3 = tile.slice %out[3, 0] : !block16 to !row16
  %o4 = tile.slice %out[4, 0] : !block16 to !row16
  %o5 = tile.slice %out[5, 0] : !block16 to !row16
  %o6 = tile.slice %out[6, 0] : !block16 to !row16
  %o7 = tile.slice %out[7, 0] : !block16 to !row16
  %o8 = tile.slice %out[8, 0] : !block16 to !row16
  %o9 = tile.slice %out[9, 0] : !block16 to !row16
  %o10 = tile.slice %out[10, 0] : !block16 to !row16
  %o11 = tile.slice %out[11, 0] : !block16 to !row16
  %o12 = tile.slice %out[12, 0] : !block16 to !row16
  tile.map outs(%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8, %o9, %o10, %o11, %o12
      : !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16, !row16) {
    %j = tile.index 1 : index
    %number = arith.addi %first, %j : index
    %bits = arith.index_cast %number : index to i16
    %v = arith.bitcast %bits : i16 to f16
    %r0 = math.exp %v : f16
    %r1 = math.exp2 %v : f16
    %r2 = math.expm1 %v : f16
    %r3 = math.log %v : f16
    %r4 = math.log2 %v : f16
    %r5 = math.log10 %v : f16
    %r6 = math.log1p %v : f16
    %r7 = math.tanh %v : f16
    %r8 = math.erf %v : f16
    %r9 = math.rsqrt %v : f16
    %r10 = math.sqrt %v : f16
    %r11 = math.sin %v : f16
    %r12 = math.cos %v : f16
    tile.yield %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 : f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16
  }
  %w = tile.slice %y[0, %first] : !out16 to !window16
  tile.copy %out, %w : !block16, !window16
}

tile.kernel @brains(%y: !outBrain) grid(%i) {
  %n = tile.param_value @N : index
  %first = arith.muli %i, %n : index
  %out = tile.alloc : !blockBrain
  %o0 = tile.slice %out[0, 0] : !blockBrain to !rowBrain
  %o1 = tile.slice %out[1, 0] : !blockBrain to !rowBrain
  %o2 = tile.slice %out[2, 0] : !blockBrain to !rowBrain
  %o3 = tile.slice %out[3, 0] : !blockBrain to !rowBrain
  %o4 = tile.slice %out[4, 0] : !blockBrain to !rowBrain
  %o5 = tile.slice %out[5, 0] : !blockBrain to !rowBrain
  %o6 = tile.slice %out[6, 0] : !blockBrain to !rowBrain
  %o7 = tile.slice %out[7, 0] : !blockBrain to !rowBrain
  %o8 = tile.slice %out[8, 0] : !blockBrain to !rowBrain
  %o9 = tile.slice %out[9, 0] : !blockBrain to !rowBrain
  %o10 = tile.slice %out[10, 0] : !blockBrain to !rowBrain
  %o11 = tile.slice %out[11, 0] : !blockBrain to !rowBrain
  %o12 = tile.slice %out[12, 0] : !blockBrain to !rowBrain
  tile.map outs(%o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8, %o9, %o10, %o11, %o12
      : !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain, !rowBrain) {
    %j = tile.index 1 : index
    %number = arith.addi %first, %j : index
    %bits = arith.index_cast %number : index to i16
    %v = arith.bitcast %bits : i16 to bf16
    %r0 = math.exp %v : bf16
    %r1 = math.exp2 %v : bf16
    %r2 = math.expm1 %v : bf16
    %r3 = math.log %v : bf16
    %r4 = math.log2 %v : bf16
    %r5 = math.log10 %v : bf16
    %r6 = math.log1p %v : bf16
    %r7 = math.tanh %v : bf16
    %r8 = math.erf %v : bf16
    %r9 = math.rsqrt %v : bf16
    %r10 = math.sqrt %v : bf16
    %r11 = math.sin %v : bf16
    %r12 = math.cos %v : bf16
    tile.yield %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 : bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16
  }
  %w = tile.slice %y[0, %first] : !outBrain to !windowBrain
  tile.copy %out, %w : !blockBrain, !windowBrain
}

func.func @main(%halves: !out16 {tile.name = "halves", tile.output = "13x65536"},
                %brains: !outBrain {tile.name = "brains", tile.output = "13x65536"}) {
  %all = arith.constant 65536 : index
  %n = tile.param_value @N : index
  %items = arith.ceildivui %all, %n : index
  tile.launch @halves grid(%items) args(%halves) : !out16
  tile.launch @brains grid(%items) args(%brains) : !outBrain
  return
}
