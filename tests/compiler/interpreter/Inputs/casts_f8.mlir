// Conversions to and from the 8-bit floats.
!x = !tile.buffer<258x260xf32, global>
!e4m3 = !tile.buffer<258x260xf8E4M3FN, global>
!e5m2 = !tile.buffer<258x260xf8E5M2, global>
!codes4 = !tile.buffer<256xf8E4M3FN, global>
!codes5 = !tile.buffer<256xf8E5M2, global>
!numbers = !tile.buffer<256xf32, global>

tile.kernel @casts(%x: !x, %codes4: !codes4, %codes5: !codes5, %e4m3: !e4m3, %e5m2: !e5m2, %from4: !numbers, %from5: !numbers) grid(%i) {
  %in = tile.alloc : !tile.buffer<258x260xf32, scratch>
  %four = tile.alloc : !tile.buffer<258x260xf8E4M3FN, scratch>
  %five = tile.alloc : !tile.buffer<258x260xf8E5M2, scratch>
  tile.copy %x, %in : !x, !tile.buffer<258x260xf32, scratch>
  tile.cast %in, %four : !tile.buffer<258x260xf32, scratch>, !tile.buffer<258x260xf8E4M3FN, scratch>
  tile.copy %four, %e4m3 : !tile.buffer<258x260xf8E4M3FN, scratch>, !e4m3
  tile.copy %x, %e5m2 : !x, !e5m2
  tile.copy %codes4, %from4 : !codes4, !numbers
  %c5 = tile.alloc : !tile.buffer<256xf8E5M2, scratch>
  %n5 = tile.alloc : !tile.buffer<256xf32, scratch>
  tile.copy %codes5, %c5 : !codes5, !tile.buffer<256xf8E5M2, scratch>
  tile.map ins(%c5 : !tile.buffer<256xf8E5M2, scratch>) outs(%n5 : !tile.buffer<256xf32, scratch>) {
  ^bb0(%code: f8E5M2):
    %number = tile.convert %code : f8E5M2 to f32
    tile.yield %number : f32
  }
  tile.copy %n5, %from5 : !tile.buffer<256xf32, scratch>, !numbers
}

func.func @main(%x: !x {tile.name = "x"}, %codes4: !codes4 {tile.name = "codes4"}, %codes5: !codes5 {tile.name = "codes5"},
                %e4m3: !e4m3 {tile.name = "e4m3", tile.output = "258x260"},
                %e5m2: !e5m2 {tile.name = "e5m2", tile.output = "258x260"},
                %from4: !numbers {tile.name = "from4", tile.output = "256"},
                %from5: !numbers {tile.name = "from5", tile.output = "256"}) {
  %c1 = arith.constant 1 : index
  tile.launch @casts grid(%c1) args(%x, %codes4, %codes5, %e4m3, %e5m2, %from4, %from5) : !x, !codes4, !codes5, !e4m3, !e5m2, !numbers, !numbers
  return
}
