// C = A * B with roles: one team loads blocks of A and B into a pipeline of @STAGES stages, another multiplies them as they arrive. The loader runs
// ahead of the multiplications by as many stages as there are, into the next work item too. Sizes as in gemm.mlir: any.
//   forerun run examples/gemm_roles.mlir --target=datacenter --check
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
  %pipeline = tile.pipeline %stages : !tile.pipeline

  tile.roles loader [0] {
    scf.for %block = %c0 to %blocks step %c1 {
      %at = arith.muli %block, %tk : index
      %wa = tile.slice %a[%row, %at] : !in to !windowA
      %wb = tile.slice %b[%at, %col] : !in to !windowB
      %stage = tile.producer_acquire %pipeline : index
      %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
      %sb = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
      %loadA = tile.copy_async %wa, %sa : !windowA, !tileA
      %loadB = tile.copy_async %wb, %sb : !windowB, !tileB
      tile.producer_commit %pipeline, %loadA, %loadB
    }
  }, multiplier [1] {
    scf.for %block = %c0 to %blocks step %c1 {
      %stage = tile.consumer_wait %pipeline : index
      %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
      %sb = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
      %notFirst = arith.cmpi ne, %block, %c0 : index
      %product = tile.matmul_async %sa, %sb, %acc accumulate(%notFirst) : !tileA, !tileB, !acc
      tile.consumer_release %pipeline, %product
    }
    %wc = tile.slice %c[%row, %col] : !out to !windowC
    tile.copy %acc, %wc : !acc, !windowC
  }
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
