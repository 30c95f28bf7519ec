// Running sums of every row: y[i, j] = x[i, 0] + ... + x[i, j], for rows of any length. A work item takes @ROWS rows and walks along them in blocks of @COLS; the last sums of a
// block are added to the first elements of the next. The next block loads and the last one stores meanwhile.
tile.param @ROWS = 4
tile.param @COLS = 2048
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!block = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!column = !tile.buffer<@ROWS x 1 x !tile.param<@T>, scratch>

tile.kernel @scan_rows(%x: !matrix, %y: !matrix) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %n = tile.dim %x, 1 : !matrix
  %row = arith.muli %item, %rows : index
  %lastCol = arith.subi %cols, %c1 : index
  %xs = tile.alloc : !stages
  %ys = tile.alloc : !stages
  %carry = tile.alloc : !column
  tile.map outs(%carry : !column) {
    %none = tile.convert %zero : f32 to !tile.param<@T>
    tile.yield %none : !tile.param<@T>
  }

  %w0 = tile.slice %x[%row, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !block
  %load = tile.copy_async %w0, %xs0 : !window, !block
  %store = tile.ready : !tile.token

  %last:3 = scf.for %col = %c0 to %n step %cols
      iter_args(%tx = %load, %ty = %store, %stage = %c0) -> (!tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %col, %cols : index
    %wn = tile.slice %x[%row, %next] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !block
    %txn = tile.copy_async %wn, %xsn : !window, !block

    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !block
    %out = tile.slice %ys[%stage, 0, 0] : !stages to !block
    %first = tile.slice %in[0, 0] : !block to !column
    tile.map ins(%first, %carry : !column, !column) outs(%first : !column) {
    ^bb0(%v: !tile.param<@T>, %c: !tile.param<@T>):
      %vf = tile.convert %v : !tile.param<@T> to f32
      %cf = tile.convert %c : !tile.param<@T> to f32
      %sum = arith.addf %vf, %cf : f32
      %s = tile.convert %sum : f32 to !tile.param<@T>
      tile.yield %s : !tile.param<@T>
    }
    tile.scan <add> %in, %out dim 1 : !block, !block
    // A block that is not full is the last one, and nothing asks for its sums.
    %end = tile.slice %out[0, %lastCol] : !block to !column
    tile.copy %end, %carry : !column, !column
    tile.wait %ty
    %w = tile.slice %y[%row, %col] : !matrix to !window
    %tyn = tile.copy_async %out, %w : !block, !window
    scf.yield %txn, %tyn, %other : !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:256x16384:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %rows = tile.param_value @ROWS : index
  %m = tile.dim %x, 0 : !matrix
  %items = arith.ceildivui %m, %rows : index
  tile.launch @scan_rows grid(%items) args(%x, %y) : !matrix, !matrix
  return
}
