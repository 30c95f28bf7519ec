// The @K greatest elements of every row, in descending order, and their positions: a work item takes @ROWS rows. Rows have at most @COLS elements.
tile.param @ROWS = 16
tile.param @COLS = 128
tile.param @K = 8
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!places = !tile.buffer<?x?xi32, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!rows = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!best = !tile.buffer<@ROWS x @K x !tile.param<@T>, scratch>
!which = !tile.buffer<@ROWS x @K x i32, scratch>
!bestWindow = !tile.buffer<@ROWS x @K x !tile.param<@T>, global>
!whichWindow = !tile.buffer<@ROWS x @K x i32, global>

tile.kernel @topk(%x: !matrix, %values: !matrix, %positions: !places) grid(%i) {
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "topk: rows are longer than COLS; raise it with --param COLS=N"
  %row = arith.muli %i, %rows : index
  %w = tile.slice %x[%row, 0] : !matrix to !window
  %in = tile.alloc : !rows
  %best = tile.alloc : !best
  %which = tile.alloc : !which
  tile.copy %w, %in : !window, !rows
  tile.topk %in, %best, %which dim 1 {descending} : !rows, !best, !which
  %v = tile.slice %values[%row, 0] : !matrix to !bestWindow
  tile.copy %best, %v : !best, !bestWindow
  %p = tile.slice %positions[%row, 0] : !places to !whichWindow
  tile.copy %which, %p : !which, !whichWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:320x128:seed=1"},
                %values: !matrix {tile.name = "values", tile.output = "dim(x,0)x8"},
                %positions: !places {tile.name = "positions", tile.output = "dim(x,0)x8"}) {
  %rows = tile.param_value @ROWS : index
  %m = tile.dim %x, 0 : !matrix
  %items = arith.ceildivui %m, %rows : index
  tile.launch @topk grid(%items) args(%x, %values, %positions) : !matrix, !matrix, !places
  return
}
