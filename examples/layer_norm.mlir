// Layer norm of every row: y = (x - mean) / sqrt(var + eps) * gamma + beta, with the two-pass variance. A work item walks blocks of @ROWS rows held in
// scratch; the next block loads and the last one stores meanwhile. Rows have at most @COLS elements.
tile.param @ROWS = 8
tile.param @COLS = 1024
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!rows = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!wide = !tile.buffer<@ROWS x @COLS x f32, scratch>
!column = !tile.buffer<@ROWS x 1 x f32, scratch>
!vector = !tile.buffer<?xf32, global>
!vectorWindow = !tile.buffer<@COLS x f32, global>
!parameter = !tile.buffer<1 x @COLS x f32, scratch>
!parameterRow = !tile.buffer<@COLS x f32, scratch>

tile.kernel @layer_norm(%x: !matrix, %gamma: !vector, %beta: !vector, %y: !matrix, %eps: f32, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "layer_norm: rows are longer than COLS; raise it with --param COLS=N"
  %n64 = arith.index_cast %n : index to i64
  %nf = arith.sitofp %n64 : i64 to f32
  %inverse = arith.divf %one, %nf : f32
  %blocks = arith.ceildivui %m, %rows : index
  %xs = tile.alloc : !stages
  %ys = tile.alloc : !stages
  %centered = tile.alloc : !wide
  %square = tile.alloc : !wide
  %sum = tile.alloc : !column
  %scale = tile.alloc : !column
  %g = tile.alloc : !parameter
  %b = tile.alloc : !parameter

  %row0 = arith.muli %item, %rows : index
  %w0 = tile.slice %x[%row0, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !rows
  %load = tile.copy_async %w0, %xs0 : !window, !rows
  %store = tile.ready : !tile.token
  %gw = tile.slice %gamma[0] : !vector to !vectorWindow
  %gs = tile.slice %g[0, 0] : !parameter to !parameterRow
  tile.copy %gw, %gs : !vectorWindow, !parameterRow
  %bw = tile.slice %beta[0] : !vector to !vectorWindow
  %bs = tile.slice %b[0, 0] : !parameter to !parameterRow
  tile.copy %bw, %bs : !vectorWindow, !parameterRow

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
    tile.reduce <add> %in, %sum dims [1] : !rows, !column
    tile.map ins(%in, %sum : !rows, !column) outs(%centered, %square : !wide, !wide) {
    ^bb0(%v: !tile.param<@T>, %s: f32):
      %wide = tile.convert %v : !tile.param<@T> to f32
      %mean = arith.mulf %s, %inverse : f32
      %d = arith.subf %wide, %mean : f32
      %d2 = arith.mulf %d, %d : f32
      tile.yield %d, %d2 : f32, f32
    }
    tile.reduce <add> %square, %sum dims [1] : !wide, !column
    tile.map ins(%sum : !column) outs(%scale : !column) {
    ^bb0(%s: f32):
      %variance = arith.mulf %s, %inverse : f32
      %safe = arith.addf %variance, %eps : f32
      %r = math.rsqrt %safe : f32
      tile.yield %r : f32
    }
    tile.map ins(%centered, %scale, %g, %b : !wide, !column, !parameter, !parameter) outs(%out : !rows) {
    ^bb0(%d: f32, %r: f32, %gv: f32, %bv: f32):
      %unit = arith.mulf %d, %r : f32
      %scaled = arith.mulf %unit, %gv : f32
      %shifted = arith.addf %scaled, %bv : f32
      %q = tile.convert %shifted : f32 to !tile.param<@T>
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

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:4096x1024:seed=1"},
                %gamma: !vector {tile.name = "gamma", tile.input = "randn:1024:seed=2"},
                %beta: !vector {tile.name = "beta", tile.input = "randn:1024:seed=3"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %eps = arith.constant 1.0e-5 : f32
  %items = tile.num_cores : index
  tile.launch @layer_norm grid(%items) args(%x, %gamma, %beta, %y, %eps, %items)
      : !matrix, !vector, !vector, !matrix, f32, index
  return
}
