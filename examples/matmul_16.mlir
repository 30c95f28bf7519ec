// C = A * B for one 16 x 16 tile: the smallest kernel for matrix instructions, on a chip or on a GPU.
//   forerun compile --target=sm_80 --emit=ptx examples/matmul_16.mlir
!in = !tile.buffer<16x16xf16, global>
!out = !tile.buffer<16x16xf32, global>
!operand = !tile.buffer<16x16xf16, scratch>
!acc = !tile.buffer<16x16xf32, acc>

tile.kernel @matmul_16(%a: !in, %b: !in, %c: !out) grid(%i) {
  %as = tile.alloc : !operand
  %bs = tile.alloc : !operand
  %acc = tile.alloc : !acc
  %staged = tile.alloc : !tile.buffer<16x16xf32, scratch>
  tile.copy %a, %as : !in, !operand
  tile.copy %b, %bs : !in, !operand
  tile.matmul %as, %bs, %acc : !operand, !operand, !acc
  tile.copy %acc, %staged : !acc, !tile.buffer<16x16xf32, scratch>
  tile.copy %staged, %c : !tile.buffer<16x16xf32, scratch>, !out
}

func.func @main(%a: !in {tile.name = "a", tile.input = "randn:16x16:seed=1"},
                %b: !in {tile.name = "b", tile.input = "randn:16x16:seed=2"},
                %c: !out {tile.name = "c", tile.output = "16x16"}) {
  %c1 = arith.constant 1 : index
  tile.launch @matmul_16 grid(%c1) args(%a, %b, %c) : !in, !in, !out
  return
}
