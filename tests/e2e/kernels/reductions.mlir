// Reductions of every kind along rows and along columns, with and without the old value, and behind a map that produces what they read; argmin, argmax
// and the order `tree`. Inputs smaller than the window leave it partly invalid.
tile.param @R = 9
tile.param @C = 70
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!rows = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!wide = !tile.buffer<@R x @C x f32, scratch>
!column = !tile.buffer<@R x 1 x f32, scratch>
!row = !tile.buffer<1 x @C x f32, scratch>
!columnIndex = !tile.buffer<@R x 1 x i32, scratch>
!rowIndex = !tile.buffer<1 x @C x i32, scratch>
!out = !tile.buffer<?x?xf32, global>
!outIndex = !tile.buffer<?x?xi32, global>
!columnWindow = !tile.buffer<@R x 1 x f32, global>
!rowWindow = !tile.buffer<1 x @C x f32, global>
!columnIndexWindow = !tile.buffer<@R x 1 x i32, global>
!rowIndexWindow = !tile.buffer<1 x @C x i32, global>

tile.kernel @reductions(%x: !matrix, %alongRows: !out, %alongColumns: !out, %rowIndices: !outIndex, %columnIndices: !outIndex) grid(%i) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !rows
  %e = tile.alloc : !wide
  %c = tile.alloc : !column
  %r = tile.alloc : !row
  %ci = tile.alloc : !columnIndex
  %ri = tile.alloc : !rowIndex
  tile.copy %w, %in : !window, !rows
  tile.reduce <add> %in, %c dims [1] : !rows, !column
  %rw0 = tile.slice %alongRows[0, 0] : !out to !columnWindow
  tile.copy %c, %rw0 : !column, !columnWindow
  tile.reduce <mul> %in, %c dims [1] : !rows, !column
  %rw1 = tile.slice %alongRows[0, 1] : !out to !columnWindow
  tile.copy %c, %rw1 : !column, !columnWindow
  tile.reduce <min> %in, %c dims [1] : !rows, !column
  %rw2 = tile.slice %alongRows[0, 2] : !out to !columnWindow
  tile.copy %c, %rw2 : !column, !columnWindow
  tile.reduce <max> %in, %c dims [1] : !rows, !column
  %rw3 = tile.slice %alongRows[0, 3] : !out to !columnWindow
  tile.copy %c, %rw3 : !column, !columnWindow
  tile.reduce <minnum> %in, %c dims [1] : !rows, !column
  %rw4 = tile.slice %alongRows[0, 4] : !out to !columnWindow
  tile.copy %c, %rw4 : !column, !columnWindow
  tile.reduce <maxnum> %in, %c dims [1] : !rows, !column
  %rw5 = tile.slice %alongRows[0, 5] : !out to !columnWindow
  tile.copy %c, %rw5 : !column, !columnWindow
  tile.reduce <add> %in, %c dims [1] {accumulate} : !rows, !column
  %rw6 = tile.slice %alongRows[0, 6] : !out to !columnWindow
  tile.copy %c, %rw6 : !column, !columnWindow
  tile.reduce <max> %in, %c dims [1] {accumulate} : !rows, !column
  %rw7 = tile.slice %alongRows[0, 7] : !out to !columnWindow
  tile.copy %c, %rw7 : !column, !columnWindow
  tile.reduce <minnum> %in, %c dims [1] {accumulate} : !rows, !column
  %rw8 = tile.slice %alongRows[0, 8] : !out to !columnWindow
  tile.copy %c, %rw8 : !column, !columnWindow
  tile.reduce <add> %in, %c dims [1] order <tree> : !rows, !column
  %rw9 = tile.slice %alongRows[0, 9] : !out to !columnWindow
  tile.copy %c, %rw9 : !column, !columnWindow
  tile.fill %c, %half : !column, f32
  tile.map ins(%in, %c : !rows, !column) outs(%e : !wide) {
  ^bb0(%v: !tile.param<@T>, %old: f32):
    %f = tile.convert %v : !tile.param<@T> to f32
    %j = tile.index 1 : index
    %k = tile.index 0 : index
    %beyond = arith.cmpi ugt, %j, %k : index
    %s = arith.mulf %f, %old : f32
    %n = arith.select %beyond, %s, %f : f32
    tile.yield %n : f32
  }
  tile.reduce <add> %e, %c dims [1] {accumulate} : !wide, !column
  %rw10 = tile.slice %alongRows[0, 10] : !out to !columnWindow
  tile.copy %c, %rw10 : !column, !columnWindow
  tile.fill %c, %half : !column, f32
  tile.map ins(%in, %c : !rows, !column) outs(%e : !wide) {
  ^bb0(%v: !tile.param<@T>, %old: f32):
    %f = tile.convert %v : !tile.param<@T> to f32
    %j = tile.index 1 : index
    %k = tile.index 0 : index
    %beyond = arith.cmpi ugt, %j, %k : index
    %s = arith.mulf %f, %old : f32
    %n = arith.select %beyond, %s, %f : f32
    tile.yield %n : f32
  }
  tile.reduce <max> %e, %c dims [1] : !wide, !column
  %rw11 = tile.slice %alongRows[0, 11] : !out to !columnWindow
  tile.copy %c, %rw11 : !column, !columnWindow
  tile.reduce <add> %in, %r dims [0] : !rows, !row
  %cw0 = tile.slice %alongColumns[0, 0] : !out to !rowWindow
  tile.copy %r, %cw0 : !row, !rowWindow
  tile.reduce <mul> %in, %r dims [0] : !rows, !row
  %cw1 = tile.slice %alongColumns[1, 0] : !out to !rowWindow
  tile.copy %r, %cw1 : !row, !rowWindow
  tile.reduce <min> %in, %r dims [0] : !rows, !row
  %cw2 = tile.slice %alongColumns[2, 0] : !out to !rowWindow
  tile.copy %r, %cw2 : !row, !rowWindow
  tile.reduce <max> %in, %r dims [0] : !rows, !row
  %cw3 = tile.slice %alongColumns[3, 0] : !out to !rowWindow
  tile.copy %r, %cw3 : !row, !rowWindow
  tile.reduce <minnum> %in, %r dims [0] : !rows, !row
  %cw4 = tile.slice %alongColumns[4, 0] : !out to !rowWindow
  tile.copy %r, %cw4 : !row, !rowWindow
  tile.reduce <maxnum> %in, %r dims [0] : !rows, !row
  %cw5 = tile.slice %alongColumns[5, 0] : !out to !rowWindow
  tile.copy %r, %cw5 : !row, !rowWindow
  tile.reduce <max> %in, %r dims [0] {accumulate} : !rows, !row
  %cw6 = tile.slice %alongColumns[6, 0] : !out to !rowWindow
  tile.copy %r, %cw6 : !row, !rowWindow
  tile.reduce <add> %in, %r dims [0] order <tree> : !rows, !row
  %cw7 = tile.slice %alongColumns[7, 0] : !out to !rowWindow
  tile.copy %r, %cw7 : !row, !rowWindow
  tile.reduce <argmin> %in, %ci dims [1] : !rows, !columnIndex
  %rx0 = tile.slice %rowIndices[0, 0] : !outIndex to !columnIndexWindow
  tile.copy %ci, %rx0 : !columnIndex, !columnIndexWindow
  tile.reduce <argmin> %in, %ri dims [0] : !rows, !rowIndex
  %cx0 = tile.slice %columnIndices[0, 0] : !outIndex to !rowIndexWindow
  tile.copy %ri, %cx0 : !rowIndex, !rowIndexWindow
  tile.reduce <argmax> %in, %ci dims [1] : !rows, !columnIndex
  %rx1 = tile.slice %rowIndices[0, 1] : !outIndex to !columnIndexWindow
  tile.copy %ci, %rx1 : !columnIndex, !columnIndexWindow
  tile.reduce <argmax> %in, %ri dims [0] : !rows, !rowIndex
  %cx1 = tile.slice %columnIndices[1, 0] : !outIndex to !rowIndexWindow
  tile.copy %ri, %cx1 : !rowIndex, !rowIndexWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:9x70:seed=1"},
                %alongRows: !out {tile.name = "alongRows", tile.output = "dim(x,0)x12"},
                %alongColumns: !out {tile.name = "alongColumns", tile.output = "8xdim(x,1)"},
                %rowIndices: !outIndex {tile.name = "rowIndices", tile.output = "dim(x,0)x2"},
                %columnIndices: !outIndex {tile.name = "columnIndices", tile.output = "2xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @reductions grid(%c1) args(%x, %alongRows, %alongColumns, %rowIndices, %columnIndices)
      : !matrix, !out, !out, !outIndex, !outIndex
  return
}
