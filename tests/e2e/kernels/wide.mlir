// Tiles far wider than a vector register: code for them is loops, so that it compiles as fast as that of small ones.
!block = !tile.buffer<4x65536xf16, global>
!blockTile = !tile.buffer<4x65536xf16, scratch>
!sums = !tile.buffer<4x1xf32, global>
!sumTile = !tile.buffer<4x1xf32, scratch>
!line = !tile.buffer<49152xf32, global>
!lineTile = !tile.buffer<49152xf32, scratch>
!results = !tile.buffer<3x1xf32, global>
!result = !tile.buffer<1xf32, global>
!resultTile = !tile.buffer<1xf32, scratch>

tile.kernel @wide(%x: !block, %y: !block, %sums: !sums, %line: !line, %results: !results) grid(%i) {
  %t = tile.alloc : !blockTile
  %s = tile.alloc : !sumTile
  tile.copy %x, %t : !block, !blockTile
  tile.map ins(%t : !blockTile) outs(%t : !blockTile) {
  ^bb0(%a: f16):
    %b = math.exp %a : f16
    tile.yield %b : f16
  }
  tile.reduce <add> %t, %s dims [1] : !blockTile, !sumTile
  tile.copy %t, %y : !blockTile, !block
  tile.copy %s, %sums : !sumTile, !sums

  %l = tile.alloc : !lineTile
  %r = tile.alloc : !resultTile
  tile.copy %line, %l : !line, !lineTile
  %r0 = tile.slice %results[0, 0] : !results to !result
  tile.reduce <add> %l, %r dims [0] : !lineTile, !resultTile
  tile.copy %r, %r0 : !resultTile, !result
  %r1 = tile.slice %results[1, 0] : !results to !result
  tile.reduce <max> %l, %r dims [0] : !lineTile, !resultTile
  tile.copy %r, %r1 : !resultTile, !result
  %r2 = tile.slice %results[2, 0] : !results to !result
  tile.reduce <add> %l, %r dims [0] order <tree> : !lineTile, !resultTile
  tile.copy %r, %r2 : !resultTile, !result
}

func.func @main(%x: !block {tile.name = "x", tile.input = "randn:4x65536:seed=1"},
                %y: !block {tile.name = "y", tile.output = "4x65536"},
                %sums: !sums {tile.name = "sums", tile.output = "4x1"},
                %line: !line {tile.name = "line", tile.input = "randn:49152:seed=2"},
                %results: !results {tile.name = "results", tile.output = "3x1"}) {
  %c1 = arith.constant 1 : index
  tile.launch @wide grid(%c1) args(%x, %y, %sums, %line, %results) : !block, !block, !sums, !line, !results
  return
}
