// C = A * B for elements of few bits that share a scale, a power of two, a block of 32 along K (as in the OCP MX formats): A[m, k] = a[m, k] * sa[m, k / 32] and B likewise. Elements become
// bf16 and scales f32 as they are loaded, and a map multiplies them, both exactly while the result is a normal number; products are exact, sums f32. Scaling by hand overlaps with loads and products;
// tile.matmul with scales says the same in one line, for a tile at a time.
//   forerun run examples/gemm_mx.mlir --target=datacenter --param T=f4E2M1FN --check
// Any M and N; K is a multiple of 32.
tile.param @TM = 128
tile.param @TN = 128
tile.param @T : type = i8

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!scales = !tile.buffer<?x?xf8E8M0FNU, global>
!out = !tile.buffer<?x?xf32, global>
!windowA = !tile.buffer<@TM x 32 x !tile.param<@T>, global>
!windowB = !tile.buffer<32 x @TN x !tile.param<@T>, global>
!windowSA = !tile.buffer<@TM x 1 x f8E8M0FNU, global>
!windowSB = !tile.buffer<1 x @TN x f8E8M0FNU, global>
!windowC = !tile.buffer<@TM x @TN x f32, global>
!stagesA = !tile.buffer<2 x @TM x 32 x bf16, scratch>
!stagesB = !tile.buffer<2 x 32 x @TN x bf16, scratch>
!stagesSA = !tile.buffer<2 x @TM x 1 x f32, scratch>
!stagesSB = !tile.buffer<2 x 1 x @TN x f32, scratch>
!tileA = !tile.buffer<@TM x 32 x bf16, scratch>
!tileB = !tile.buffer<32 x @TN x bf16, scratch>
!tileSA = !tile.buffer<@TM x 1 x f32, scratch>
!tileSB = !tile.buffer<1 x @TN x f32, scratch>
!acc = !tile.buffer<@TM x @TN x f32, acc>

tile.kernel @gemm_mx(%a: !matrix, %sa: !scales, %b: !matrix, %sb: !scales, %c: !out) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %row = arith.muli %i, %tm : index
  %col = arith.muli %j, %tn : index
  %k = tile.dim %a, 1 : !matrix
  %blocks = tile.dim %sa, 1 : !scales
  %covered = arith.muli %blocks, %c32 : index
  %whole = arith.cmpi eq, %covered, %k : index
  tile.assert %whole, "gemm_mx: K is not a multiple of 32, or sa does not have a column a block"

  %as = tile.alloc : !stagesA
  %bs = tile.alloc : !stagesB
  %sas = tile.alloc : !stagesSA
  %sbs = tile.alloc : !stagesSB
  %scaledA = tile.alloc : !stagesA
  %scaledB = tile.alloc : !stagesB
  %acc = tile.alloc : !acc
  %wa0 = tile.slice %a[%row, 0] : !matrix to !windowA
  %wb0 = tile.slice %b[0, %col] : !matrix to !windowB
  %wsa0 = tile.slice %sa[%row, 0] : !scales to !windowSA
  %wsb0 = tile.slice %sb[0, %col] : !scales to !windowSB
  %as0 = tile.slice %as[0, 0, 0] : !stagesA to !tileA
  %bs0 = tile.slice %bs[0, 0, 0] : !stagesB to !tileB
  %sas0 = tile.slice %sas[0, 0, 0] : !stagesSA to !tileSA
  %sbs0 = tile.slice %sbs[0, 0, 0] : !stagesSB to !tileSB
  %loadA = tile.copy_async %wa0, %as0 : !windowA, !tileA
  %loadB = tile.copy_async %wb0, %bs0 : !windowB, !tileB
  %loadSA = tile.copy_async %wsa0, %sas0 : !windowSA, !tileSA
  %loadSB = tile.copy_async %wsb0, %sbs0 : !windowSB, !tileSB
  %none0 = tile.ready : !tile.token
  %none1 = tile.ready : !tile.token

  // While block n is scaled, block n+1 loads and block n-1 is multiplied.
  %last:7 = scf.for %block = %c0 to %blocks step %c1
      iter_args(%ta = %loadA, %tb = %loadB, %tsa = %loadSA, %tsb = %loadSB, %product0 = %none0, %product1 = %none1, %stage = %c0)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %block, %c1 : index
    %kNext = arith.muli %next, %c32 : index
    %wa = tile.slice %a[%row, %kNext] : !matrix to !windowA
    %wb = tile.slice %b[%kNext, %col] : !matrix to !windowB
    %wsa = tile.slice %sa[%row, %next] : !scales to !windowSA
    %wsb = tile.slice %sb[%next, %col] : !scales to !windowSB
    %asNext = tile.slice %as[%other, 0, 0] : !stagesA to !tileA
    %bsNext = tile.slice %bs[%other, 0, 0] : !stagesB to !tileB
    %sasNext = tile.slice %sas[%other, 0, 0] : !stagesSA to !tileSA
    %sbsNext = tile.slice %sbs[%other, 0, 0] : !stagesSB to !tileSB
    %taNext = tile.copy_async %wa, %asNext : !windowA, !tileA
    %tbNext = tile.copy_async %wb, %bsNext : !windowB, !tileB
    %tsaNext = tile.copy_async %wsa, %sasNext : !windowSA, !tileSA
    %tsbNext = tile.copy_async %wsb, %sbsNext : !windowSB, !tileSB

    %rawA = tile.slice %as[%stage, 0, 0] : !stagesA to !tileA
    %rawB = tile.slice %bs[%stage, 0, 0] : !stagesB to !tileB
    %factorsA = tile.slice %sas[%stage, 0, 0] : !stagesSA to !tileSA
    %factorsB = tile.slice %sbs[%stage, 0, 0] : !stagesSB to !tileSB
    %inA = tile.slice %scaledA[%stage, 0, 0] : !stagesA to !tileA
    %inB = tile.slice %scaledB[%stage, 0, 0] : !stagesB to !tileB
    tile.wait %tsa, %tsb, %product0, %ta, %tb
    tile.map ins(%rawA, %factorsA : !tileA, !tileSA) outs(%inA : !tileA) {
    ^bb0(%v: bf16, %factor: f32):
      %f = tile.convert %v : bf16 to f32
      %s = arith.mulf %f, %factor : f32
      %r = tile.convert %s : f32 to bf16
      tile.yield %r : bf16
    }
    tile.map ins(%rawB, %factorsB : !tileB, !tileSB) outs(%inB : !tileB) {
    ^bb0(%v: bf16, %factor: f32):
      %f = tile.convert %v : bf16 to f32
      %s = arith.mulf %f, %factor : f32
      %r = tile.convert %s : f32 to bf16
      tile.yield %r : bf16
    }
    %notFirst = arith.cmpi ne, %block, %c0 : index
    %product2 = tile.matmul_async %inA, %inB, %acc accumulate(%notFirst) : !tileA, !tileB, !acc
    scf.yield %taNext, %tbNext, %tsaNext, %tsbNext, %product1, %product2, %other
        : !tile.token, !tile.token, !tile.token, !tile.token, !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1, %last#2, %last#3, %last#4, %last#5
  %wc = tile.slice %c[%row, %col] : !out to !windowC
  tile.copy %acc, %wc : !acc, !windowC
}

func.func @main(%a: !matrix {tile.name = "a", tile.input = "randint:1024x1024:low=-128:high=127:seed=1"},
                %sa: !scales {tile.name = "sa", tile.input = "uniform:1024x32:low=0.00001:high=1:seed=2"},
                %b: !matrix {tile.name = "b", tile.input = "randint:1024x1024:low=-128:high=127:seed=3"},
                %sb: !scales {tile.name = "sb", tile.input = "uniform:32x1024:low=0.00001:high=1:seed=4"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"}) {
  %tm = tile.param_value @TM : index
  %tn = tile.param_value @TN : index
  %m = tile.dim %c, 0 : !out
  %n = tile.dim %c, 1 : !out
  %gm = arith.ceildivui %m, %tm : index
  %gn = arith.ceildivui %n, %tn : index
  tile.launch @gemm_mx grid(%gm, %gn) args(%a, %sa, %b, %sb, %c) : !matrix, !scales, !matrix, !scales, !out
  return
}
