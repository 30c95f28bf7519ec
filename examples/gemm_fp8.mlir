// C[m, n] = sum over k of A[m, k] * B[k, n] * scaleA[m] * scaleB[n] for 8-bit floats, each operand with its own type. Products and sums are those of the matrix unit, exact and in f32; the
// scales of rows and columns come in once at the end. The target's matrix unit must multiply 8-bit floats.
//   forerun run examples/gemm_fp8.mlir --target=datacenter --param TA=f8E4M3FN --param TB=f8E5M2 --check
tile.param @TM = 128
tile.param @TN = 128
tile.param @TK = 128
tile.param @STAGES = 3
tile.param @TA : type = f8E4M3FN
tile.param @TB : type = f8E4M3FN
tile.param @OUT : type = f16

!matrixA = !tile.buffer<?x?x!tile.param<@TA>, global>
!matrixB = !tile.buffer<?x?x!tile.param<@TB>, global>
!out = !tile.buffer<?x?x!tile.param<@OUT>, global>
!scalesA = !tile.buffer<?x1xf32, global>
!scalesB = !tile.buffer<1x?xf32, global>
!windowA = !tile.buffer<@TM x @TK x !tile.param<@TA>, global>
!windowB = !tile.buffer<@TK x @TN x !tile.param<@TB>, global>
!windowC = !tile.buffer<@TM x @TN x !tile.param<@OUT>, global>
!windowSA = !tile.buffer<@TM x 1 x f32, global>
!windowSB = !tile.buffer<1 x @TN x f32, global>
!stagesA = !tile.buffer<@STAGES x @TM x @TK x !tile.param<@TA>, scratch>
!stagesB = !tile.buffer<@STAGES x @TK x @TN x !tile.param<@TB>, scratch>
!tileA = !tile.buffer<@TM x @TK x !tile.param<@TA>, scratch>
!tileB = !tile.buffer<@TK x @TN x !tile.param<@TB>, scratch>
!tileC = !tile.buffer<@TM x @TN x !tile.param<@OUT>, scratch>
!rowScales = !tile.buffer<@TM x 1 x f32, scratch>
!columnScales = !tile.buffer<1 x @TN x f32, scratch>
!acc = !tile.buffer<@TM x @TN x f32, acc>

tile.kernel @gemm_fp8(%a: !matrixA, %b: !matrixB, %scaleA: !scalesA, %scaleB: !scalesB, %c: !out) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @TK : index
  %stages = tile.param_value @STAGES : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  // At least one block, so that K = 0 gives zeros.
  %k = tile.dim %a, 1 : !matrixA
  %blocksUp = arith.ceildivui %k, %tk : index
  %blocks = arith.maxui %blocksUp, %c1 : index

  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %acc = tile.alloc : !acc
  %out = tile.alloc : !tileC
  %rowScales = tile.alloc : !rowScales
  %columnScales = tile.alloc : !columnScales
  %wa0 = tile.slice %a[%row, 0] : !matrixA to !windowA
  %wb0 = tile.slice %b[0, %col] : !matrixB to !windowB
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
    %wa = tile.slice %a[%row, %kNext] : !matrixA to !windowA
    %wb = tile.slice %b[%kNext, %col] : !matrixB to !windowB
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
  %wsa = tile.slice %scaleA[%row, 0] : !scalesA to !windowSA
  %wsb = tile.slice %scaleB[0, %col] : !scalesB to !windowSB
  tile.copy %wsa, %rowScales : !windowSA, !rowScales
  tile.copy %wsb, %columnScales : !windowSB, !columnScales
  tile.wait %last#0, %last#1, %last#2, %last#3
  tile.map ins(%acc, %rowScales, %columnScales : !acc, !rowScales, !columnScales) outs(%out : !tileC) {
  ^bb0(%x: f32, %r: f32, %s: f32):
    %both = arith.mulf %r, %s : f32
    %y = arith.mulf %x, %both : f32
    %o = tile.convert %y : f32 to !tile.param<@OUT>
    tile.yield %o : !tile.param<@OUT>
  }
  %wc = tile.slice %c[%row, %col] : !out to !windowC
  tile.copy %out, %wc : !tileC, !windowC
}

func.func @main(%a: !matrixA {tile.name = "a", tile.input = "randn:2048x2048:seed=1"},
                %b: !matrixB {tile.name = "b", tile.input = "randn:2048x2048:seed=2"},
                %scaleA: !scalesA {tile.name = "scaleA", tile.input = "uniform:2048x1:low=0.1:high=1:seed=3"},
                %scaleB: !scalesB {tile.name = "scaleB", tile.input = "uniform:1x2048:low=0.1:high=1:seed=4"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  tile.launch @gemm_fp8 grid(%gm, %gn) args(%a, %b, %scaleA, %scaleB, %c) : !matrixA, !matrixB, !scalesA, !scalesB, !out
  return
}
