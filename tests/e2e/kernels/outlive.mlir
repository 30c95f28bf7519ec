// A product that outlives its loop and its work item, behind a store whose token the loop yields. The next item's loads may overwrite its operands only when
// it is done.
tile.param @M = 64
tile.param @N = 32
tile.param @K = 32
tile.param @H = 64

!in = !tile.buffer<?x?xf16, global>
!out = !tile.buffer<?x?xf32, global>
!windowA = !tile.buffer<@M x @K x f16, global>
!windowB = !tile.buffer<@K x @H x f16, global>
!windowC = !tile.buffer<@M x @N x f32, global>
!a = !tile.buffer<@M x @K x f16, scratch>
!b = !tile.buffer<@K x @H x f16, scratch>
!half = !tile.buffer<@K x @N x f16, scratch>
!acc = !tile.buffer<2 x @M x @N x f32, acc>
!tile = !tile.buffer<@M x @N x f32, acc>

tile.kernel @outlive(%a: !in, %b: !in, %c: !out) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tile.param_value @M : index
  %n = tile.param_value @N : index
  %sa = tile.alloc : !a
  %sb = tile.alloc : !b
  %acc = tile.alloc : !acc
  %row = arith.muli %item, %m : index
  %wa = tile.slice %a[%row, 0] : !in to !windowA
  %wb = tile.slice %b[0, 0] : !in to !windowB
  tile.copy %wa, %sa : !windowA, !a
  tile.copy %wb, %sb : !windowB, !b
  %none0 = tile.ready : !tile.token
  %none1 = tile.ready : !tile.token
  %end:2 = scf.for %half = %c0 to %c2 step %c1 iter_args(%store0 = %none0, %store1 = %none1) -> (!tile.token, !tile.token) {
    %col = arith.muli %half, %n : index
    %sum = tile.slice %acc[%half, 0, 0] : !acc to !tile
    %sbHalf = tile.slice %sb[0, %col] : !b to !half
    tile.wait %store0
    %product = tile.matmul_async %sa, %sbHalf, %sum : !a, !half, !tile
    tile.wait %product
    %wc = tile.slice %c[%row, %col] : !out to !windowC
    %store2 = tile.copy_async %sum, %wc : !tile, !windowC
    scf.yield %store1, %store2 : !tile.token, !tile.token
  }
  tile.wait %end#0, %end#1
}

func.func @main(%a: !in {tile.name = "a", tile.input = "randn:8320x32:seed=1"},
                %b: !in {tile.name = "b", tile.input = "randn:32x64:seed=2"},
                %c: !out {tile.name = "c", tile.output = "dim(a,0)xdim(b,1)"}) {
  %m = tile.param_value @M : index
  %rows = tile.dim %c, 0 : !out
  %items = arith.ceildivui %rows, %m : index
  tile.launch @outlive grid(%items) args(%a, %b, %c) : !in, !in, !out
  return
}
