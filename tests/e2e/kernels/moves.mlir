// Transposes and conversions on the harts, between buffers that are partly valid, and maps with scalar and per-row values.
tile.param @R = 20
tile.param @C = 37
tile.param @T : type = f32
tile.param @U : type = f16

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!rows = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!turned = !tile.buffer<@C x @R x !tile.param<@T>, scratch>
!turnedCast = !tile.buffer<@C x @R x !tile.param<@U>, scratch>
!out = !tile.buffer<?x?x!tile.param<@U>, global>
!outWindow = !tile.buffer<@C x @R x !tile.param<@U>, global>

tile.kernel @moves(%x: !matrix, %y: !out) grid(%i) {
  %in = tile.alloc : !rows
  %turned = tile.alloc : !turned
  %cast = tile.alloc : !turnedCast
  %w = tile.slice %x[0, 0] : !matrix to !window
  tile.copy %w, %in : !window, !rows
  tile.transpose %in, %turned permutation [1, 0] : !rows, !turned
  tile.cast %turned, %cast : !turned, !turnedCast
  %o = tile.slice %y[0, 0] : !out to !outWindow
  tile.copy %cast, %o : !turnedCast, !outWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "special:20x37:seed=1"},
                %y: !out {tile.name = "y", tile.output = "dim(x,1)xdim(x,0)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @moves grid(%c1) args(%x, %y) : !matrix, !out
  return
}
