// All-reduce over the cores of a chip: row c of x is what core c contributes, and every row of y becomes the sum of all rows of x. In the first kernel each work item adds a
// piece of all rows, in ascending order (reduce-scatter); in the second each core takes the whole sum (all-gather). The end of the first launch is the barrier between them.
tile.param @CORES = 64    // at most so many rows
tile.param @COLS = 256    // of a piece
tile.param @GATHER = 4096 // of a piece in the second kernel
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!vector = !tile.buffer<?x!tile.param<@T>, global>
!piecesWindow = !tile.buffer<@CORES x @COLS x !tile.param<@T>, global>
!pieces = !tile.buffer<@CORES x @COLS x !tile.param<@T>, scratch>
!wideSum = !tile.buffer<1 x @COLS x f32, scratch>
!wideRow = !tile.buffer<@COLS x f32, scratch>
!row = !tile.buffer<@COLS x !tile.param<@T>, scratch>
!rowWindow = !tile.buffer<@COLS x !tile.param<@T>, global>

tile.kernel @reduce_scatter(%x: !matrix, %sum: !vector) grid(%item) {
  %cols = tile.param_value @COLS : index
  %most = tile.param_value @CORES : index
  %m = tile.dim %x, 0 : !matrix
  %fits = arith.cmpi ule, %m, %most : index
  tile.assert %fits, "all_reduce: more rows than CORES; raise it with --param CORES=N"
  %col = arith.muli %item, %cols : index
  %in = tile.alloc : !pieces
  %wide = tile.alloc : !wideSum
  %out = tile.alloc : !row
  %w = tile.slice %x[0, %col] : !matrix to !piecesWindow
  tile.copy %w, %in : !piecesWindow, !pieces
  tile.reduce <add> %in, %wide dims [0] : !pieces, !wideSum
  %row = tile.slice %wide[0, 0] : !wideSum to !wideRow
  tile.cast %row, %out : !wideRow, !row
  %ws = tile.slice %sum[%col] : !vector to !rowWindow
  tile.copy %out, %ws : !row, !rowWindow
}

!long = !tile.buffer<@GATHER x !tile.param<@T>, scratch>
!longStages = !tile.buffer<2 x @GATHER x !tile.param<@T>, scratch>
!longWindow = !tile.buffer<@GATHER x !tile.param<@T>, global>

tile.kernel @all_gather(%sum: !vector, %y: !matrix) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cols = tile.param_value @GATHER : index
  %n = tile.dim %y, 1 : !matrix
  %stages = tile.alloc : !longStages
  %w0 = tile.slice %sum[0] : !vector to !longWindow
  %s0 = tile.slice %stages[0, 0] : !longStages to !long
  %load = tile.copy_async %w0, %s0 : !longWindow, !long
  %store = tile.ready : !tile.token
  %last:3 = scf.for %col = %c0 to %n step %cols
      iter_args(%tl = %load, %ts = %store, %stage = %c0) -> (!tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %col, %cols : index
    %wn = tile.slice %sum[%next] : !vector to !longWindow
    %sn = tile.slice %stages[%other, 0] : !longStages to !long
    %s = tile.slice %stages[%stage, 0] : !longStages to !long
    %w = tile.slice %y[%item, %col] : !matrix to !longWindow
    tile.wait %ts
    %tln = tile.copy_async %wn, %sn : !longWindow, !long
    tile.wait %tl
    %tsn = tile.copy_async %s, %w : !long, !longWindow
    scf.yield %tln, %tsn, %other : !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:64x32768:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"}) {
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %pieces = arith.ceildivui %n, %cols : index
  %sum = tile.alloc(%n) : !vector
  tile.launch @reduce_scatter grid(%pieces) args(%x, %sum) : !matrix, !vector
  tile.launch @all_gather grid(%m) args(%sum, %y) : !vector, !matrix
  return
}
