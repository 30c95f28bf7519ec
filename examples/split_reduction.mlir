// The sum of all elements of an array, by all cores in one launch: each adds up the blocks of rows that it walks and leaves its sum in global memory; who is the last to do so adds
// those sums, in ascending order of the cores, whoever it is. Rows have at most @COLS elements.
tile.param @ROWS = 8
tile.param @COLS = 1024
tile.param @CORES = 64    // at most so many
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<4 x @ROWS x @COLS x !tile.param<@T>, scratch>
!block = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!columns = !tile.buffer<1 x @COLS x f32, scratch>
!sums = !tile.buffer<?xf32, global>
!counter = !tile.buffer<?xi32, global>
!sumsWindow = !tile.buffer<@CORES x f32, global>
!sumsTile = !tile.buffer<@CORES x f32, scratch>
!one = !tile.buffer<1x1xf32, scratch>

tile.kernel @split_reduction(%x: !matrix, %sums: !sums, %arrived: !counter, %y: !sums, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %most = tile.param_value @CORES : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "split_reduction: rows are longer than COLS; raise it with --param COLS=N"
  %few = arith.cmpi ule, %items, %most : index
  tile.assert %few, "split_reduction: more cores than CORES; raise it with --param CORES=N"
  %blocks = arith.ceildivui %m, %rows : index
  %xs = tile.alloc : !stages
  %columnSums = tile.alloc : !columns
  %sum = tile.alloc : !one
  %all = tile.alloc : !sumsTile
  tile.fill %columnSums, %zero : !columns, f32

  // Three blocks load while one is added.
  %second = arith.addi %item, %items : index
  %third = arith.addi %second, %items : index
  %row0 = arith.muli %item, %rows : index
  %row1 = arith.muli %second, %rows : index
  %row2 = arith.muli %third, %rows : index
  %ahead = arith.muli %items, %c4 : index
  %w0 = tile.slice %x[%row0, 0] : !matrix to !window
  %w1 = tile.slice %x[%row1, 0] : !matrix to !window
  %w2 = tile.slice %x[%row2, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !block
  %xs1 = tile.slice %xs[1, 0, 0] : !stages to !block
  %xs2 = tile.slice %xs[2, 0, 0] : !stages to !block
  %t0 = tile.copy_async %w0, %xs0 : !window, !block
  %t1 = tile.copy_async %w1, %xs1 : !window, !block
  %t2 = tile.copy_async %w2, %xs2 : !window, !block
  %last:4 = scf.for %i = %item to %blocks step %items
      iter_args(%ta = %t0, %tb = %t1, %tc = %t2, %stage = %c0) -> (!tile.token, !tile.token, !tile.token, index) {
    %up = arith.addi %stage, %c1 : index
    %nextStage = arith.remui %up, %c4 : index
    %down = arith.addi %stage, %c4 : index
    %before = arith.subi %down, %c1 : index
    %free = arith.remui %before, %c4 : index
    %jump = arith.subi %ahead, %items : index
    %next = arith.addi %i, %jump : index
    %nextRow = arith.muli %next, %rows : index
    %wn = tile.slice %x[%nextRow, 0] : !matrix to !window
    %xsn = tile.slice %xs[%free, 0, 0] : !stages to !block
    %tn = tile.copy_async %wn, %xsn : !window, !block
    tile.wait %ta
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !block
    tile.reduce <add> %in, %columnSums dims [0] {accumulate} : !block, !columns
    scf.yield %tb, %tc, %tn, %nextStage : !tile.token, !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1, %last#2
  tile.reduce <add> %columnSums, %sum dims [1] : !columns, !one
  %mine = tile.load %sum[%c0, %c0] : !one
  tile.store %mine, %sums[%item] : !sums

  // The release makes this core's sum visible before its arrival, the acquire those of all who arrived before.
  %before = tile.atomic_rmw <add> %one, %arrived[%c0] order <acq_rel> scope <chip> : !counter
  %place = arith.index_cast %before : i32 to index
  %others = arith.subi %items, %c1 : index
  %isLast = arith.cmpi eq, %place, %others : index
  scf.if %isLast {
    %w = tile.slice %sums[0] : !sums to !sumsWindow
    tile.copy %w, %all : !sumsWindow, !sumsTile
    %total = scf.for %core = %c0 to %items step %c1 iter_args(%so = %zero) -> (f32) {
      %part = tile.load %all[%core] : !sumsTile
      %next = arith.addf %so, %part : f32
      scf.yield %next : f32
    }
    tile.store %total, %y[%c0] : !sums
  }
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:8192x1024:seed=1"},
                %arrived: !counter {tile.name = "arrived", tile.input = "zeros:1"},
                %y: !sums {tile.name = "y", tile.output = "1"}) {
  %items = tile.num_cores : index
  %sums = tile.alloc(%items) : !sums
  tile.launch @split_reduction grid(%items) args(%x, %sums, %arrived, %y, %items) : !matrix, !sums, !counter, !sums, index
  return
}
