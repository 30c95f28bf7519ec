// Windows that overhang every edge, lie outside altogether, and drop an index that is outside.
!x = !tile.buffer<?x?xf32, global>
!window = !tile.buffer<8x16xf32, global>
!tile = !tile.buffer<8x16xf32, scratch>
!turned = !tile.buffer<16x8xf32, scratch>
!column = !tile.buffer<8x1xf32, scratch>
!row = !tile.buffer<1x16xf32, scratch>
!line = !tile.buffer<16xf32, global>
!lineTile = !tile.buffer<16xf32, scratch>

tile.kernel @edges(%x: !x, %copied: !x, %turned: !x, %sums: !x, %lines: !x, %dy: index, %dx: index) grid(%i, %j) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %row = arith.muli %i, %c8 : index
  %col = arith.muli %j, %c16 : index
  %up = arith.subi %row, %dy : index
  %left = arith.subi %col, %dx : index
  %w = tile.slice %x[%up, %left] : !x to !window

  // What lies below a low edge is zero, what lies past a high one is absent.
  %s = tile.alloc : !tile
  tile.copy %w, %s : !window, !tile
  %wCopied = tile.slice %copied[%row, %col] : !x to !window
  tile.copy %s, %wCopied : !tile, !window

  %t = tile.alloc : !turned
  tile.transpose %w, %t permutation [1, 0] : !window, !turned
  %wTurned = tile.slice %turned[%col, %row] : !x to !tile.buffer<16x8xf32, global>
  tile.copy %t, %wTurned : !turned, !tile.buffer<16x8xf32, global>

  // Sums in order, so that the bits are the same.
  %c = tile.alloc : !column
  %r = tile.alloc : !row
  %there = tile.alloc : !tile
  tile.reduce <add> %s, %c dims [1] order <tree> : !tile, !column
  tile.reduce <max> %s, %r dims [0] : !tile, !row
  tile.map ins(%c, %r : !column, !row) outs(%there : !tile) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  }
  %wSums = tile.slice %sums[%row, %col] : !x to !window
  tile.copy %there, %wSums : !tile, !window

  // One line: its index may be outside.
  %line = tile.slice %x[%up, %left] : !x to !line
  %l = tile.alloc : !lineTile
  tile.fill %l, %one : !lineTile, f32
  tile.copy %line, %l : !line, !lineTile
  %to = tile.slice %lines[%i, %col] : !x to !line
  tile.copy %l, %to : !lineTile, !line
}

func.func @main(%x: !x {tile.name = "x", tile.input = "special:21x37:seed=1"},
                %dy: index {tile.name = "dy", tile.input = "3"}, %dx: index {tile.name = "dx", tile.input = "5"},
                %copied: !x {tile.name = "copied", tile.input = "full:24x48:value=-1", tile.output = "24x48"},
                %turned: !x {tile.name = "turned", tile.input = "full:48x24:value=-1", tile.output = "48x24"},
                %sums: !x {tile.name = "sums", tile.input = "full:24x48:value=-1", tile.output = "24x48"},
                %lines: !x {tile.name = "lines", tile.input = "full:3x48:value=-1", tile.output = "3x48"}) {
  %c3 = arith.constant 3 : index
  tile.launch @edges grid(%c3, %c3) args(%x, %copied, %turned, %sums, %lines, %dy, %dx)
      : !x, !x, !x, !x, !x, index, index
  return
}
