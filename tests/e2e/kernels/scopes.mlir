// Regions inside a core: groups that work together on rows of their own, teams that join inside a region, every second team, lanes.
tile.param @ROWS = 8   // of each group
tile.param @COLS = 70

!matrix = !tile.buffer<?x?xf32, global>
!window = !tile.buffer<@ROWS x @COLS x f32, global>
!mine = !tile.buffer<@ROWS x @COLS x f32, scratch>
!sums = !tile.buffer<@ROWS x 1 x f32, scratch>
!sumsWindow = !tile.buffer<@ROWS x 1 x f32, global>

// y = x minus the mean of its row, by groups: each takes blocks of rows in turn.
tile.kernel @groups(%x: !matrix, %y: !matrix, %means: !matrix) grid(%i) {
  %c0 = arith.constant 0 : index
  %rows = tile.param_value @ROWS : index
  %m = tile.dim %x, 0 : !matrix
  %n = tile.dim %x, 1 : !matrix
  %groups = tile.num_groups : index
  %each = arith.muli %rows, %groups : index
  %items = tile.num_cores : index
  %all = arith.muli %each, %items : index
  %first = arith.muli %each, %i : index
  tile.exec group {
    %g = tile.group_id : index
    %in = tile.alloc : !mine
    %s = tile.alloc : !sums
    %out = tile.alloc : !mine
    %own = arith.muli %g, %rows : index
    %from = arith.addi %first, %own : index
    scf.for %row = %from to %m step %all {
      %w = tile.slice %x[%row, 0] : !matrix to !window
      %wy = tile.slice %y[%row, 0] : !matrix to !window
      %ws = tile.slice %means[%row, 0] : !matrix to !sumsWindow
      tile.copy %w, %in : !window, !mine
      tile.reduce <add> %in, %s dims [1] : !mine, !sums
      tile.map ins(%s : !sums) outs(%s : !sums) {
      ^bb0(%sum: f32):
        %n32 = arith.index_cast %n : index to i32
        %count = arith.sitofp %n32 : i32 to f32
        %mean = arith.divf %sum, %count : f32
        tile.yield %mean : f32
      }
      // Each team of the group takes some of the elements along with its number there.
      tile.exec team {
        %t = tile.team_id : index
        %first0 = arith.cmpi eq, %t, %c0 : index
        scf.if %first0 {
          tile.copy %s, %ws : !sums, !sumsWindow
        }
      }
      tile.map ins(%in, %s : !mine, !sums) outs(%out : !mine) {
      ^bb0(%a: f32, %mean: f32):
        %d = arith.subf %a, %mean : f32
        tile.yield %d : f32
      }
      tile.copy %out, %wy : !mine, !window
    }
  }
}

!words = !tile.buffer<?xi32, global>
!table = !tile.buffer<64xi32, scratch>

// Teams write, meet, and read what the next team wrote; then every second team, one group, and lanes.
tile.kernel @teams(%out: !words) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %table = tile.alloc : !table
  tile.fill %table, %zero : !table, i32
  tile.exec team {
    %t = tile.team_id : index
    %teams = tile.num_teams : index
    scf.for %round = %c0 to %c3 step %c1 {
      %old = tile.load %table[%t] : !table
      %number = arith.index_cast %t : index to i32
      %sum = arith.addi %old, %number : i32
      %next = arith.addi %t, %c1 : index
      %to = arith.remui %next, %teams : index
      tile.sync
      tile.store %sum, %table[%to] : !table
      tile.sync
    }
  }
  %half = tile.num_teams : index
  tile.exec team [%c0 : %half : 2] {
    %t = tile.team_id : index
    %at = arith.addi %t, %c16 : index
    tile.store %seven, %table[%at] : !table
  }
  tile.exec group [0] {
    tile.exec lane [0 : 4] {
      %l = tile.lane_id : index
      %at = arith.addi %l, %c40 : index
      %old = tile.load %table[%at] : !table
      %number = arith.index_cast %l : index to i32
      %more = arith.addi %number, %seven : i32
      %sum = arith.addi %old, %more : i32
      tile.store %sum, %table[%at] : !table
      %before = tile.atomic_rmw <add> %more, %out[%c4] order <acq_rel> scope <chip> : !words
    }
  }
  tile.exec team [0] {
    tile.exec lane [%c1 : %c3] {
      %l = tile.lane_id : index
      %at = arith.addi %l, %c40 : index
      tile.store %zero, %table[%at] : !table
    }
    %teams = tile.num_teams : index
    scf.for %k = %c0 to %teams step %c1 {
      %v = tile.load %table[%k] : !table
      %old = tile.atomic_rmw <add> %v, %out[%c0] order <relaxed> scope <core> : !words
    }
    %v16 = tile.load %table[%c16] : !table
    tile.store %v16, %out[%c1] : !words
    %two = arith.constant 2 : index
    scf.for %k = %c40 to %half step %c1 {
    }
    %c43 = arith.constant 43 : index
    %v43 = tile.load %table[%c43] : !table
    tile.store %v43, %out[%two] : !words
    %c41 = arith.constant 41 : index
    %v41 = tile.load %table[%c41] : !table
    tile.store %v41, %out[%c3] : !words
  }
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:333x70:seed=1"},
                %y: !matrix {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"},
                %means: !matrix {tile.name = "means", tile.output = "dim(x,0)x1"},
                %counts: !words {tile.name = "counts", tile.input = "zeros:5", tile.output = "5"}) {
  %c1 = arith.constant 1 : index
  %items = tile.num_cores : index
  tile.launch @groups grid(%items) args(%x, %y, %means) : !matrix, !matrix, !matrix
  tile.launch @teams grid(%c1) args(%counts) : !words
  return
}
