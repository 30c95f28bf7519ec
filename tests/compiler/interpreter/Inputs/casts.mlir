// Every conversion of tile.cast from f32 and from i32, on numbers at the edges.
!f32g = !tile.buffer<64xf32, global>
!i32g = !tile.buffer<16xi32, global>
tile.kernel @casts(%x: !f32g, %i: !i32g, %xf16: !tile.buffer<64xf16, global>, %xbf16: !tile.buffer<64xbf16, global>, %xi8: !tile.buffer<64xi8, global>,
                   %xi32: !tile.buffer<64xi32, global>, %if32: !tile.buffer<16xf32, global>, %if16: !tile.buffer<16xf16, global>,
                   %ibf16: !tile.buffer<16xbf16, global>, %ii8: !tile.buffer<16xi8, global>) grid(%g) {
  tile.cast %x, %xf16 : !f32g, !tile.buffer<64xf16, global>
  tile.cast %x, %xbf16 : !f32g, !tile.buffer<64xbf16, global>
  tile.cast %x, %xi8 : !f32g, !tile.buffer<64xi8, global>
  tile.cast %x, %xi32 : !f32g, !tile.buffer<64xi32, global>
  tile.cast %i, %if32 : !i32g, !tile.buffer<16xf32, global>
  tile.cast %i, %if16 : !i32g, !tile.buffer<16xf16, global>
  tile.cast %i, %ibf16 : !i32g, !tile.buffer<16xbf16, global>
  tile.cast %i, %ii8 : !i32g, !tile.buffer<16xi8, global>
}
func.func @main(%x: !f32g {tile.name = "x", tile.input = "zeros"}, %i: !i32g {tile.name = "i", tile.input = "zeros"},
                %xf16: !tile.buffer<64xf16, global> {tile.name = "xf16", tile.output = "64"}, %xbf16: !tile.buffer<64xbf16, global> {tile.name = "xbf16", tile.output = "64"},
                %xi8: !tile.buffer<64xi8, global> {tile.name = "xi8", tile.output = "64"}, %xi32: !tile.buffer<64xi32, global> {tile.name = "xi32", tile.output = "64"},
                %if32: !tile.buffer<16xf32, global> {tile.name = "if32", tile.output = "16"}, %if16: !tile.buffer<16xf16, global> {tile.name = "if16", tile.output = "16"},
                %ibf16: !tile.buffer<16xbf16, global> {tile.name = "ibf16", tile.output = "16"}, %ii8: !tile.buffer<16xi8, global> {tile.name = "ii8", tile.output = "16"}) {
  %c1 = arith.constant 1 : index
  tile.launch @casts grid(%c1) args(%x, %i, %xf16, %xbf16, %xi8, %xi32, %if32, %if16, %ibf16, %ii8)
    : !f32g, !i32g, !tile.buffer<64xf16, global>, !tile.buffer<64xbf16, global>, !tile.buffer<64xi8, global>, !tile.buffer<64xi32, global>,
      !tile.buffer<16xf32, global>, !tile.buffer<16xf16, global>, !tile.buffer<16xbf16, global>, !tile.buffer<16xi8, global>
  return
}
