// Matrix products of blocks that share a scale, in both arrangements of each operand; K is ragged in blocks and tiles.
tile.param @TM = 32
tile.param @TN = 48
tile.param @TK = 80
tile.param @BLOCKS = 3     // ceil(TK / 32)
tile.param @TA : type = f8E4M3FN
tile.param @TB : type = f8E4M3FN

!a = !tile.buffer<?x?x!tile.param<@TA>, global>
!b = !tile.buffer<?x?x!tile.param<@TB>, global>
!scales = !tile.buffer<?x?xf8E8M0FNU, global>
!out = !tile.buffer<?x?xf32, global>
!aWindow = !tile.buffer<@TM x @TK x !tile.param<@TA>, global>
!bWindow = !tile.buffer<@TK x @TN x !tile.param<@TB>, global>
!saWindow = !tile.buffer<@TM x @BLOCKS x f8E8M0FNU, global>
!sbWindow = !tile.buffer<@BLOCKS x @TN x f8E8M0FNU, global>
!atWindow = !tile.buffer<@TK x @TM x !tile.param<@TA>, global>
!btWindow = !tile.buffer<@TN x @TK x !tile.param<@TB>, global>
!satWindow = !tile.buffer<@BLOCKS x @TM x f8E8M0FNU, global>
!sbtWindow = !tile.buffer<@TN x @BLOCKS x f8E8M0FNU, global>
!outWindow = !tile.buffer<@TM x @TN x f32, global>
!aTile = !tile.buffer<@TM x @TK x !tile.param<@TA>, scratch>
!bTile = !tile.buffer<@TK x @TN x !tile.param<@TB>, scratch>
!saTile = !tile.buffer<@TM x @BLOCKS x f8E8M0FNU, scratch>
!sbTile = !tile.buffer<@BLOCKS x @TN x f8E8M0FNU, scratch>
!atTile = !tile.buffer<@TK x @TM x !tile.param<@TA>, scratch>
!btTile = !tile.buffer<@TN x @TK x !tile.param<@TB>, scratch>
!satTile = !tile.buffer<@BLOCKS x @TM x f8E8M0FNU, scratch>
!sbtTile = !tile.buffer<@TN x @BLOCKS x f8E8M0FNU, scratch>
!acc = !tile.buffer<@TM x @TN x f32, acc>

tile.kernel @scaled(%a: !a, %sa: !scales, %b: !b, %sb: !scales, %at: !a, %sat: !scales, %bt: !b, %sbt: !scales, %c: !out, %d: !out) grid(%i, %j) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  %as = tile.alloc : !aTile
  %bs = tile.alloc : !bTile
  %sas = tile.alloc : !saTile
  %sbs = tile.alloc : !sbTile
  %ats = tile.alloc : !atTile
  %bts = tile.alloc : !btTile
  %sats = tile.alloc : !satTile
  %sbts = tile.alloc : !sbtTile
  %acc = tile.alloc : !acc
  %wa = tile.slice %a[%row, 0] : !a to !aWindow
  %wb = tile.slice %b[0, %col] : !b to !bWindow
  %wsa = tile.slice %sa[%row, 0] : !scales to !saWindow
  %wsb = tile.slice %sb[0, %col] : !scales to !sbWindow
  tile.copy %wa, %as : !aWindow, !aTile
  tile.copy %wb, %bs : !bWindow, !bTile
  tile.copy %wsa, %sas : !saWindow, !saTile
  tile.copy %wsb, %sbs : !sbWindow, !sbTile
  tile.matmul %as, %bs, %acc scales(%sas, %sbs) block 32 : !aTile, !bTile, !acc, !saTile, !sbTile
  %wc = tile.slice %c[%row, %col] : !out to !outWindow
  tile.copy %acc, %wc : !acc, !outWindow

  %wat = tile.slice %at[0, %row] : !a to !atWindow
  %wbt = tile.slice %bt[%col, 0] : !b to !btWindow
  %wsat = tile.slice %sat[0, %row] : !scales to !satWindow
  %wsbt = tile.slice %sbt[%col, 0] : !scales to !sbtWindow
  tile.copy %wat, %ats : !atWindow, !atTile
  tile.copy %wbt, %bts : !btWindow, !btTile
  tile.copy %wsat, %sats : !satWindow, !satTile
  tile.copy %wsbt, %sbts : !sbtWindow, !sbtTile
  %t = tile.matmul_async %ats, %bts, %acc scales(%sats, %sbts) block 32 accumulate {transpose_a, transpose_b}
      : !atTile, !btTile, !acc, !satTile, !sbtTile
  tile.wait %t
  %wd = tile.slice %d[%row, %col] : !out to !outWindow
  tile.copy %acc, %wd : !acc, !outWindow
}

func.func @main(%a: !a {tile.name = "a", tile.input = "randn:40x70:seed=1"},
                %sa: !scales {tile.name = "sa", tile.input = "uniform:40x3:low=0.01:high=100:seed=2"},
                %b: !b {tile.name = "b", tile.input = "randn:70x66:seed=3"},
                %sb: !scales {tile.name = "sb", tile.input = "uniform:3x66:low=0.01:high=100:seed=4"},
                %at: !a {tile.name = "at", tile.input = "randn:70x40:seed=5"},
                %sat: !scales {tile.name = "sat", tile.input = "uniform:3x40:low=0.01:high=100:seed=6"},
                %bt: !b {tile.name = "bt", tile.input = "randn:66x70:seed=7"},
                %sbt: !scales {tile.name = "sbt", tile.input = "uniform:66x3:low=0.01:high=100:seed=8"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"},
                %d: !out {tile.name = "d", tile.output = "dim(a,0)xdim(b,1)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  tile.launch @scaled grid(%gm, %gn) args(%a, %sa, %b, %sb, %at, %sat, %bt, %sbt, %c, %d)
      : !a, !scales, !b, !scales, !a, !scales, !b, !scales, !out, !out
  return
}
