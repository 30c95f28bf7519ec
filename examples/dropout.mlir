// Dropout: y = x / (1 - p) where random bits of the element's position say so, else 0. The bits depend on seed and position alone: the same whatever the
// tile size, the number of cores or the target. p is 0.25, as a fraction of 2^32.
tile.param @ROWS = 16
tile.param @COLS = 256
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!tile = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>

tile.kernel @dropout(%x: !matrix, %y: !matrix, %seed: i64) grid(%j, %i) {
  %threshold = arith.constant 1073741824 : i32
  %scale = arith.constant 1.33333337 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %n = tile.dim %x, 1 : !matrix
  %row = arith.muli %i, %rows : index
  %col = arith.muli %j, %cols : index
  %w = tile.slice %x[%row, %col] : !matrix to !window
  %t = tile.alloc : !tile
  tile.copy %w, %t : !window, !tile
  tile.map ins(%t : !tile) outs(%t : !tile) {
  ^bb0(%v: !tile.param<@T>):
    %r = tile.index 0 : index
    %c = tile.index 1 : index
    %gr = arith.addi %r, %row : index
    %gc = arith.addi %c, %col : index
    %start = arith.muli %gr, %n : index
    %flat = arith.addi %start, %gc : index
    %position = arith.index_cast %flat : index to i64
    %bits = tile.random %seed, %position : i32
    %keep = arith.cmpi uge, %bits, %threshold : i32
    %f = tile.convert %v : !tile.param<@T> to f32
    %s = arith.mulf %f, %scale : f32
    %k = arith.select %keep, %s, %zero : f32
    %o = tile.convert %k : f32 to !tile.param<@T>
    tile.yield %o : !tile.param<@T>
  }
  %o = tile.slice %y[%row, %col] : !matrix to !window
  tile.copy %t, %o : !tile, !window
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:100x1000:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %seed = arith.constant 42 : i64
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %gi = arith.ceildivui %m, %rows : index
  %gj = arith.ceildivui %n, %cols : index
  tile.launch @dropout grid(%gj, %gi) args(%x, %y, %seed) : !matrix, !matrix, i64
  return
}
