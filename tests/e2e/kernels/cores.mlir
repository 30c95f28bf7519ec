// Cores that wait for each other within a launch.
!part = !tile.buffer<1x64xi32, global>
!row = !tile.buffer<1x64xi32, scratch>
!table2 = !tile.buffer<?x64xi32, global>
!all = !tile.buffer<64x64xi32, global>
!allIn = !tile.buffer<64x64xi32, scratch>

// Every core writes its row; then core 0 adds all of them up; then every core adds the sum to its row.
tile.kernel @chip(%x: !table2, %sum: !table2, %y: !table2) grid(%i) {
  %in = tile.alloc : !row
  %total = tile.alloc : !row
  %wx = tile.slice %x[%i, 0] : !table2 to !part
  %wy = tile.slice %y[%i, 0] : !table2 to !part
  tile.copy %wx, %in : !part, !row
  tile.map ins(%in : !row) outs(%in : !row) {
  ^bb0(%a: i32):
    %d = arith.addi %a, %a : i32
    tile.yield %d : i32
  }
  tile.copy %in, %wy : !row, !part
  tile.exec chip {
    tile.exec core [0] {
      %rows = tile.alloc : !allIn
      %w = tile.slice %y[0, 0] : !table2 to !all
      %ws = tile.slice %sum[0, 0] : !table2 to !part
      tile.copy %w, %rows : !all, !allIn
      tile.reduce <add> %rows, %total dims [0] : !allIn, !row
      tile.copy %total, %ws : !row, !part
    }
    tile.exec core {
      %ws = tile.slice %sum[0, 0] : !table2 to !part
      tile.copy %ws, %total : !part, !row
    }
    tile.sync
    tile.exec core [0 : 4 : 2] {
      tile.copy %total, %wy : !row, !part
    }
  }
  tile.exec cluster {
    tile.exec core {
      tile.copy %wy, %in : !part, !row
    }
  }
  tile.map ins(%in, %total : !row, !row) outs(%in : !row) {
  ^bb0(%a: i32, %s: i32):
    %d = arith.addi %a, %s : i32
    tile.yield %d : i32
  }
  tile.copy %in, %wy : !row, !part
}

func.func @main(%table: !table2 {tile.name = "table", tile.input = "randint:4x64:low=-1000:high=1000:seed=2"},
                %sum: !table2 {tile.name = "sum", tile.output = "1x64"},
                %rows: !table2 {tile.name = "rows", tile.output = "dim(table,0)x64"}) {
  %cores = tile.dim %table, 0 : !table2
  tile.launch @chip grid(%cores) args(%table, %sum, %rows) : !table2, !table2, !table2
  return
}
