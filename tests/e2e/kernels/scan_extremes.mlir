// Running minima and maxima along rows and columns over numbers of every kind: the same bits in whatever order they are combined.
tile.param @R = 9
tile.param @C = 70
tile.param @T : type = f32
tile.param @U : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!rows = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!bests = !tile.buffer<@R x @C x !tile.param<@U>, scratch>
!out = !tile.buffer<?x?x?x!tile.param<@U>, global>
!outWindow = !tile.buffer<@R x @C x !tile.param<@U>, global>

tile.kernel @scan_extremes(%x: !matrix, %y: !out) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !rows
  %s = tile.alloc : !bests
  tile.copy %w, %in : !window, !rows
  tile.scan <min> %in, %s dim 1 {exclusive} : !rows, !bests
  %y0 = tile.slice %y[0, 0, 0] : !out to !outWindow
  tile.copy %s, %y0 : !bests, !outWindow
  tile.scan <max> %in, %s dim 1 : !rows, !bests
  %y1 = tile.slice %y[1, 0, 0] : !out to !outWindow
  tile.copy %s, %y1 : !bests, !outWindow
  tile.scan <min> %in, %s dim 0 : !rows, !bests
  %y2 = tile.slice %y[2, 0, 0] : !out to !outWindow
  tile.copy %s, %y2 : !bests, !outWindow
  tile.scan <max> %in, %s dim 0 {exclusive, reverse} : !rows, !bests
  %y3 = tile.slice %y[3, 0, 0] : !out to !outWindow
  tile.copy %s, %y3 : !bests, !outWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "special:9x70:seed=1"},
                %y: !out {tile.name = "y", tile.output = "4xdim(x,0)xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @scan_extremes grid(%c1) args(%x, %y) : !matrix, !out
  return
}
