// Running sums over a whole array, by all cores: y[k] = x[0] + ... + x[k] in row-major order. The array comes as a matrix whose rows follow one another. Every core has its share of
// rows; the first kernel adds each share up, the second starts from the sum of the shares before its own and scans. Rows have at most @COLS elements.
tile.param @ROWS = 4
tile.param @COLS = 2048
tile.param @SHARES = 64   // at most so many
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!block = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!column = !tile.buffer<@ROWS x 1 x !tile.param<@T>, scratch>
!columns = !tile.buffer<1 x @COLS x !tile.param<@T>, scratch>
!one = !tile.buffer<1 x 1 x !tile.param<@T>, scratch>
!sums = !tile.buffer<?x?x!tile.param<@T>, global>
!sumsWindow = !tile.buffer<@SHARES x 1 x !tile.param<@T>, global>
!before = !tile.buffer<@SHARES x 1 x !tile.param<@T>, scratch>
!oneWindow = !tile.buffer<1 x 1 x !tile.param<@T>, global>

tile.kernel @add_shares(%x: !matrix, %sums: !sums, %share: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "scan: rows are longer than COLS; raise it with --param COLS=N"
  %m = tile.dim %x, 0 : !matrix
  %first = arith.muli %item, %share : index
  %past = arith.addi %first, %share : index
  %end = arith.minui %past, %m : index
  %xs = tile.alloc : !stages
  %columnSums = tile.alloc : !columns
  %sum = tile.alloc : !one
  tile.map outs(%columnSums : !columns) {
    %none = tile.convert %zero : f32 to !tile.param<@T>
    tile.yield %none : !tile.param<@T>
  }
  %w0 = tile.slice %x[%first, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !block
  %load = tile.copy_async %w0, %xs0 : !window, !block
  %last:2 = scf.for %row = %first to %end step %rows iter_args(%tx = %load, %stage = %c0) -> (!tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %row, %rows : index
    %wn = tile.slice %x[%next, 0] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !block
    %txn = tile.copy_async %wn, %xsn : !window, !block
    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !block
    tile.reduce <add> %in, %columnSums dims [0] {accumulate} : !block, !columns
    scf.yield %txn, %other : !tile.token, index
  }
  tile.wait %last#0
  tile.reduce <add> %columnSums, %sum dims [1] : !columns, !one
  %w = tile.slice %sums[%item, 0] : !sums to !oneWindow
  tile.copy %sum, %w : !one, !oneWindow
}

tile.kernel @scan(%x: !matrix, %sums: !sums, %y: !matrix, %share: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.param_value @ROWS : index
  %most = tile.param_value @SHARES : index
  %items = tile.dim %sums, 0 : !sums
  %fits = arith.cmpi ule, %items, %most : index
  tile.assert %fits, "scan: more cores than SHARES; raise it with --param SHARES=N"
  %m = tile.dim %x, 0 : !matrix
  %first = arith.muli %item, %share : index
  %past = arith.addi %first, %share : index
  %end = arith.minui %past, %m : index
  %xs = tile.alloc : !stages
  %ys = tile.alloc : !stages
  %before = tile.alloc : !before
  %rowSums = tile.alloc : !column
  %starts = tile.alloc : !column
  %carry = tile.alloc : !one

  %w0 = tile.slice %x[%first, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !block
  %load = tile.copy_async %w0, %xs0 : !window, !block
  %store = tile.ready : !tile.token

  // The @SHARES sums that end before this share's: those that would lie before the first are zero.
  %origin = arith.subi %item, %most : index
  %ws = tile.slice %sums[%origin, 0] : !sums to !sumsWindow
  tile.copy %ws, %before : !sumsWindow, !before
  tile.reduce <add> %before, %carry dims [0] : !before, !one

  %last:3 = scf.for %row = %first to %end step %rows
      iter_args(%tx = %load, %ty = %store, %stage = %c0) -> (!tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %row, %rows : index
    %wn = tile.slice %x[%next, 0] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !block
    %txn = tile.copy_async %wn, %xsn : !window, !block

    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !block
    %out = tile.slice %ys[%stage, 0, 0] : !stages to !block
    // Every row starts with what comes before it: its first element takes that.
    tile.reduce <add> %in, %rowSums dims [1] : !block, !column
    tile.scan <add> %rowSums, %starts dim 0 {exclusive} : !column, !column
    %first0 = tile.slice %in[0, 0] : !block to !column
    tile.map ins(%first0, %starts, %carry : !column, !column, !one) outs(%first0 : !column) {
    ^bb0(%v: !tile.param<@T>, %start: !tile.param<@T>, %all: !tile.param<@T>):
      %vf = tile.convert %v : !tile.param<@T> to f32
      %sf = tile.convert %start : !tile.param<@T> to f32
      %af = tile.convert %all : !tile.param<@T> to f32
      %inBlock = arith.addf %sf, %af : f32
      %sum = arith.addf %vf, %inBlock : f32
      %s = tile.convert %sum : f32 to !tile.param<@T>
      tile.yield %s : !tile.param<@T>
    }
    tile.reduce <add> %rowSums, %carry dims [0] {accumulate} : !column, !one
    tile.scan <add> %in, %out dim 1 : !block, !block
    tile.wait %ty
    %w = tile.slice %y[%row, 0] : !matrix to !window
    %tyn = tile.copy_async %out, %w : !block, !window
    scf.yield %txn, %tyn, %other : !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:2048x2000:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  %items = tile.num_cores : index
  // Whole blocks each, so that no two cores have rows of one block.
  %rows = tile.param_value @ROWS : index
  %m = tile.dim %x, 0 : !matrix
  %blocks = arith.ceildivui %m, %rows : index
  %blocksEach = arith.ceildivui %blocks, %items : index
  %share = arith.muli %blocksEach, %rows : index
  %sums = tile.alloc(%items, %c1) : !sums
  tile.launch @add_shares grid(%items) args(%x, %sums, %share) : !matrix, !sums, index
  tile.launch @scan grid(%items) args(%x, %sums, %y, %share) : !matrix, !sums, !matrix, index
  return
}
