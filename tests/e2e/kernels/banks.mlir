// The same work on row-major and on padded buffers. Rows of 1024 bytes begin in one bank of the edge chip's scratch: what reads down a column, the loads
// of weights (two rows a cycle) and the transposing harts, waits for that bank. Sixty-four bytes more a row and neighbours of a column lie in different banks.
!a = !tile.buffer<32x128xf16, global>
!b = !tile.buffer<128x512xf16, global>
!c = !tile.buffer<32x512xf32, global>
!t = !tile.buffer<512x32xf32, global>
!left = !tile.buffer<32x128xf16, scratch>
!acc = !tile.buffer<32x512xf32, acc>
!turned = !tile.buffer<256x32xf32, scratch>
!turnedHalf = !tile.buffer<256x32xf32, global>

!right = !tile.buffer<128x512xf16, scratch, #tile.layout<S[(128,512):(512,1)]>>
tile.kernel @product(%x: !a, %y: !b, %z: !c) grid(%i) {
  %a = tile.alloc : !left
  %b = tile.alloc : !right
  %c = tile.alloc : !acc
  tile.copy %x, %a : !a, !left
  tile.copy %y, %b : !b, !right
  tile.matmul %a, %b, %c : !left, !right, !acc
  tile.matmul %a, %b, %c accumulate : !left, !right, !acc
  tile.matmul %a, %b, %c accumulate : !left, !right, !acc
  tile.matmul %a, %b, %c accumulate : !left, !right, !acc
  tile.copy %c, %z : !acc, !c
}

!rightPadded = !tile.buffer<128x512xf16, scratch, #tile.layout<S[(128,512):(544,1)]>>
tile.kernel @product_padded(%x: !a, %y: !b, %z: !c) grid(%i) {
  %a = tile.alloc : !left
  %b = tile.alloc : !rightPadded
  %c = tile.alloc : !acc
  tile.copy %x, %a : !a, !left
  tile.copy %y, %b : !b, !rightPadded
  tile.matmul %a, %b, %c : !left, !rightPadded, !acc
  tile.matmul %a, %b, %c accumulate : !left, !rightPadded, !acc
  tile.matmul %a, %b, %c accumulate : !left, !rightPadded, !acc
  tile.matmul %a, %b, %c accumulate : !left, !rightPadded, !acc
  tile.copy %c, %z : !acc, !c
}

!rows = !tile.buffer<32x256xf32, scratch, #tile.layout<S[(32,256):(256,1)]>>
tile.kernel @transpose(%z: !c, %t: !t) grid(%i) {
  %w = tile.slice %z[0, 0] : !c to !tile.buffer<32x256xf32, global>
  %rows = tile.alloc : !rows
  %turned = tile.alloc : !turned
  tile.copy %w, %rows : !tile.buffer<32x256xf32, global>, !rows
  tile.transpose %rows, %turned permutation [1, 0] : !rows, !turned
  %to = tile.slice %t[0, 0] : !t to !turnedHalf
  tile.copy %turned, %to : !turned, !turnedHalf
}

!rowsPadded = !tile.buffer<32x256xf32, scratch, #tile.layout<S[(32,256):(272,1)]>>
tile.kernel @transpose_padded(%z: !c, %t: !t) grid(%i) {
  %w = tile.slice %z[0, 256] : !c to !tile.buffer<32x256xf32, global>
  %rows = tile.alloc : !rowsPadded
  %turned = tile.alloc : !turned
  tile.copy %w, %rows : !tile.buffer<32x256xf32, global>, !rowsPadded
  tile.transpose %rows, %turned permutation [1, 0] : !rowsPadded, !turned
  %to = tile.slice %t[256, 0] : !t to !turnedHalf
  tile.copy %turned, %to : !turned, !turnedHalf
}

func.func @main(%x: !a {tile.input = "randn:32x128:seed=1"}, %y: !b {tile.input = "randn:128x512:seed=2"}, %z: !c {tile.output = "32x512"},
                %padded: !c {tile.output = "32x512"}, %t: !t {tile.output = "512x32"}) {
  %c1 = arith.constant 1 : index
  tile.launch @product grid(%c1) args(%x, %y, %z) : !a, !b, !c
  tile.launch @product_padded grid(%c1) args(%x, %y, %padded) : !a, !b, !c
  tile.launch @transpose grid(%c1) args(%z, %t) : !c, !t
  tile.launch @transpose_padded grid(%c1) args(%z, %t) : !c, !t
  return
}
