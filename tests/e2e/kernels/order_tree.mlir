// Sums and products in the order `tree`, which leaves nothing to how many teams or lanes compute them: along rows, columns
// and both, with the old value, from narrow elements into wide ones, of windows that are partly invalid.
tile.param @R = 6
tile.param @C = 1100
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!tile = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!column = !tile.buffer<@R x 1 x f32, scratch>
!row = !tile.buffer<1 x @C x f32, scratch>
!one = !tile.buffer<1x1xf32, scratch>
!out = !tile.buffer<?x?xf32, global>
!columnWindow = !tile.buffer<@R x 1 x f32, global>
!rowWindow = !tile.buffer<1 x @C x f32, global>
!oneWindow = !tile.buffer<1x1xf32, global>

tile.kernel @order_tree(%x: !matrix, %alongRows: !out, %alongColumns: !out, %whole: !out) grid(%i) {
  %half = arith.constant 0.5 : f32
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !tile
  tile.copy %w, %in : !window, !tile
  %c = tile.alloc : !column
  tile.reduce <add> %in, %c dims [1] order <tree> : !tile, !column
  %c0 = tile.slice %alongRows[0, 0] : !out to !columnWindow
  tile.copy %c, %c0 : !column, !columnWindow
  tile.reduce <mul> %in, %c dims [1] order <tree> : !tile, !column
  %c1 = tile.slice %alongRows[0, 1] : !out to !columnWindow
  tile.copy %c, %c1 : !column, !columnWindow
  tile.fill %c, %half : !column, f32
  tile.reduce <add> %in, %c dims [1] order <tree> {accumulate} : !tile, !column
  %c2 = tile.slice %alongRows[0, 2] : !out to !columnWindow
  tile.copy %c, %c2 : !column, !columnWindow
  %r = tile.alloc : !row
  tile.reduce <add> %in, %r dims [0] order <tree> : !tile, !row
  %r0 = tile.slice %alongColumns[0, 0] : !out to !rowWindow
  tile.copy %r, %r0 : !row, !rowWindow
  %o = tile.alloc : !one
  tile.reduce <add> %in, %o dims [0, 1] order <tree> : !tile, !one
  %o0 = tile.slice %whole[0, 0] : !out to !oneWindow
  tile.copy %o, %o0 : !one, !oneWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:5x1000:seed=1"},
                %alongRows: !out {tile.name = "alongRows", tile.output = "dim(x,0)x3"},
                %alongColumns: !out {tile.name = "alongColumns", tile.output = "1xdim(x,1)"},
                %whole: !out {tile.name = "whole", tile.output = "1x1"}) {
  %c1 = arith.constant 1 : index
  tile.launch @order_tree grid(%c1) args(%x, %alongRows, %alongColumns, %whole) : !matrix, !out, !out, !out
  return
}
