// Grouped GEMM: rows offsets[e] to offsets[e + 1] of C are those rows of A times B[e], for any number of groups (experts) of any size, empty ones as well. How many rows
// a group has is known on the chip alone: a work item takes a slot (%slot, %j), finds in the offsets which tile of rows the slot stands for, and does nothing
// when the slots are more than the tiles. Rows of the next group are neither read nor written: a window of a window ends where the outer one does.
//   forerun run examples/grouped_gemm/grouped_gemm.mlir --target=datacenter --check
tile.param @GROUPS = 64    // at most so many
tile.param @MAX = 16777216 // no extent is greater
tile.param @TM = 128
tile.param @TN = 128
tile.param @TK = 64
tile.param @STAGES = 3
tile.param @T : type = f16
tile.param @ACC : type = f32
tile.param @OUT : type = f16

!rows = !tile.buffer<?x?x!tile.param<@T>, global>
!weights = !tile.buffer<?x?x?x!tile.param<@T>, global>
!out = !tile.buffer<?x?x!tile.param<@OUT>, global>
!offsets = !tile.buffer<?xi32, global>
!ends = !tile.buffer<@GROUPS x i32, scratch>
!endsWindow = !tile.buffer<@GROUPS x i32, global>
!groupA = !tile.buffer<@MAX x @MAX x !tile.param<@T>, global>
!groupC = !tile.buffer<@MAX x @MAX x !tile.param<@OUT>, global>
!windowA = !tile.buffer<@TM x @TK x !tile.param<@T>, global>
!windowB = !tile.buffer<@TK x @TN x !tile.param<@T>, global>
!windowC = !tile.buffer<@TM x @TN x !tile.param<@OUT>, global>
!stagesA = !tile.buffer<@STAGES x @TM x @TK x !tile.param<@T>, scratch>
!stagesB = !tile.buffer<@STAGES x @TK x @TN x !tile.param<@T>, scratch>
!tileA = !tile.buffer<@TM x @TK x !tile.param<@T>, scratch>
!tileB = !tile.buffer<@TK x @TN x !tile.param<@T>, scratch>
!acc = !tile.buffer<@TM x @TN x !tile.param<@ACC>, acc>

tile.kernel @grouped_gemm(%a: !rows, %b: !weights, %offsets: !offsets, %c: !out) grid(%j, %slot) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %stages = tile.param_value @STAGES : index
  %most = tile.param_value @GROUPS : index
  %groups = tile.dim %b, 0 : !weights
  %fits = arith.cmpi ule, %groups, %most : index
  tile.assert %fits, "grouped_gemm: more groups than GROUPS; raise it with --param GROUPS=N"
  %ends = tile.alloc : !ends
  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %acc = tile.alloc : !acc

  // Which group's tile is the slot's: its number, its first row and its rows, none when there are fewer tiles.
  %we = tile.slice %offsets[1] : !offsets to !endsWindow
  tile.copy %we, %ends : !endsWindow, !ends
  %begin32 = tile.load %offsets[%c0] : !offsets
  %begin0 = arith.index_cast %begin32 : i32 to index
  %found:5 = scf.for %e = %c0 to %groups step %c1 iter_args(%begin = %begin0, %tiles = %c0, %group = %c0, %first = %c0, %end = %c0)
      -> (index, index, index, index, index) {
    %end32 = tile.load %ends[%e] : !ends
    %endHere = arith.index_cast %end32 : i32 to index
    %size = arith.subi %endHere, %begin : index
    %these = arith.ceildivui %size, %tm : index
    %after = arith.addi %tiles, %these : index
    %atOrPast = arith.cmpi uge, %slot, %tiles : index
    %before = arith.cmpi ult, %slot, %after : index
    %here = arith.andi %atOrPast, %before : i1
    %tile = arith.subi %slot, %tiles : index
    %down = arith.muli %tile, %tm : index
    %firstHere = arith.addi %begin, %down : index
    %groupNext = arith.select %here, %e, %group : index
    %firstNext = arith.select %here, %firstHere, %first : index
    %endNext = arith.select %here, %endHere, %end : index
    scf.yield %endHere, %after, %groupNext, %firstNext, %endNext : index, index, index, index, index
  }
  // Rows of A and C up to the group's end; the tile's are those from %row on.
  %any = arith.cmpi ult, %slot, %found#1 : index
  %max = tile.param_value @MAX : index
  %m = tile.dim %a, 0 : !rows
  %all = arith.cmpi ule, %m, %max : index
  tile.assert %all, "grouped_gemm: more rows than MAX; raise it with --param MAX=N"
  %above = arith.subi %found#4, %max : index
  %row = arith.subi %found#3, %above : index
  %groupA = tile.slice %a[%above, 0] : !rows to !groupA
  %groupC = tile.slice %c[%above, 0] : !out to !groupC
  %col = arith.muli %j, %tn : index
  // At least one block, so that K = 0 gives zeros.
  %k = tile.dim %a, 1 : !rows
  %blocksUp = arith.ceildivui %k, %tk : index
  %blocks = arith.maxui %blocksUp, %c1 : index

  scf.if %any {
    %wa0 = tile.slice %groupA[%row, 0] : !groupA to !windowA
    %wb0 = tile.slice %b[%found#2, 0, %col] : !weights to !windowB
    %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
    %bs0 = tile.slice %bs[0, 0, 0] : !stagesB to !tileB
    %loadA0 = tile.copy_async %wa0, %as0 : !windowA, !tileA
    %loadB0 = tile.copy_async %wb0, %bs0 : !windowB, !tileB
    %none0 = tile.ready : !tile.token
    %none1 = tile.ready : !tile.token

    // As in gemm.mlir: the product of block n-2 frees the stage that block n+1 is loaded into while block n is multiplied.
    %last:5 = scf.for %block = %c0 to %blocks step %c1
        iter_args(%ta = %loadA0, %tb = %loadB0, %product0 = %none0, %product1 = %none1, %stage = %c0)
        -> (!tile.token, !tile.token, !tile.token, !tile.token, index) {
      %next = arith.addi %block, %c1 : index
      %kNext = arith.muli %next, %tk : index
      %stageUp = arith.addi %stage, %c1 : index
      %wraps = arith.cmpi eq, %stageUp, %stages : index
      %nextStage = arith.select %wraps, %c0, %stageUp : index
      %wa = tile.slice %groupA[%row, %kNext] : !groupA to !windowA
      %wb = tile.slice %b[%found#2, %kNext, %col] : !weights to !windowB
      %saNext = tile.slice %as[%nextStage, 0, 0] : !stagesA to !tileA
      %sbNext = tile.slice %bs[%nextStage, 0, 0] : !stagesB to !tileB
      tile.wait %product0
      %taNext = tile.copy_async %wa, %saNext : !windowA, !tileA
      %tbNext = tile.copy_async %wb, %sbNext : !windowB, !tileB

      %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
      %sb = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
      tile.wait %ta, %tb
      %notFirst = arith.cmpi ne, %block, %c0 : index
      %product2 = tile.matmul_async %sa, %sb, %acc accumulate(%notFirst) : !tileA, !tileB, !acc
      scf.yield %taNext, %tbNext, %product1, %product2, %nextStage : !tile.token, !tile.token, !tile.token, !tile.token, index
    }
    tile.wait %last#0, %last#1, %last#2, %last#3

    %wc = tile.slice %groupC[%row, %col] : !groupC to !windowC
    tile.copy %acc, %wc : !acc, !windowC
  }
}

func.func @main(%a: !rows {tile.name = "a", tile.input = "randn:2048x1024:seed=1"},
                %b: !weights {tile.name = "b", tile.input = "randn:8x1024x1024:seed=2"},
                %offsets: !offsets {tile.name = "offsets", tile.input = "offsets.npy"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,2)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %groups = tile.dim %b, 0 : !weights
  %gn = arith.ceildivui %n, %tn : index
  // Every group may end with a tile that is not full.
  %full = arith.divui %m, %tm : index
  %slots = arith.addi %full, %groups : index
  tile.launch @grouped_gemm grid(%gn, %slots) args(%a, %b, %offsets, %c) : !rows, !weights, !offsets, !out
  return
}
