// C = A * B, tiled and multi-buffered. One work item computes a TM x TN tile of C in the accumulator; @STAGES (at least 3) buffers let the
// next block of K be loaded while the last ones are multiplied. Tiles are taken in bands of rows, as high as makes the tiles of all cores about square: fewer
// operands are then read at a time, each by more cores. Works for every size: windows that overhang an edge have smaller valid
// extents, elements past K are absent from the product and results past M and N are not written.
//   forerun run examples/gemm.mlir --param T=i8 --param ACC=i32 --param OUT=i32
tile.param @TM = 128
tile.param @TN = 128
tile.param @TK = 64
tile.param @STAGES = 3
tile.param @T : type = f16
tile.param @ACC : type = f32
tile.param @OUT : type = f16

!in = !tile.buffer<?x?x!tile.param<@T>, global>
!out = !tile.buffer<?x?x!tile.param<@OUT>, global>
!windowA = !tile.buffer<@TM x @TK x !tile.param<@T>, global>
!windowB = !tile.buffer<@TK x @TN x !tile.param<@T>, global>
!windowC = !tile.buffer<@TM x @TN x !tile.param<@OUT>, global>
!stagesA = !tile.buffer<@STAGES x @TM x @TK x !tile.param<@T>, scratch>
!stagesB = !tile.buffer<@STAGES x @TK x @TN x !tile.param<@T>, scratch>
!tileA = !tile.buffer<@TM x @TK x !tile.param<@T>, scratch>
!tileB = !tile.buffer<@TK x @TN x !tile.param<@T>, scratch>
!acc = !tile.buffer<@TM x @TN x !tile.param<@ACC>, acc>

tile.kernel @gemm(%a: !in, %b: !in, %c: !out, %bandRows: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %stages = tile.param_value @STAGES : index
  // Tile (%i, %j) of C: down the rows of a band first, then to the next column.
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  %band = arith.maxsi %bandRows, %c1 : index
  %bandItems = arith.muli %band, %gn : index
  %thisBand = arith.divui %item, %bandItems : index
  %inBand = arith.remui %item, %bandItems : index
  %above = arith.muli %thisBand, %band : index
  %below = arith.subi %gm, %above : index
  %height = arith.minui %below, %band : index
  %down = arith.remui %inBand, %height : index
  %j = arith.divui %inBand, %height : index
  %i = arith.addi %above, %down : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  // At least one block, so that K = 0 gives zeros.
  %k = tile.dim %a, 1 : !in
  %blocksUp = arith.ceildivui %k, %tk : index
  %blocks = arith.maxui %blocksUp, %c1 : index

  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %acc = tile.alloc : !acc

  %wa0 = tile.slice %a[%row, 0] : !in to !windowA
  %wb0 = tile.slice %b[0, %col] : !in to !windowB
  %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
  %bs0 = tile.slice %bs[0, 0, 0] : !stagesB to !tileB
  %loadA0 = tile.copy_async %wa0, %as0 : !windowA, !tileA
  %loadB0 = tile.copy_async %wb0, %bs0 : !windowB, !tileB
  %none0 = tile.ready : !tile.token
  %none1 = tile.ready : !tile.token

  // The product of block n-2 frees the stage that block n+1 is loaded into while block n is multiplied.
  %end:5 = scf.for %block = %c0 to %blocks step %c1
      iter_args(%ta = %loadA0, %tb = %loadB0, %product0 = %none0, %product1 = %none1, %stage = %c0)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, index) {
    %next = arith.addi %block, %c1 : index
    %kNext = arith.muli %next, %tk : index
    %stageUp = arith.addi %stage, %c1 : index
    %wraps = arith.cmpi eq, %stageUp, %stages : index
    %nextStage = arith.select %wraps, %c0, %stageUp : index
    %wa = tile.slice %a[%row, %kNext] : !in to !windowA
    %wb = tile.slice %b[%kNext, %col] : !in to !windowB
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

  tile.wait %end#0, %end#1, %end#2, %end#3

  %wc = tile.slice %c[%row, %col] : !out to !windowC
  tile.copy %acc, %wc : !acc, !windowC
}

func.func @main(%a: !in {tile.name = "a", tile.input = "randn:1024x1024:seed=1"},
                %b: !in {tile.name = "b", tile.input = "randn:1024x1024:seed=2"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  %items = arith.muli %gm, %gn : index
  // The square root of the number of cores, rounded down.
  %cores = tile.num_cores : index
  %coresInt = arith.index_cast %cores : index to i64
  %coresFloat = arith.uitofp %coresInt : i64 to f32
  %side = math.sqrt %coresFloat : f32
  %sideInt = arith.fptoui %side : f32 to i64
  %band = arith.index_cast %sideInt : i64 to index
  tile.launch @gemm grid(%items) args(%a, %b, %c, %band) : !in, !in, !out, index
  return
}
