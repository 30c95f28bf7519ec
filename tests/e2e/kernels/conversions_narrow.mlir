// Every value of f16 (row 0 of each output) and of bf16 (row 1), converted to every type: %N of the 65536 bit patterns a work
// item.
tile.param @N = 2048

!i1 = !tile.buffer<2x?xi1, global>
!i1Block = !tile.buffer<1 x @N x i1, scratch>
!i1Row = !tile.buffer<1 x @N x i1, global>
!i8 = !tile.buffer<2x?xi8, global>
!i8Block = !tile.buffer<1 x @N x i8, scratch>
!i8Row = !tile.buffer<1 x @N x i8, global>
!i16 = !tile.buffer<2x?xi16, global>
!i16Block = !tile.buffer<1 x @N x i16, scratch>
!i16Row = !tile.buffer<1 x @N x i16, global>
!i32 = !tile.buffer<2x?xi32, global>
!i32Block = !tile.buffer<1 x @N x i32, scratch>
!i32Row = !tile.buffer<1 x @N x i32, global>
!i64 = !tile.buffer<2x?xi64, global>
!i64Block = !tile.buffer<1 x @N x i64, scratch>
!i64Row = !tile.buffer<1 x @N x i64, global>
!f16 = !tile.buffer<2x?xf16, global>
!f16Block = !tile.buffer<1 x @N x f16, scratch>
!f16Row = !tile.buffer<1 x @N x f16, global>
!bf16 = !tile.buffer<2x?xbf16, global>
!bf16Block = !tile.buffer<1 x @N x bf16, scratch>
!bf16Row = !tile.buffer<1 x @N x bf16, global>
!f32 = !tile.buffer<2x?xf32, global>
!f32Block = !tile.buffer<1 x @N x f32, scratch>
!f32Row = !tile.buffer<1 x @N x f32, global>
!f64 = !tile.buffer<2x?xf64, global>
!f64Block = !tile.buffer<1 x @N x f64, scratch>
!f64Row = !tile.buffer<1 x @N x f64, global>
!f8E4M3FN = !tile.buffer<2x?xf8E4M3FN, global>
!f8E4M3FNBlock = !tile.buffer<1 x @N x f8E4M3FN, scratch>
!f8E4M3FNRow = !tile.buffer<1 x @N x f8E4M3FN, global>
!f8E5M2 = !tile.buffer<2x?xf8E5M2, global>
!f8E5M2Block = !tile.buffer<1 x @N x f8E5M2, scratch>
!f8E5M2Row = !tile.buffer<1 x @N x f8E5M2, global>

tile.kernel @halves(%i1: !i1, %i8: !i8, %i16: !i16, %i32: !i32, %i64: !i64, %f16: !f16, %bf16: !bf16, %f32: !f32, %f64: !f64, %f8E4M3FN: !f8E4M3FN, %f8E5M2: !f8E5M2) grid(%i) {
  %n = tile.param_value @N : index
  %first = arith.muli %i, %n : index
  %o_i1 = tile.alloc : !i1Block
  %o_i8 = tile.alloc : !i8Block
  %o_i16 = tile.alloc : !i16Block
  %o_i32 = tile.alloc : !i32Block
  %o_i64 = tile.alloc : !i64Block
  %o_f16 = tile.alloc : !f16Block
  %o_bf16 = tile.alloc : !bf16Block
  %o_f32 = tile.alloc : !f32Block
  %o_f64 = tile.alloc : !f64Block
  %o_f8E4M3FN = tile.alloc : !f8E4M3FNBlock
  %o_f8E5M2 = tile.alloc : !f8E5M2Block
  tile.map outs(%o_i1, %o_i8, %o_i16, %o_i32, %o_i64, %o_f16, %o_bf16, %o_f32, %o_f64, %o_f8E4M3FN, %o_f8E5M2
      : !i1Block, !i8Block, !i16Block, !i32Block, !i64Block, !f16Block, !bf16Block, !f32Block, !f64Block, !f8E4M3FNBlock, !f8E5M2Block) {
    %j = tile.index 1 : index
    %number = arith.addi %first, %j : index
    %bits = arith.index_cast %number : index to i16
    %v = arith.bitcast %bits : i16 to f16
    %r_i1 = tile.convert %v : f16 to i1
    %r_i8 = tile.convert %v : f16 to i8
    %r_i16 = tile.convert %v : f16 to i16
    %r_i32 = tile.convert %v : f16 to i32
    %r_i64 = tile.convert %v : f16 to i64
    %r_bf16 = tile.convert %v : f16 to bf16
    %r_f32 = tile.convert %v : f16 to f32
    %r_f64 = tile.convert %v : f16 to f64
    %r_f8E4M3FN = tile.convert %v : f16 to f8E4M3FN
    %r_f8E5M2 = tile.convert %v : f16 to f8E5M2
    tile.yield %r_i1, %r_i8, %r_i16, %r_i32, %r_i64, %v, %r_bf16, %r_f32, %r_f64, %r_f8E4M3FN, %r_f8E5M2
        : i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2
  }
  %w_i1 = tile.slice %i1[0, %first] : !i1 to !i1Row
  tile.copy %o_i1, %w_i1 : !i1Block, !i1Row
  %w_i8 = tile.slice %i8[0, %first] : !i8 to !i8Row
  tile.copy %o_i8, %w_i8 : !i8Block, !i8Row
  %w_i16 = tile.slice %i16[0, %first] : !i16 to !i16Row
  tile.copy %o_i16, %w_i16 : !i16Block, !i16Row
  %w_i32 = tile.slice %i32[0, %first] : !i32 to !i32Row
  tile.copy %o_i32, %w_i32 : !i32Block, !i32Row
  %w_i64 = tile.slice %i64[0, %first] : !i64 to !i64Row
  tile.copy %o_i64, %w_i64 : !i64Block, !i64Row
  %w_f16 = tile.slice %f16[0, %first] : !f16 to !f16Row
  tile.copy %o_f16, %w_f16 : !f16Block, !f16Row
  %w_bf16 = tile.slice %bf16[0, %first] : !bf16 to !bf16Row
  tile.copy %o_bf16, %w_bf16 : !bf16Block, !bf16Row
  %w_f32 = tile.slice %f32[0, %first] : !f32 to !f32Row
  tile.copy %o_f32, %w_f32 : !f32Block, !f32Row
  %w_f64 = tile.slice %f64[0, %first] : !f64 to !f64Row
  tile.copy %o_f64, %w_f64 : !f64Block, !f64Row
  %w_f8E4M3FN = tile.slice %f8E4M3FN[0, %first] : !f8E4M3FN to !f8E4M3FNRow
  tile.copy %o_f8E4M3FN, %w_f8E4M3FN : !f8E4M3FNBlock, !f8E4M3FNRow
  %w_f8E5M2 = tile.slice %f8E5M2[0, %first] : !f8E5M2 to !f8E5M2Row
  tile.copy %o_f8E5M2, %w_f8E5M2 : !f8E5M2Block, !f8E5M2Row
}

tile.kernel @brains(%i1: !i1, %i8: !i8, %i16: !i16, %i32: !i32, %i64: !i64, %f16: !f16, %bf16: !bf16, %f32: !f32, %f64: !f64, %f8E4M3FN: !f8E4M3FN, %f8E5M2: !f8E5M2) grid(%i) {
  %n = tile.param_value @N : index
  %first = arith.muli %i, %n : index
  %o_i1 = tile.alloc : !i1Block
  %o_i8 = tile.alloc : !i8Block
  %o_i16 = tile.alloc : !i16Block
  %o_i32 = tile.alloc : !i32Block
  %o_i64 = tile.alloc : !i64Block
  %o_f16 = tile.alloc : !f16Block
  %o_bf16 = tile.alloc : !bf16Block
  %o_f32 = tile.alloc : !f32Block
  %o_f64 = tile.alloc : !f64Block
  %o_f8E4M3FN = tile.alloc : !f8E4M3FNBlock
  %o_f8E5M2 = tile.alloc : !f8E5M2Block
  tile.map outs(%o_i1, %o_i8, %o_i16, %o_i32, %o_i64, %o_f16, %o_bf16, %o_f32, %o_f64, %o_f8E4M3FN, %o_f8E5M2
      : !i1Block, !i8Block, !i16Block, !i32Block, !i64Block, !f16Block, !bf16Block, !f32Block, !f64Block, !f8E4M3FNBlock, !f8E5M2Block) {
    %j = tile.index 1 : index
    %number = arith.addi %first, %j : index
    %bits = arith.index_cast %number : index to i16
    %v = arith.bitcast %bits : i16 to bf16
    %r_i1 = tile.convert %v : bf16 to i1
    %r_i8 = tile.convert %v : bf16 to i8
    %r_i16 = tile.convert %v : bf16 to i16
    %r_i32 = tile.convert %v : bf16 to i32
    %r_i64 = tile.convert %v : bf16 to i64
    %r_f16 = tile.convert %v : bf16 to f16
    %r_f32 = tile.convert %v : bf16 to f32
    %r_f64 = tile.convert %v : bf16 to f64
    %r_f8E4M3FN = tile.convert %v : bf16 to f8E4M3FN
    %r_f8E5M2 = tile.convert %v : bf16 to f8E5M2
    tile.yield %r_i1, %r_i8, %r_i16, %r_i32, %r_i64, %r_f16, %v, %r_f32, %r_f64, %r_f8E4M3FN, %r_f8E5M2
        : i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2
  }
  %w_i1 = tile.slice %i1[1, %first] : !i1 to !i1Row
  tile.copy %o_i1, %w_i1 : !i1Block, !i1Row
  %w_i8 = tile.slice %i8[1, %first] : !i8 to !i8Row
  tile.copy %o_i8, %w_i8 : !i8Block, !i8Row
  %w_i16 = tile.slice %i16[1, %first] : !i16 to !i16Row
  tile.copy %o_i16, %w_i16 : !i16Block, !i16Row
  %w_i32 = tile.slice %i32[1, %first] : !i32 to !i32Row
  tile.copy %o_i32, %w_i32 : !i32Block, !i32Row
  %w_i64 = tile.slice %i64[1, %first] : !i64 to !i64Row
  tile.copy %o_i64, %w_i64 : !i64Block, !i64Row
  %w_f16 = tile.slice %f16[1, %first] : !f16 to !f16Row
  tile.copy %o_f16, %w_f16 : !f16Block, !f16Row
  %w_bf16 = tile.slice %bf16[1, %first] : !bf16 to !bf16Row
  tile.copy %o_bf16, %w_bf16 : !bf16Block, !bf16Row
  %w_f32 = tile.slice %f32[1, %first] : !f32 to !f32Row
  tile.copy %o_f32, %w_f32 : !f32Block, !f32Row
  %w_f64 = tile.slice %f64[1, %first] : !f64 to !f64Row
  tile.copy %o_f64, %w_f64 : !f64Block, !f64Row
  %w_f8E4M3FN = tile.slice %f8E4M3FN[1, %first] : !f8E4M3FN to !f8E4M3FNRow
  tile.copy %o_f8E4M3FN, %w_f8E4M3FN : !f8E4M3FNBlock, !f8E4M3FNRow
  %w_f8E5M2 = tile.slice %f8E5M2[1, %first] : !f8E5M2 to !f8E5M2Row
  tile.copy %o_f8E5M2, %w_f8E5M2 : !f8E5M2Block, !f8E5M2Row
}

func.func @main(%i1: !i1 {tile.name = "i1", tile.output = "2x65536"},
                %i8: !i8 {tile.name = "i8", tile.output = "2x65536"},
                %i16: !i16 {tile.name = "i16", tile.output = "2x65536"},
                %i32: !i32 {tile.name = "i32", tile.output = "2x65536"},
                %i64: !i64 {tile.name = "i64", tile.output = "2x65536"},
                %f16: !f16 {tile.name = "f16", tile.output = "2x65536"},
                %bf16: !bf16 {tile.name = "bf16", tile.output = "2x65536"},
                %f32: !f32 {tile.name = "f32", tile.output = "2x65536"},
                %f64: !f64 {tile.name = "f64", tile.output = "2x65536"},
                %f8E4M3FN: !f8E4M3FN {tile.name = "f8E4M3FN", tile.output = "2x65536"},
                %f8E5M2: !f8E5M2 {tile.name = "f8E5M2", tile.output = "2x65536"}) {
  %all = arith.constant 65536 : index
  %n = tile.param_value @N : index
  %items = arith.ceildivui %all, %n : index
  tile.launch @halves grid(%items) args(%i1, %i8, %i16, %i32, %i64, %f16, %bf16, %f32, %f64, %f8E4M3FN, %f8E5M2)
      : !i1, !i8, !i16, !i32, !i64, !f16, !bf16, !f32, !f64, !f8E4M3FN, !f8E5M2
  tile.launch @brains grid(%items) args(%i1, %i8, %i16, %i32, %i64, %f16, %bf16, %f32, %f64, %f8E4M3FN, %f8E5M2)
      : !i1, !i8, !i16, !i32, !i64, !f16, !bf16, !f32, !f64, !f8E4M3FN, !f8E5M2
  return
}
