// Every operation on windows that have no valid element, and what is left of a result that was there before: the rows and
// columns of %x that there are, none of one or of both. Where an operation writes nothing, %y keeps its sevens.
tile.param @R = 20
tile.param @C = 36
tile.param @FOUR : type = i4

!x = !tile.buffer<?x?xf32, global>
!window = !tile.buffer<@R x @C x f32, global>
!tile = !tile.buffer<@R x @C x f32, scratch>
!half = !tile.buffer<@R x @C x f16, scratch>
!four = !tile.buffer<@R x @C x !tile.param<@FOUR>, scratch>
!turned = !tile.buffer<@C x @R x f32, scratch>
!square = !tile.buffer<@C x @C x f32, scratch>
!acc = !tile.buffer<@R x @C x f32, acc>
!row = !tile.buffer<1 x @C x f32, scratch>
!column = !tile.buffer<@R x 1 x f32, scratch>
!rowWindow = !tile.buffer<1 x @C x f32, global>
!columnWindow = !tile.buffer<@R x 1 x f32, global>
!numbers = !tile.buffer<?x?xi32, global>
!ids = !tile.buffer<@R x 1 x i32, scratch>
!each = !tile.buffer<1 x @C x i32, scratch>
!idsWindow = !tile.buffer<@R x 1 x i32, global>
!eachWindow = !tile.buffer<1 x @C x i32, global>
!counts = !tile.buffer<8xi32, scratch>
!best = !tile.buffer<@R x 3 x f32, scratch>
!where = !tile.buffer<@R x 3 x i32, scratch>
!firsts = !tile.buffer<@R x 1 x i32, scratch>
!out = !tile.buffer<?x?x?xf32, global>
!outWindow = !tile.buffer<@R x @C x f32, global>
!bestWindow = !tile.buffer<@R x 3 x f32, global>
!marks = !tile.buffer<?x?xi32, global>
!countsOut = !tile.buffer<8xi32, global>

tile.kernel @empty(%x: !x, %numbers: !numbers, %y: !out, %firstsOut: !marks, %counted: !countsOut) grid(%i) {
  %seven = arith.constant 7.0 : f32
  %two = arith.constant 2.0 : f32
  %in = tile.alloc : !tile
  %r = tile.alloc : !tile
  %full = tile.alloc : !tile
  %h = tile.alloc : !half
  %four = tile.alloc : !four
  %found = tile.alloc : !four
  %turned = tile.alloc : !turned
  %square = tile.alloc : !square
  %acc = tile.alloc : !acc
  %row = tile.alloc : !row
  %column = tile.alloc : !column
  %sums = tile.alloc : !column
  %tops = tile.alloc : !row
  %ids = tile.alloc : !ids
  %each = tile.alloc : !each
  %counts = tile.alloc : !counts
  %best = tile.alloc : !best
  %where = tile.alloc : !where
  %firsts = tile.alloc : !firsts
  %w = tile.slice %x[0, 0] : !x to !window
  %wr = tile.slice %x[0, 0] : !x to !rowWindow
  %wc = tile.slice %x[0, 0] : !x to !columnWindow
  %wi = tile.slice %numbers[0, 0] : !numbers to !idsWindow
  %we = tile.slice %numbers[0, 0] : !numbers to !eachWindow
  tile.fill %full, %two : !tile, f32
  tile.fill %square, %two : !square, f32
  tile.copy %w, %in : !window, !tile
  tile.copy %wr, %row : !rowWindow, !row
  tile.copy %wc, %column : !columnWindow, !column
  tile.copy %wi, %ids : !idsWindow, !ids
  tile.copy %we, %each : !eachWindow, !each

  %y0 = tile.slice %y[0, 0, 0] : !out to !outWindow
  tile.fill %y0, %seven : !outWindow, f32
  tile.copy %w, %r : !window, !tile
  tile.copy %r, %y0 : !tile, !outWindow

  %y1 = tile.slice %y[1, 0, 0] : !out to !outWindow
  tile.fill %y1, %seven : !outWindow, f32
  %t1 = tile.copy_async %w, %r : !window, !tile
  tile.wait %t1
  tile.copy %r, %y1 : !tile, !outWindow

  %y2 = tile.slice %y[2, 0, 0] : !out to !outWindow
  tile.fill %y2, %seven : !outWindow, f32
  tile.copy %in, %r : !tile, !tile
  tile.copy %r, %y2 : !tile, !outWindow

  %y3 = tile.slice %y[3, 0, 0] : !out to !outWindow
  tile.fill %y3, %seven : !outWindow, f32
  tile.cast %in, %h : !tile, !half
  tile.cast %h, %r : !half, !tile
  tile.copy %r, %y3 : !tile, !outWindow

  %y4 = tile.slice %y[4, 0, 0] : !out to !outWindow
  tile.fill %y4, %seven : !outWindow, f32
  tile.map ins(%in, %row : !tile, !row) outs(%r : !tile) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  tile.copy %r, %y4 : !tile, !outWindow

  %y5 = tile.slice %y[5, 0, 0] : !out to !outWindow
  tile.fill %y5, %seven : !outWindow, f32
  tile.map ins(%in, %column : !tile, !column) outs(%r : !tile) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    tile.yield %s : f32
  }
  tile.copy %r, %y5 : !tile, !outWindow

  %y6 = tile.slice %y[6, 0, 0] : !out to !outWindow
  tile.fill %y6, %seven : !outWindow, f32
  tile.broadcast %row, %r : !row, !tile
  tile.copy %r, %y6 : !tile, !outWindow

  %y7 = tile.slice %y[7, 0, 0] : !out to !outWindow
  tile.fill %y7, %seven : !outWindow, f32
  tile.broadcast %column, %r : !column, !tile
  tile.copy %r, %y7 : !tile, !outWindow

  %y8 = tile.slice %y[8, 0, 0] : !out to !outWindow
  tile.fill %y8, %seven : !outWindow, f32
  tile.scan <add> %in, %r dim 1 : !tile, !tile
  tile.copy %r, %y8 : !tile, !outWindow

  %y9 = tile.slice %y[9, 0, 0] : !out to !outWindow
  tile.fill %y9, %seven : !outWindow, f32
  tile.scan <max> %in, %r dim 0 {exclusive, reverse} : !tile, !tile
  tile.copy %r, %y9 : !tile, !outWindow

  %y10 = tile.slice %y[10, 0, 0] : !out to !outWindow
  tile.fill %y10, %seven : !outWindow, f32
  tile.sort %in, %r dim 1 : !tile, !tile
  tile.copy %r, %y10 : !tile, !outWindow

  %y11 = tile.slice %y[11, 0, 0] : !out to !outWindow
  tile.fill %y11, %seven : !outWindow, f32
  tile.gather %in, %ids, %r dim 0 : !tile, !ids, !tile
  tile.copy %r, %y11 : !tile, !outWindow

  %y12 = tile.slice %y[12, 0, 0] : !out to !outWindow
  tile.fill %y12, %seven : !outWindow, f32
  tile.gather %in, %each, %r dim 1 : !tile, !each, !tile
  tile.copy %r, %y12 : !tile, !outWindow

  %y13 = tile.slice %y[13, 0, 0] : !out to !outWindow
  tile.fill %y13, %seven : !outWindow, f32
  tile.copy %full, %r : !tile, !tile
  tile.scatter %in, %ids, %r dim 0 : !tile, !ids, !tile
  tile.copy %r, %y13 : !tile, !outWindow

  %y14 = tile.slice %y[14, 0, 0] : !out to !outWindow
  tile.fill %y14, %seven : !outWindow, f32
  tile.copy %full, %r : !tile, !tile
  tile.scatter %full, %ids, %r dim 0 combine <add> : !tile, !ids, !tile
  tile.copy %r, %y14 : !tile, !outWindow

  %y15 = tile.slice %y[15, 0, 0] : !out to !outWindow
  tile.fill %y15, %seven : !outWindow, f32
  tile.cast %in, %four : !tile, !four
  tile.gather %four, %ids, %found dim 0 : !four, !ids, !four
  tile.cast %found, %r : !four, !tile
  tile.copy %r, %y15 : !tile, !outWindow

  %y16 = tile.slice %y[16, 0, 0] : !out to !outWindow
  tile.fill %y16, %seven : !outWindow, f32
  tile.transpose %in, %turned permutation [1, 0] : !tile, !turned
  tile.transpose %turned, %r permutation [1, 0] : !turned, !tile
  tile.copy %r, %y16 : !tile, !outWindow

  %y17 = tile.slice %y[17, 0, 0] : !out to !outWindow
  tile.fill %y17, %seven : !outWindow, f32
  tile.matmul %in, %square, %acc : !tile, !square, !acc
  tile.copy %acc, %r : !acc, !tile
  tile.copy %r, %y17 : !tile, !outWindow

  %y18 = tile.slice %y[18, 0, 0] : !out to !outWindow
  tile.fill %y18, %seven : !outWindow, f32
  tile.copy %full, %r : !tile, !tile
  tile.reduce <add> %in, %sums dims [1] : !tile, !column
  tile.broadcast %sums, %r : !column, !tile
  tile.copy %r, %y18 : !tile, !outWindow

  %y19 = tile.slice %y[19, 0, 0] : !out to !outWindow
  tile.fill %y19, %seven : !outWindow, f32
  tile.copy %full, %r : !tile, !tile
  tile.reduce <max> %in, %tops dims [0] : !tile, !row
  tile.broadcast %tops, %r : !row, !tile
  tile.copy %r, %y19 : !tile, !outWindow

  %y20 = tile.slice %y[20, 0, 0] : !out to !outWindow
  tile.fill %y20, %seven : !outWindow, f32
  tile.copy %full, %r : !tile, !tile
  tile.reduce <add> %in, %sums dims [1] order <tree> : !tile, !column
  tile.broadcast %sums, %r : !column, !tile
  tile.copy %r, %y20 : !tile, !outWindow

  // The first three columns get what topk finds.
  %y21 = tile.slice %y[21, 0, 0] : !out to !outWindow
  tile.fill %y21, %seven : !outWindow, f32
  tile.topk %in, %best, %where dim 1 : !tile, !best, !where
  %yb = tile.slice %y[21, 0, 0] : !out to !bestWindow
  tile.copy %best, %yb : !best, !bestWindow
  %zero = arith.constant 0 : i32
  %wf = tile.slice %firstsOut[0, 0] : !marks to !idsWindow
  tile.fill %wf, %zero : !idsWindow, i32
  tile.reduce <argmin> %in, %firsts dims [1] : !tile, !firsts
  tile.copy %firsts, %wf : !firsts, !idsWindow
  tile.histogram %ids, %counts : !ids, !counts
  tile.copy %counts, %counted : !counts, !countsOut
}

func.func @main(%x: !x {tile.name = "x", tile.input = "zeros:0x36"},
                %numbers: !numbers {tile.name = "numbers", tile.input = "zeros:20x36"},
                %y: !out {tile.name = "y", tile.output = "22x20x36"},
                %firsts: !marks {tile.name = "firsts", tile.output = "20x1"},
                %counted: !countsOut {tile.name = "counted", tile.output = "8"}) {
  %c1 = arith.constant 1 : index
  tile.launch @empty grid(%c1) args(%x, %numbers, %y, %firsts, %counted) : !x, !numbers, !out, !marks, !countsOut
  return
}
