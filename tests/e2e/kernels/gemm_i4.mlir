// As examples/gemm_int4.mlir, of weights in i4: C = A * W, W[k, n] = q[k, n] * scales[k / GROUP, n]. The weights of a group become f16 as they
// are loaded; the teams scale them while the group before is multiplied.
// Any M, N and K.
tile.param @TM = 128
tile.param @TN = 128
tile.param @GROUP = 128

!matrix = !tile.buffer<?x?xf16, global>
!packed = !tile.buffer<?x?xi4, global>
!windowA = !tile.buffer<@TM x @GROUP x f16, global>
!windowQ = !tile.buffer<@GROUP x @TN x i4, global>
!windowS = !tile.buffer<1 x @TN x f16, global>
!windowC = !tile.buffer<@TM x @TN x f16, global>
!stagesA = !tile.buffer<3 x @TM x @GROUP x f16, scratch>
!stagesS = !tile.buffer<3 x 1 x @TN x f16, scratch>
!stagesW = !tile.buffer<3 x @GROUP x @TN x f16, scratch>
!tileA = !tile.buffer<@TM x @GROUP x f16, scratch>
!tileS = !tile.buffer<1 x @TN x f16, scratch>
!tileW = !tile.buffer<@GROUP x @TN x f16, scratch>
!acc = !tile.buffer<@TM x @TN x f32, acc>

tile.kernel @gemm_int4(%a: !matrix, %q: !packed, %scales: !matrix, %c: !matrix) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @GROUP : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  %k = tile.dim %a, 1 : !matrix
  %groups = arith.ceildivui %k, %tk : index
  %rows = tile.dim %scales, 0 : !matrix
  %whole = arith.cmpi eq, %groups, %rows : index
  tile.assert %whole, "gemm_int4: scales does not have a row a group"

  %as = tile.alloc : !stagesA
  %ss = tile.alloc : !stagesS
  %ws = tile.alloc : !stagesW
  %acc = tile.alloc : !acc
  %wa0 = tile.slice %a[%row, 0] : !matrix to !windowA
  %wq0 = tile.slice %q[0, %col] : !packed to !windowQ
  %wsc0 = tile.slice %scales[0, %col] : !matrix to !windowS
  %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
  %ws0 = tile.slice %ws[0, 0, 0] : !stagesW to !tileW
  %ss0 = tile.slice %ss[0, 0, 0] : !stagesS to !tileS
  %loadA = tile.copy_async %wa0, %as0 : !windowA, !tileA
  %loadW = tile.copy_async %wq0, %ws0 : !windowQ, !tileW
  %loadS = tile.copy_async %wsc0, %ss0 : !windowS, !tileS
  %none0 = tile.ready : !tile.token
  %none1 = tile.ready : !tile.token

  // The product of group n-2 frees the stage of group n+1.
  %last:6 = scf.for %group = %c0 to %groups step %c1
      iter_args(%ta = %loadA, %tw = %loadW, %ts = %loadS, %product0 = %none0, %product1 = %none1, %stage = %c0)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index) {
    %next = arith.addi %group, %c1 : index
    %kNext = arith.muli %next, %tk : index
    %stageUp = arith.addi %stage, %c1 : index
    %other = arith.remui %stageUp, %c3 : index
    %wa = tile.slice %a[%row, %kNext] : !matrix to !windowA
    %wq = tile.slice %q[%kNext, %col] : !packed to !windowQ
    %wsc = tile.slice %scales[%next, %col] : !matrix to !windowS
    %saNext = tile.slice %as[%other, 0, 0] : !stagesA to !tileA
    %swNext = tile.slice %ws[%other, 0, 0] : !stagesW to !tileW
    %ssNext = tile.slice %ss[%other, 0, 0] : !stagesS to !tileS
    tile.wait %product0
    %taNext = tile.copy_async %wa, %saNext : !windowA, !tileA
    %twNext = tile.copy_async %wq, %swNext : !windowQ, !tileW
    %tsNext = tile.copy_async %wsc, %ssNext : !windowS, !tileS

    %sa = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
    %w = tile.slice %ws[%stage, 0, 0] : !stagesW to !tileW
    %scale = tile.slice %ss[%stage, 0, 0] : !stagesS to !tileS
    tile.wait %tw, %ts
    tile.map ins(%w, %scale : !tileW, !tileS) outs(%w : !tileW) {
    ^bb0(%q0: f16, %s: f16):
      %scaled = arith.mulf %q0, %s : f16
      tile.yield %scaled : f16
    }
    tile.wait %ta
    %notFirst = arith.cmpi ne, %group, %c0 : index
    %product2 = tile.matmul_async %sa, %w, %acc accumulate(%notFirst) : !tileA, !tileW, !acc
    scf.yield %taNext, %twNext, %tsNext, %product1, %product2, %other
        : !tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1, %last#2, %last#3, %last#4
  %wc = tile.slice %c[%row, %col] : !matrix to !windowC
  tile.copy %acc, %wc : !acc, !windowC
}

func.func @main(%a: !matrix {tile.name = "a", tile.input = "randn:256x2048:seed=1"},
                %q: !packed {tile.name = "q", tile.input = "randint:2048x4096:low=-8:high=7:seed=2"},
                %scales: !matrix {tile.name = "scales", tile.input = "uniform:16x4096:low=0.01:high=0.1:seed=3"},
                %c: !matrix {tile.name = "c", tile.output = "dim(a,0)xdim(q,1)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !matrix
  %n = tile.dim %c, 1 : !matrix
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  tile.launch @gemm_int4 grid(%gm, %gn) args(%a, %q, %scales, %c) : !matrix, !packed, !matrix, !matrix
  return
}
