// Every value of f16 (row 0 of each output) and of bf16 (row 1), converted to scales and to elements of 4 bits, and to the
// 8-bit floats without saturation: @N of the 65536 bit patterns a work item.
tile.param @N = 2048
tile.param @I : type = i4
tile.param @F : type = f4E2M1FN

!halves = !tile.buffer<1 x @N x f16, scratch>
!brains = !tile.buffer<1 x @N x bf16, scratch>
!scale = !tile.buffer<2x?xf8E8M0FNU, global>
!scaleBlock = !tile.buffer<1 x @N x f8E8M0FNU, scratch>
!scaleRow = !tile.buffer<1 x @N x f8E8M0FNU, global>
!open4 = !tile.buffer<2x?xf8E4M3FN, global>
!open4Block = !tile.buffer<1 x @N x f8E4M3FN, scratch>
!open4Row = !tile.buffer<1 x @N x f8E4M3FN, global>
!open5 = !tile.buffer<2x?xf8E5M2, global>
!open5Block = !tile.buffer<1 x @N x f8E5M2, scratch>
!open5Row = !tile.buffer<1 x @N x f8E5M2, global>
!openScale = !tile.buffer<2x?xf8E8M0FNU, global>
!openScaleBlock = !tile.buffer<1 x @N x f8E8M0FNU, scratch>
!openScaleRow = !tile.buffer<1 x @N x f8E8M0FNU, global>
!int4 = !tile.buffer<2x?x!tile.param<@I>, global>
!int4Block = !tile.buffer<1 x @N x !tile.param<@I>, scratch>
!int4Row = !tile.buffer<1 x @N x !tile.param<@I>, global>
!float4 = !tile.buffer<2x?x!tile.param<@F>, global>
!float4Block = !tile.buffer<1 x @N x !tile.param<@F>, scratch>
!float4Row = !tile.buffer<1 x @N x !tile.param<@F>, global>

tile.kernel @narrow(%scale: !scale, %open4: !open4, %open5: !open5, %openScale: !openScale, %int4: !int4, %float4: !float4) grid(%i) {
  %n = tile.param_value @N : index
  %first = arith.muli %i, %n : index
  %h = tile.alloc : !halves
  %b = tile.alloc : !brains
  tile.map outs(%h, %b : !halves, !brains) {
    %j = tile.index 1 : index
    %number = arith.addi %first, %j : index
    %bits = arith.index_cast %number : index to i16
    %v = arith.bitcast %bits : i16 to f16
    %w = arith.bitcast %bits : i16 to bf16
    tile.yield %v, %w : f16, bf16
  }
  %h_scale = tile.alloc : !scaleBlock
  tile.cast %h, %h_scale : !halves, !scaleBlock
  %w_h_scale = tile.slice %scale[0, %first] : !scale to !scaleRow
  tile.copy %h_scale, %w_h_scale : !scaleBlock, !scaleRow
  %h_open4 = tile.alloc : !open4Block
  tile.cast %h, %h_open4 overflow <nan> : !halves, !open4Block
  %w_h_open4 = tile.slice %open4[0, %first] : !open4 to !open4Row
  tile.copy %h_open4, %w_h_open4 : !open4Block, !open4Row
  %h_open5 = tile.alloc : !open5Block
  tile.cast %h, %h_open5 overflow <nan> : !halves, !open5Block
  %w_h_open5 = tile.slice %open5[0, %first] : !open5 to !open5Row
  tile.copy %h_open5, %w_h_open5 : !open5Block, !open5Row
  %h_openScale = tile.alloc : !openScaleBlock
  tile.cast %h, %h_openScale overflow <nan> : !halves, !openScaleBlock
  %w_h_openScale = tile.slice %openScale[0, %first] : !openScale to !openScaleRow
  tile.copy %h_openScale, %w_h_openScale : !openScaleBlock, !openScaleRow
  %h_int4 = tile.alloc : !int4Block
  tile.cast %h, %h_int4 : !halves, !int4Block
  %w_h_int4 = tile.slice %int4[0, %first] : !int4 to !int4Row
  tile.copy %h_int4, %w_h_int4 : !int4Block, !int4Row
  %h_float4 = tile.alloc : !float4Block
  tile.cast %h, %h_float4 : !halves, !float4Block
  %w_h_float4 = tile.slice %float4[0, %first] : !float4 to !float4Row
  tile.copy %h_float4, %w_h_float4 : !float4Block, !float4Row
  %b_scale = tile.alloc : !scaleBlock
  tile.cast %b, %b_scale : !brains, !scaleBlock
  %w_b_scale = tile.slice %scale[1, %first] : !scale to !scaleRow
  tile.copy %b_scale, %w_b_scale : !scaleBlock, !scaleRow
  %b_open4 = tile.alloc : !open4Block
  tile.cast %b, %b_open4 overflow <nan> : !brains, !open4Block
  %w_b_open4 = tile.slice %open4[1, %first] : !open4 to !open4Row
  tile.copy %b_open4, %w_b_open4 : !open4Block, !open4Row
  %b_open5 = tile.alloc : !open5Block
  tile.cast %b, %b_open5 overflow <nan> : !brains, !open5Block
  %w_b_open5 = tile.slice %open5[1, %first] : !open5 to !open5Row
  tile.copy %b_open5, %w_b_open5 : !open5Block, !open5Row
  %b_openScale = tile.alloc : !openScaleBlock
  tile.cast %b, %b_openScale overflow <nan> : !brains, !openScaleBlock
  %w_b_openScale = tile.slice %openScale[1, %first] : !openScale to !openScaleRow
  tile.copy %b_openScale, %w_b_openScale : !openScaleBlock, !openScaleRow
  %b_int4 = tile.alloc : !int4Block
  tile.cast %b, %b_int4 : !brains, !int4Block
  %w_b_int4 = tile.slice %int4[1, %first] : !int4 to !int4Row
  tile.copy %b_int4, %w_b_int4 : !int4Block, !int4Row
  %b_float4 = tile.alloc : !float4Block
  tile.cast %b, %b_float4 : !brains, !float4Block
  %w_b_float4 = tile.slice %float4[1, %first] : !float4 to !float4Row
  tile.copy %b_float4, %w_b_float4 : !float4Block, !float4Row
}

func.func @main(%scale: !scale {tile.name = "scale", tile.output = "2x65536"},
                %open4: !open4 {tile.name = "open4", tile.output = "2x65536"},
                %open5: !open5 {tile.name = "open5", tile.output = "2x65536"},
                %openScale: !openScale {tile.name = "openScale", tile.output = "2x65536"},
                %int4: !int4 {tile.name = "int4", tile.output = "2x65536"},
                %float4: !float4 {tile.name = "float4", tile.output = "2x65536"}) {
  %all = arith.constant 65536 : index
  %n = tile.param_value @N : index
  %items = arith.ceildivui %all, %n : index
  tile.launch @narrow grid(%items) args(%scale, %open4, %open5, %openScale, %int4, %float4)
      : !scale, !open4, !open5, !openScale, !int4, !float4
  return
}
