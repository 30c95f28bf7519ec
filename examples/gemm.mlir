// C = A * B, tiled and multi-buffered. One work item computes a TM x TN tile of C in the accumulator; @STAGES (at least 3) buffers let the
// loads run two blocks of K ahead of the product. Works for every size: windows that overhang an edge have smaller valid
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
!tileC = !tile.buffer<@TM x @TN x !tile.param<@OUT>, scratch>
!acc = !tile.buffer<@TM x @TN x !tile.param<@ACC>, acc>

tile.kernel @gemm(%a: !in, %b: !in, %c: !out) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %stages = tile.param_value @STAGES : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  // At least one block, so that K = 0 gives zeros.
  %k = tile.dim %a, 1 : !in
  %blocksUp = arith.ceildivui %k, %tk : index
  %blocks = arith.maxui %blocksUp, %c1 : index

  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %acc = tile.alloc : !acc
  %out = tile.alloc : !tileC

  %wa0 = tile.slice %a[%row, 0] : !in to !windowA
  %wb0 = tile.slice %b[0, %col] : !in to !windowB
  %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
  %bs0 = tile.slice %bs[0, 0, 0] : !stagesB to !tileB
  %loadA0 = tile.copy_async %wa0, %as0 : !windowA, !tileA
  %loadB0 = tile.copy_async %wb0, %bs0 : !windowB, !tileB
  %wa1 = tile.slice %a[%row, %tk] : !in to !windowA
  %wb1 = tile.slice %b[%tk, %col] : !in to !windowB
  %as1 = tile.slice %as[1, 0, 0] : !stagesA to !tileA
  %bs1 = tile.slice %bs[1, 0, 0] : !stagesB to !tileB
  %loadA1 = tile.copy_async %wa1, %as1 : !windowA, !tileA
  %loadB1 = tile.copy_async %wb1, %bs1 : !windowB, !tileB
  %none = tile.ready : !tile.token

  // Block %n is in stage n mod STAGES; the product of block n-1 frees the stage that block n+2 is loaded into.
  %last:5 = scf.for %n = %c0 to %blocks step %c1
      iter_args(%ta0 = %loadA0, %tb0 = %loadB0, %ta1 = %loadA1, %tb1 = %loadB1, %product = %none)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, !tile.token) {
    %stage = arith.remui %n, %stages : index
    %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
    %sb = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
    tile.wait %ta0, %tb0
    %notFirst = arith.cmpi ne, %n, %c0 : index
    %next = tile.matmul_async %sa, %sb, %acc accumulate(%notFirst) : !tileA, !tileB, !acc
    tile.wait %product

    %ahead = arith.addi %n, %c2 : index
    %aheadStage = arith.remui %ahead, %stages : index
    %kAhead = arith.muli %ahead, %tk : index
    %wa = tile.slice %a[%row, %kAhead] : !in to !windowA
    %wb = tile.slice %b[%kAhead, %col] : !in to !windowB
    %sa2 = tile.slice %as[%aheadStage, 0, 0] : !stagesA to !tileA
    %sb2 = tile.slice %bs[%aheadStage, 0, 0] : !stagesB to !tileB
    %ta2 = tile.copy_async %wa, %sa2 : !windowA, !tileA
    %tb2 = tile.copy_async %wb, %sb2 : !windowB, !tileB
    scf.yield %ta1, %tb1, %ta2, %tb2, %next : !tile.token, !tile.token, !tile.token, !tile.token, !tile.token
  }
  tile.wait %last#0, %last#1, %last#2, %last#3, %last#4

  tile.copy %acc, %out : !acc, !tileC
  %wc = tile.slice %c[%row, %col] : !out to !windowC
  tile.copy %out, %wc : !tileC, !windowC
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
  tile.launch @gemm grid(%gm, %gn) args(%a, %b, %c) : !in, !in, !out
  return
}
