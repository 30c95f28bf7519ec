// C = A * B for a long K and few tiles of C: @SPLITS work items share a tile, each with its own part of K, so that all cores have work. Partial sums go to
// global memory and a second kernel adds them. Order of a sum: K ascending inside a part, then the parts in ascending order; it depends on @SPLITS and @TK
// alone, not on the target.
//   forerun run examples/gemm_split_k.mlir --target=datacenter --check
tile.param @SPLITS = 8
tile.param @TM = 128
tile.param @TN = 128
tile.param @TK = 64
tile.param @STAGES = 3
tile.param @ROWS = 8      // rows that a work item of the second kernel adds
tile.param @COLS = 256
tile.param @T : type = f16
tile.param @ACC : type = f32
tile.param @OUT : type = f16

!in = !tile.buffer<?x?x!tile.param<@T>, global>
!out = !tile.buffer<?x?x!tile.param<@OUT>, global>
!parts = !tile.buffer<?x?x?x!tile.param<@ACC>, global>
!windowA = !tile.buffer<@TM x @TK x !tile.param<@T>, global>
!windowB = !tile.buffer<@TK x @TN x !tile.param<@T>, global>
!windowPart = !tile.buffer<@TM x @TN x !tile.param<@ACC>, global>
!stagesA = !tile.buffer<@STAGES x @TM x @TK x !tile.param<@T>, scratch>
!stagesB = !tile.buffer<@STAGES x @TK x @TN x !tile.param<@T>, scratch>
!tileA = !tile.buffer<@TM x @TK x !tile.param<@T>, scratch>
!tileB = !tile.buffer<@TK x @TN x !tile.param<@T>, scratch>
!acc = !tile.buffer<@TM x @TN x !tile.param<@ACC>, acc>

tile.kernel @multiply(%a: !in, %b: !in, %parts: !parts, %blocksEach: index) grid(%j, %i, %split) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %stages = tile.param_value @STAGES : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  // Blocks of K that lie past its end are empty, and parts without any are zero.
  %first = arith.muli %split, %blocksEach : index
  %end = arith.addi %first, %blocksEach : index

  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %acc = tile.alloc : !acc
  %pipeline = tile.pipeline %stages : !tile.pipeline

  tile.roles loader [0] {
    scf.for %block = %first to %end step %c1 {
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
    scf.for %block = %first to %end step %c1 {
      %stage = tile.consumer_wait %pipeline : index
      %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
      %sb = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
      %notFirst = arith.cmpi ne, %block, %first : index
      %product = tile.matmul_async %sa, %sb, %acc accumulate(%notFirst) : !tileA, !tileB, !acc
      tile.consumer_release %pipeline, %product
    }
    %part = tile.slice %parts[%split, %row, %col] : !parts to !windowPart
    tile.copy %acc, %part : !acc, !windowPart
  }
}

!partsWindow = !tile.buffer<@SPLITS x @ROWS x @COLS x !tile.param<@ACC>, global>
!partsTile = !tile.buffer<@SPLITS x @ROWS x @COLS x !tile.param<@ACC>, scratch>
!part = !tile.buffer<@ROWS x @COLS x !tile.param<@ACC>, scratch>
!sumWindow = !tile.buffer<@ROWS x @COLS x !tile.param<@OUT>, global>
!sum = !tile.buffer<@ROWS x @COLS x !tile.param<@OUT>, scratch>

tile.kernel @add_parts(%parts: !parts, %c: !out) grid(%j, %i) {
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %row = arith.muli %i, %rows : index
  %col = arith.muli %j, %cols : index
  %ps = tile.alloc : !partsTile
  %s = tile.alloc : !tile.buffer<1 x @ROWS x @COLS x !tile.param<@ACC>, scratch>
  %out = tile.alloc : !sum
  %w = tile.slice %parts[0, %row, %col] : !parts to !partsWindow
  tile.copy %w, %ps : !partsWindow, !partsTile
  tile.reduce <add> %ps, %s dims [0] : !partsTile, !tile.buffer<1 x @ROWS x @COLS x !tile.param<@ACC>, scratch>
  %s0 = tile.slice %s[0, 0, 0] : !tile.buffer<1 x @ROWS x @COLS x !tile.param<@ACC>, scratch> to !part
  tile.cast %s0, %out : !part, !sum
  %wc = tile.slice %c[%row, %col] : !out to !sumWindow
  tile.copy %out, %wc : !sum, !sumWindow
}

func.func @main(%a: !in {tile.name = "a", tile.input = "randn:256x8192:seed=1"},
                %b: !in {tile.name = "b", tile.input = "randn:8192x512:seed=2"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"}) {
  %c1 = arith.constant 1 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %splits = tile.param_value @SPLITS : index
  %rows = tile.param_value @ROWS : index
  %cols = tile.param_value @COLS : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %k = tile.dim %a, 1 : !in
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  // At least one block each, so that parts without any element of K are written, too.
  %blocks = arith.ceildivui %k, %tk : index
  %shared = arith.ceildivui %blocks, %splits : index
  %blocksEach = arith.maxui %shared, %c1 : index
  %parts = tile.alloc(%splits, %m, %n) : !parts
  tile.launch @multiply grid(%gn, %gm, %splits) args(%a, %b, %parts, %blocksEach) : !in, !in, !parts, index
  %down = arith.ceildivui %m, %rows : index
  %across = arith.ceildivui %n, %cols : index
  tile.launch @add_parts grid(%across, %down) args(%parts, %c) : !parts, !out
  return
}
