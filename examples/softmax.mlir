// Softmax of every row: y = exp(x - max) / sum(exp(x - max)). A work item walks blocks of @ROWS rows, held in scratch so that DRAM is read and written
// once; the next block loads and the last one stores meanwhile. Rows have at most @COLS elements; reductions see the valid ones only.
tile.param @ROWS = 4
tile.param @COLS = 1024
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!rows = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!wide = !tile.buffer<@ROWS x @COLS x f32, scratch>
!column = !tile.buffer<@ROWS x 1 x f32, scratch>

tile.kernel @softmax(%x: !matrix, %y: !matrix, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "softmax: rows are longer than COLS; raise it with --param COLS=N"
  %blocks = arith.ceildivui %m, %rows : index
  %xs = tile.alloc : !stages
  %ys = tile.alloc : !stages
  %e = tile.alloc : !wide
  %max = tile.alloc : !column
  %sum = tile.alloc : !column
  %scale = tile.alloc : !column

  %row0 = arith.muli %item, %rows : index
  %w0 = tile.slice %x[%row0, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !rows
  %load = tile.copy_async %w0, %xs0 : !window, !rows
  %store = tile.ready : !tile.token

  %last:3 = scf.for %i = %item to %blocks step %items
      iter_args(%tx = %load, %ty = %store, %stage = %c0) -> (!tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %i, %items : index
    %nextRow = arith.muli %next, %rows : index
    %wn = tile.slice %x[%nextRow, 0] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !rows
    %txn = tile.copy_async %wn, %xsn : !window, !rows

    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !rows
    %out = tile.slice %ys[%stage, 0, 0] : !stages to !rows
    tile.reduce <max> %in, %max dims [1] : !rows, !column
    tile.map ins(%in, %max : !rows, !column) outs(%e : !wide) {
    ^bb0(%v: !tile.param<@T>, %top: f32):
      %wide = tile.convert %v : !tile.param<@T> to f32
      %shifted = arith.subf %wide, %top : f32
      %exp = math.exp %shifted : f32
      tile.yield %exp : f32
    }
    tile.reduce <add> %e, %sum dims [1] : !wide, !column
    tile.map ins(%sum : !column) outs(%scale : !column) {
    ^bb0(%s: f32):
      %r = arith.divf %one, %s : f32
      tile.yield %r : f32
    }
    tile.map ins(%e, %scale : !wide, !column) outs(%out : !rows) {
    ^bb0(%v: f32, %s: f32):
      %p = arith.mulf %v, %s : f32
      %q = tile.convert %p : f32 to !tile.param<@T>
      tile.yield %q : !tile.param<@T>
    }
    tile.wait %ty
    %row = arith.muli %i, %rows : index
    %w = tile.slice %y[%row, 0] : !matrix to !window
    %tyn = tile.copy_async %out, %w : !rows, !window
    scf.yield %txn, %tyn, %other : !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:1823x781:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %items = tile.num_cores : index
  tile.launch @softmax grid(%items) args(%x, %y, %items) : !matrix, !matrix, index
  return
}
