// How often each of @BINS values occurs in an array, by all cores: each counts the blocks of rows that it walks, the second kernel adds the counts of the cores. Values are read as
// unsigned; those from @BINS on are not counted. Rows have at most @COLS elements.
tile.param @ROWS = 16
tile.param @COLS = 1024
tile.param @BINS = 256
tile.param @CORES = 64    // at most so many
tile.param @T : type = i8

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!stages = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!block = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!parts = !tile.buffer<?x?xi32, global>
!partWindow = !tile.buffer<@BINS x i32, global>
!part = !tile.buffer<@BINS x i32, scratch>
!partsWindow = !tile.buffer<@CORES x @BINS x i32, global>
!partsTile = !tile.buffer<@CORES x @BINS x i32, scratch>
!sum = !tile.buffer<1 x @BINS x i32, scratch>
!counts = !tile.buffer<?xi32, global>

tile.kernel @count(%x: !matrix, %parts: !parts, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %fits = arith.cmpi ule, %n, %cols : index
  tile.assert %fits, "histogram: rows are longer than COLS; raise it with --param COLS=N"
  %blocks = arith.ceildivui %m, %rows : index
  %xs = tile.alloc : !stages
  %part = tile.alloc : !part
  tile.fill %part, %none : !part, i32
  %row0 = arith.muli %item, %rows : index
  %w0 = tile.slice %x[%row0, 0] : !matrix to !window
  %xs0 = tile.slice %xs[0, 0, 0] : !stages to !block
  %load = tile.copy_async %w0, %xs0 : !window, !block
  %last:2 = scf.for %i = %item to %blocks step %items iter_args(%tx = %load, %stage = %c0) -> (!tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %i, %items : index
    %nextRow = arith.muli %next, %rows : index
    %wn = tile.slice %x[%nextRow, 0] : !matrix to !window
    %xsn = tile.slice %xs[%other, 0, 0] : !stages to !block
    %txn = tile.copy_async %wn, %xsn : !window, !block
    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !stages to !block
    tile.histogram %in, %part {accumulate} : !block, !part
    scf.yield %txn, %other : !tile.token, index
  }
  tile.wait %last#0
  %w = tile.slice %parts[%item, 0] : !parts to !partWindow
  tile.copy %part, %w : !part, !partWindow
}

tile.kernel @add_parts(%parts: !parts, %counts: !counts) grid(%item) {
  %most = tile.param_value @CORES : index
  %cores = tile.dim %parts, 0 : !parts
  %fits = arith.cmpi ule, %cores, %most : index
  tile.assert %fits, "histogram: more cores than CORES; raise it with --param CORES=N"
  %ps = tile.alloc : !partsTile
  %s = tile.alloc : !sum
  %w = tile.slice %parts[0, 0] : !parts to !partsWindow
  tile.copy %w, %ps : !partsWindow, !partsTile
  tile.reduce <add> %ps, %s dims [0] : !partsTile, !sum
  %s0 = tile.slice %s[0, 0] : !sum to !part
  %wc = tile.slice %counts[0] : !counts to !partWindow
  tile.copy %s0, %wc : !part, !partWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randint:4096x1024:low=-128:high=127:seed=1"},
                %counts: !counts {tile.name = "counts", tile.output = "256"}) {
  %c1 = arith.constant 1 : index
  %items = tile.num_cores : index
  %bins = tile.dim %counts, 0 : !counts
  %parts = tile.alloc(%items, %bins) : !parts
  tile.launch @count grid(%items) args(%x, %parts, %items) : !matrix, !parts, index
  tile.launch @add_parts grid(%c1) args(%parts, %counts) : !parts, !counts
  return
}
