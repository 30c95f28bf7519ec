// C = A * W for weights of 4 bits: W[k, n] = q[k, n] * scales[k / GROUP, n] with q in -8 ... 7. A byte holds two weights of one column: of each group of @GROUP rows the byte in row r has q of
// row r in its low half and q of row r + GROUP / 2 in its high half. The teams unpack the weights of a block of K while the one before is multiplied.
// Any M and N; K is a multiple of @GROUP.
tile.param @TM = 128
tile.param @TN = 128
tile.param @GROUP = 128
tile.param @HALF = 64      // half a group

!matrix = !tile.buffer<?x?xf16, global>
!packed = !tile.buffer<?x?xi8, global>
!windowA = !tile.buffer<@TM x @GROUP x f16, global>
!windowQ = !tile.buffer<@HALF x @TN x i8, global>
!windowS = !tile.buffer<1 x @TN x f16, global>
!windowC = !tile.buffer<@TM x @TN x f16, global>
!stagesA = !tile.buffer<3 x @TM x @GROUP x f16, scratch>
!stagesQ = !tile.buffer<2 x @HALF x @TN x i8, scratch>
!stagesS = !tile.buffer<2 x 1 x @TN x f16, scratch>
!stagesW = !tile.buffer<2 x @GROUP x @TN x f16, scratch>
!tileA = !tile.buffer<@TM x @GROUP x f16, scratch>
!tileQ = !tile.buffer<@HALF x @TN x i8, scratch>
!tileS = !tile.buffer<1 x @TN x f16, scratch>
!tileW = !tile.buffer<@GROUP x @TN x f16, scratch>
!halfW = !tile.buffer<@HALF x @TN x f16, scratch>
!acc = !tile.buffer<@TM x @TN x f32, acc>

tile.kernel @gemm_int4(%a: !matrix, %q: !packed, %scales: !matrix, %c: !matrix) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %four = arith.constant 4 : i8
  %zero = arith.constant 0.0 : f16
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %tk = tile.param_value @GROUP : index
  %half = tile.param_value @HALF : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  %k = tile.dim %a, 1 : !matrix
  %groups = tile.dim %scales, 0 : !matrix
  %wholeGroups = arith.muli %groups, %tk : index
  %whole = arith.cmpi eq, %wholeGroups, %k : index
  tile.assert %whole, "gemm_int4: K is not a multiple of GROUP, or scales does not have a row a group"

  %as = tile.alloc : !stagesA
  %qs = tile.alloc : !stagesQ
  %ss = tile.alloc : !stagesS
  %ws = tile.alloc : !stagesW
  %acc = tile.alloc : !acc
  // Columns past N are multiplied as well: their products are not stored, but must be of something.
  tile.fill %ws, %zero : !stagesW, f16
  %wa0 = tile.slice %a[%row, 0] : !matrix to !windowA
  %wq0 = tile.slice %q[0, %col] : !packed to !windowQ
  %wsc0 = tile.slice %scales[0, %col] : !matrix to !windowS
  %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
  %qs0 = tile.slice %qs[0, 0, 0] : !stagesQ to !tileQ
  %ss0 = tile.slice %ss[0, 0, 0] : !stagesS to !tileS
  %loadA = tile.copy_async %wa0, %as0 : !windowA, !tileA
  %loadQ = tile.copy_async %wq0, %qs0 : !windowQ, !tileQ
  %loadS = tile.copy_async %wsc0, %ss0 : !windowS, !tileS
  %none0 = tile.ready : !tile.token
  %none1 = tile.ready : !tile.token

  // The product of group n-2 frees the A of group n+1 and the unpacked weights of group n.
  %last:7 = scf.for %group = %c0 to %groups step %c1
      iter_args(%ta = %loadA, %tq = %loadQ, %ts = %loadS, %product0 = %none0, %product1 = %none1, %stageA = %c0, %stage = %c0)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index, index) {
    %next = arith.addi %group, %c1 : index
    %kNext = arith.muli %next, %tk : index
    %rowNext = arith.muli %next, %half : index
    %stageUp = arith.addi %stageA, %c1 : index
    %nextA = arith.remui %stageUp, %c3 : index
    %other = arith.subi %c1, %stage : index
    %wa = tile.slice %a[%row, %kNext] : !matrix to !windowA
    %wq = tile.slice %q[%rowNext, %col] : !packed to !windowQ
    %wsc = tile.slice %scales[%next, %col] : !matrix to !windowS
    %saNext = tile.slice %as[%nextA, 0, 0] : !stagesA to !tileA
    %sqNext = tile.slice %qs[%other, 0, 0] : !stagesQ to !tileQ
    %ssNext = tile.slice %ss[%other, 0, 0] : !stagesS to !tileS
    tile.wait %product0
    %taNext = tile.copy_async %wa, %saNext : !windowA, !tileA
    %tqNext = tile.copy_async %wq, %sqNext : !windowQ, !tileQ
    %tsNext = tile.copy_async %wsc, %ssNext : !windowS, !tileS

    %sa = tile.slice %as[%stageA, 0, 0] : !stagesA to !tileA
    %sq = tile.slice %qs[%stage, 0, 0] : !stagesQ to !tileQ
    %scale = tile.slice %ss[%stage, 0, 0] : !stagesS to !tileS
    %w = tile.slice %ws[%stage, 0, 0] : !stagesW to !tileW
    %low = tile.slice %w[0, 0] : !tileW to !halfW
    %high = tile.slice %w[%half, 0] : !tileW to !halfW
    tile.wait %tq, %ts
    tile.map ins(%sq, %scale : !tileQ, !tileS) outs(%low, %high : !halfW, !halfW) {
    ^bb0(%byte: i8, %s: f16):
      %up = arith.shli %byte, %four : i8
      %lowBits = arith.shrsi %up, %four : i8
      %highBits = arith.shrsi %byte, %four : i8
      %l = tile.convert %lowBits : i8 to f16
      %h = tile.convert %highBits : i8 to f16
      %ls = arith.mulf %l, %s : f16
      %hs = arith.mulf %h, %s : f16
      tile.yield %ls, %hs : f16, f16
    }
    tile.wait %ta
    %notFirst = arith.cmpi ne, %group, %c0 : index
    %product2 = tile.matmul_async %sa, %w, %acc accumulate(%notFirst) : !tileA, !tileW, !acc
    scf.yield %taNext, %tqNext, %tsNext, %product1, %product2, %nextA, %other
        : !tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index, index
  }
  tile.wait %last#0, %last#1, %last#2, %last#3, %last#4
  %wc = tile.slice %c[%row, %col] : !matrix to !windowC
  tile.copy %acc, %wc : !acc, !windowC
}

func.func @main(%a: !matrix {tile.name = "a", tile.input = "randn:256x2048:seed=1"},
                %q: !packed {tile.name = "q", tile.input = "randint:1024x4096:low=-128:high=127:seed=2"},
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
