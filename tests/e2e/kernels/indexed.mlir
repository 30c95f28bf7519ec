// Gathers and scatters of rows and of single elements, with indices that fall outside and that repeat, from a table in global memory and on chip;
// iota, broadcast and random bits. Inputs smaller than the windows leave them partly invalid.
tile.param @N = 37
tile.param @C = 70
tile.param @T : type = f32

!table = !tile.buffer<?x?x!tile.param<@T>, global>
!tableWindow = !tile.buffer<@N x @C x !tile.param<@T>, global>
!columns = !tile.buffer<? x @C x !tile.param<@T>, global>
!tile = !tile.buffer<@N x @C x !tile.param<@T>, scratch>
!line = !tile.buffer<@N x !tile.param<@T>, scratch>
!ids = !tile.buffer<?x?xi32, global>
!idWindow = !tile.buffer<@N x @C x i32, global>
!idTile = !tile.buffer<@N x @C x i32, scratch>
!idColumn = !tile.buffer<@N x 1 x i32, scratch>
!idLine = !tile.buffer<@N x i32, scratch>
!row = !tile.buffer<1 x @C x !tile.param<@T>, scratch>
!out = !tile.buffer<?x?x?x!tile.param<@T>, global>
!outWindow = !tile.buffer<@N x @C x !tile.param<@T>, global>
!bits = !tile.buffer<?x?xi32, global>

tile.kernel @indexed(%x: !table, %ids: !ids, %y: !out, %bits: !bits, %seed: i64) grid(%i) {
  %w = tile.slice %x[0, 0] : !table to !tableWindow
  %iw = tile.slice %ids[0, 0] : !ids to !idWindow
  %in = tile.alloc : !tile
  %each = tile.alloc : !idTile
  %r = tile.alloc : !tile
  tile.copy %w, %in : !tableWindow, !tile
  tile.copy %iw, %each : !idWindow, !idTile
  %rows = tile.alloc : !idColumn
  %ic = tile.slice %each[0, 3] : !idTile to !tile.buffer<@N x 1 x i32, scratch>
  tile.copy %ic, %rows : !tile.buffer<@N x 1 x i32, scratch>, !idColumn

  // Rows of the table in global memory, rows on chip, elements along both dimensions.
  tile.gather %w, %rows, %r dim 0 : !tableWindow, !idColumn, !tile
  %y0 = tile.slice %y[0, 0, 0] : !out to !outWindow
  tile.copy %r, %y0 : !tile, !outWindow
  tile.gather %in, %rows, %r dim 0 : !tile, !idColumn, !tile
  %y1 = tile.slice %y[1, 0, 0] : !out to !outWindow
  tile.copy %r, %y1 : !tile, !outWindow
  tile.gather %in, %each, %r dim 0 : !tile, !idTile, !tile
  %y2 = tile.slice %y[2, 0, 0] : !out to !outWindow
  tile.copy %r, %y2 : !tile, !outWindow
  tile.gather %in, %each, %r dim 1 : !tile, !idTile, !tile
  %y3 = tile.slice %y[3, 0, 0] : !out to !outWindow
  tile.copy %r, %y3 : !tile, !outWindow

  // One row on top of another, then over; elements to columns.
  tile.copy %in, %r : !tile, !tile
  tile.scatter %in, %rows, %r dim 0 combine <add> : !tile, !idColumn, !tile
  %y4 = tile.slice %y[4, 0, 0] : !out to !outWindow
  tile.copy %r, %y4 : !tile, !outWindow
  tile.copy %in, %r : !tile, !tile
  tile.scatter %in, %rows, %r dim 0 : !tile, !idColumn, !tile
  %y5 = tile.slice %y[5, 0, 0] : !out to !outWindow
  tile.copy %r, %y5 : !tile, !outWindow
  tile.copy %in, %r : !tile, !tile
  tile.scatter %in, %each, %r dim 0 combine <max> : !tile, !idTile, !tile
  %y6 = tile.slice %y[6, 0, 0] : !out to !outWindow
  tile.copy %r, %y6 : !tile, !outWindow
  tile.copy %in, %r : !tile, !tile
  tile.scatter %in, %each, %r dim 1 combine <mul> : !tile, !idTile, !tile
  %y7 = tile.slice %y[7, 0, 0] : !out to !outWindow
  tile.copy %r, %y7 : !tile, !outWindow
  tile.copy %in, %r : !tile, !tile
  tile.scatter %in, %each, %r dim 1 : !tile, !idTile, !tile
  %y8 = tile.slice %y[8, 0, 0] : !out to !outWindow
  tile.copy %r, %y8 : !tile, !outWindow

  // The table's first row on all rows, then column numbers.
  %first = tile.alloc : !row
  %top = tile.slice %in[0, 0] : !tile to !tile.buffer<1 x @C x !tile.param<@T>, scratch>
  tile.copy %top, %first : !tile.buffer<1 x @C x !tile.param<@T>, scratch>, !row
  tile.broadcast %first, %r : !row, !tile
  %y9 = tile.slice %y[9, 0, 0] : !out to !outWindow
  tile.copy %r, %y9 : !tile, !outWindow
  tile.iota %r dim 1 : !tile
  %y10 = tile.slice %y[10, 0, 0] : !out to !outWindow
  tile.copy %r, %y10 : !tile, !outWindow

  %columns = arith.constant 1000 : i64
  tile.map outs(%each : !idTile) {
    %row = tile.index 0 : i64
    %column = tile.index 1 : i64
    %start = arith.muli %row, %columns : i64
    %position = arith.addi %start, %column : i64
    %word = tile.random %seed, %position : i32
    tile.yield %word : i32
  }
  %b = tile.slice %bits[0, 0] : !bits to !idWindow
  tile.copy %each, %b : !idTile, !idWindow
}

func.func @main(%x: !table {tile.name = "x", tile.input = "randn:37x70:seed=1"},
                %ids: !ids {tile.name = "ids", tile.input = "randint:37x70:low=-3:high=45:seed=2"},
                %y: !out {tile.name = "y", tile.output = "11xdim(x,0)xdim(x,1)"},
                %bits: !bits {tile.name = "bits", tile.output = "dim(x,0)xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  %seed = arith.constant 81985529216486895 : i64
  tile.launch @indexed grid(%c1) args(%x, %ids, %y, %bits, %seed) : !table, !ids, !out, !bits, i64
  return
}
