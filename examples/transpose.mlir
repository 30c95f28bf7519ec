// The transpose of a matrix. A work item walks blocks of @ROWS x @COLS: the next block loads and the last one stores while the teams turn one in scratch, so
// that rows of whole lines move both ways. Works for every size.
tile.param @ROWS = 128
tile.param @COLS = 128
tile.param @T : type = f16

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!windowIn = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, global>
!windowOut = !tile.buffer<@COLS x @ROWS x !tile.param<@T>, global>
!block = !tile.buffer<@ROWS x @COLS x !tile.param<@T>, scratch>
!turned = !tile.buffer<@COLS x @ROWS x !tile.param<@T>, scratch>
!blocks = !tile.buffer<2 x @ROWS x @COLS x !tile.param<@T>, scratch>
!turnedBlocks = !tile.buffer<2 x @COLS x @ROWS x !tile.param<@T>, scratch>

tile.kernel @transpose(%x: !matrix, %y: !matrix, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %down = arith.ceildivui %m, %rows : index
  %across = arith.ceildivui %n, %cols : index
  %blocks = arith.muli %down, %across : index
  %xs = tile.alloc : !blocks
  %ys = tile.alloc : !turnedBlocks

  // Block b is at row b / across and column b mod across.
  %i0 = arith.divui %item, %across : index
  %j0 = arith.remui %item, %across : index
  %row0 = arith.muli %i0, %rows : index
  %col0 = arith.muli %j0, %cols : index
  %w0 = tile.slice %x[%row0, %col0] : !matrix to !windowIn
  %xs0 = tile.slice %xs[0, 0, 0] : !blocks to !block
  %load = tile.copy_async %w0, %xs0 : !windowIn, !block
  %store = tile.ready : !tile.token

  %last:5 = scf.for %b = %item to %blocks step %items
      iter_args(%tx = %load, %ty = %store, %row = %row0, %col = %col0, %stage = %c0) -> (!tile.token, !tile.token, index, index, index) {
    // Past the last block the window is empty and the copy moves nothing.
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %b, %items : index
    %i = arith.divui %next, %across : index
    %j = arith.remui %next, %across : index
    %nextRow = arith.muli %i, %rows : index
    %nextCol = arith.muli %j, %cols : index
    %wn = tile.slice %x[%nextRow, %nextCol] : !matrix to !windowIn
    %xsn = tile.slice %xs[%other, 0, 0] : !blocks to !block
    %txn = tile.copy_async %wn, %xsn : !windowIn, !block

    tile.wait %tx
    %in = tile.slice %xs[%stage, 0, 0] : !blocks to !block
    %out = tile.slice %ys[%stage, 0, 0] : !turnedBlocks to !turned
    tile.transpose %in, %out permutation [1, 0] : !block, !turned
    tile.wait %ty
    %w = tile.slice %y[%col, %row] : !matrix to !windowOut
    %tyn = tile.copy_async %out, %w : !turned, !windowOut
    scf.yield %txn, %tyn, %nextRow, %nextCol, %other : !tile.token, !tile.token, index, index, index
  }
  tile.wait %last#0, %last#1
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:2048x8000:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,1)xdim(x,0)"}) {
  %items = tile.num_cores : index
  tile.launch @transpose grid(%items) args(%x, %y, %items) : !matrix, !matrix, index
  return
}
