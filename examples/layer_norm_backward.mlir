// Gradients of layer norm: with u = (x - mean) / sqrt(var + eps) of every row and w = dy * gamma,
//   dx = (w - mean(w) - u * mean(w * u)) / sqrt(var + eps), dgamma = sum over rows of dy * u, dbeta = sum over rows of dy.
// A work item walks blocks of @ROWS rows held in scratch, as in layer_norm.mlir, and keeps its own sums for dgamma and dbeta; a second kernel adds those of the
// items. Rows have at most @COLS elements.
tile.param @ROWS = 8
tile.param @COLS = 1024
tile.param @ITEMS = 64    // at most so many cores
tile.param @SUMCOLS = 64  // columns that an item of the second kernel adds
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
!parts = !tile.buffer<?x?x?xf32, global>

tile.kernel @gradients(%x: !matrix, %dy: !matrix, %gamma: !vector, %dx: !matrix, %parts: !parts, %eps: f32, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "layer_norm_backward: rows are longer than COLS; raise it with --param COLS=N"
  %n64 = arith.index_cast %n : index to i64
  %nf = arith.sitofp %n64 : i64 to f32
  %inverse = arith.divf %one, %nf : f32
  %blocks = arith.ceildivui %m, %rows : index
  %xs = tile.alloc : !stages
  %dys = tile.alloc : !stages
  %dxs = tile.alloc : !stages
  %unit = tile.alloc : !wide
  %weighted = tile.alloc : !wide
  %product = tile.alloc : !wide
  %perGamma = tile.alloc : !wide
  %sum = tile.alloc : !column
  %sumProduct = tile.alloc : !column
  %scale = tile.alloc : !column
  %g = tile.alloc : !parameter
  %dgamma = tile.alloc : !parameter
  %dbeta = tile.alloc : !parameter
  tile.fill %dgamma, %zero : !parameter, f32
  tile.fill %dbeta, %zero : !parameter, f32

  %row0 = arith.muli %item, %rows : index
  %wx0 = tile.slice %x[%row0, 0] : !matrix to !window
  %wdy0 = tile.slice %dy[%row0, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !rows
  %dys0 = tile.slice %dys[0, 0, 0] : !stages to !rows
  %loadX = tile.copy_async %wx0, %xs0 : !window, !rows
  %loadDy = tile.copy_async %wdy0, %dys0 : !window, !rows
  %store = tile.ready : !tile.token
  %gw = tile.slice %gamma[0] : !vector to !vectorWindow
  %gs = tile.slice %g[0, 0] : !parameter to !parameterRow
  tile.copy %gw, %gs : !vectorWindow, !parameterRow

  %last:4 = scf.for %i = %item to %blocks step %items
      iter_args(%tx = %loadX, %tdy = %loadDy, %tdx = %store, %stage = %c0) -> (!tile.token, !tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %i, %items : index
    %nextRow = arith.muli %next, %rows : index
    %wx = tile.slice %x[%nextRow, 0] : !matrix to !window
    %wdy = tile.slice %dy[%nextRow, 0] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !rows
    %dysn = tile.slice %dys[%other, 0, 0] : !stages to !rows
    %txn = tile.copy_async %wx, %xsn : !window, !rows
    %tdyn = tile.copy_async %wdy, %dysn : !window, !rows

    // x - mean and 1 / sqrt(var + eps), the variance in two passes.
    tile.wait %tx, %tdy
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !rows
    %grad = tile.slice %dys[%stage, 0, 0] : !stages to !rows
    %out = tile.slice %dxs[%stage, 0, 0] : !stages to !rows
    tile.reduce <add> %in, %sum dims [1] : !rows, !column
    tile.map ins(%in, %sum : !rows, !column) outs(%unit, %product : !wide, !wide) {
    ^bb0(%v: !tile.param<@T>, %s: f32):
      %f = tile.convert %v : !tile.param<@T> to f32
      %mean = arith.mulf %s, %inverse : f32
      %d = arith.subf %f, %mean : f32
      %d2 = arith.mulf %d, %d : f32
      tile.yield %d, %d2 : f32, f32
    }
    tile.reduce <add> %product, %sum dims [1] : !wide, !column
    tile.map ins(%sum : !column) outs(%scale : !column) {
    ^bb0(%s: f32):
      %variance = arith.mulf %s, %inverse : f32
      %safe = arith.addf %variance, %eps : f32
      %r = math.rsqrt %safe : f32
      tile.yield %r : f32
    }

    // u, w, w * u and dy * u, and their sums.
    tile.map ins(%unit, %scale, %grad, %g : !wide, !column, !rows, !parameter)
             outs(%unit, %weighted, %product, %perGamma : !wide, !wide, !wide, !wide) {
    ^bb0(%d: f32, %r: f32, %v: !tile.param<@T>, %gv: f32):
      %f = tile.convert %v : !tile.param<@T> to f32
      %u = arith.mulf %d, %r : f32
      %w = arith.mulf %f, %gv : f32
      %wu = arith.mulf %w, %u : f32
      %fu = arith.mulf %f, %u : f32
      tile.yield %u, %w, %wu, %fu : f32, f32, f32, f32
    }
    tile.reduce <add> %weighted, %sum dims [1] : !wide, !column
    tile.reduce <add> %product, %sumProduct dims [1] : !wide, !column
    tile.reduce <add> %perGamma, %dgamma dims [0] {accumulate} : !wide, !parameter
    tile.reduce <add> %grad, %dbeta dims [0] {accumulate} : !rows, !parameter

    tile.map ins(%weighted, %unit, %sum, %sumProduct, %scale : !wide, !wide, !column, !column, !column) outs(%out : !rows) {
    ^bb0(%w: f32, %u: f32, %s: f32, %sp: f32, %r: f32):
      %mean = arith.mulf %s, %inverse : f32
      %meanProduct = arith.mulf %sp, %inverse : f32
      %along = arith.mulf %u, %meanProduct : f32
      %rest = arith.subf %w, %mean : f32
      %free = arith.subf %rest, %along : f32
      %scaled = arith.mulf %free, %r : f32
      %q = tile.convert %scaled : f32 to !tile.param<@T>
      tile.yield %q : !tile.param<@T>
    }
    tile.wait %tdx
    %row = arith.muli %i, %rows : index
    %w = tile.slice %dx[%row, 0] : !matrix to !window
    %tdxn = tile.copy_async %out, %w : !rows, !window
    scf.yield %txn, %tdyn, %tdxn, %other : !tile.token, !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1, %last#2

  %dgammaRow = tile.slice %dgamma[0, 0] : !parameter to !parameterRow
  %wg = tile.slice %parts[0, %item, 0] : !parts to !vectorWindow
  tile.copy %dgammaRow, %wg : !parameterRow, !vectorWindow
  %dbetaRow = tile.slice %dbeta[0, 0] : !parameter to !parameterRow
  %wb = tile.slice %parts[1, %item, 0] : !parts to !vectorWindow
  tile.copy %dbetaRow, %wb : !parameterRow, !vectorWindow
}

!partsWindow = !tile.buffer<@ITEMS x @SUMCOLS x f32, global>
!partsTile = !tile.buffer<@ITEMS x @SUMCOLS x f32, scratch>
!sumWindow = !tile.buffer<@SUMCOLS x f32, global>
!sum = !tile.buffer<1 x @SUMCOLS x f32, scratch>
!sumRow = !tile.buffer<@SUMCOLS x f32, scratch>

// which: 0 for dgamma, 1 for dbeta.
tile.kernel @add_parts(%parts: !parts, %which: index, %y: !vector) grid(%item) {
  %most = tile.param_value @ITEMS : index
  %items = tile.dim %parts, 1 : !parts
  %fits = arith.cmpi ule, %items, %most : index
  tile.assert %fits, "layer_norm_backward: more cores than ITEMS; raise it with --param ITEMS=N"
  %cols = tile.param_value @SUMCOLS : index
  %col = arith.muli %item, %cols : index
  %ps = tile.alloc : !partsTile
  %s = tile.alloc : !sum
  %w = tile.slice %parts[%which, 0, %col] : !parts to !partsWindow
  tile.copy %w, %ps : !partsWindow, !partsTile
  tile.reduce <add> %ps, %s dims [0] : !partsTile, !sum
  %row = tile.slice %s[0, 0] : !sum to !sumRow
  %wy = tile.slice %y[%col] : !vector to !sumWindow
  tile.copy %row, %wy : !sumRow, !sumWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:4096x1024:seed=1"},
                %dy: !matrix {tile.name = "dy", tile.input = "randn:4096x1024:seed=2"},
                %gamma: !vector {tile.name = "gamma", tile.input = "randn:1024:seed=3"},
                %dx: !matrix {tile.name = "dx", tile.output = "dim(x,0)xdim(x,1)"},
                %dgamma: !vector {tile.name = "dgamma", tile.output = "dim(x,1)"},
                %dbeta: !vector {tile.name = "dbeta", tile.output = "dim(x,1)"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %eps = arith.constant 1.0e-5 : f32
  %items = tile.num_cores : index
  %n = tile.dim %x, 1 : !matrix
  %parts = tile.alloc(%c2, %items, %n) : !parts
  tile.launch @gradients grid(%items) args(%x, %dy, %gamma, %dx, %parts, %eps, %items)
      : !matrix, !matrix, !vector, !matrix, !parts, f32, index
  %cols = tile.param_value @SUMCOLS : index
  %across = arith.ceildivui %n, %cols : index
  tile.launch @add_parts grid(%across) args(%parts, %c0, %dgamma) : !parts, index, !vector
  tile.launch @add_parts grid(%across) args(%parts, %c1, %dbeta) : !parts, index, !vector
  return
}
