// Reductions of a ragged 5 x 19 window (of a 8 x 32 tile) with NaN and infinities in it, along rows and along columns.
!in = !tile.buffer<?x?xf32, global>
!window = !tile.buffer<8x32xf32, global>
!tile = !tile.buffer<8x32xf32, scratch>
!column = !tile.buffer<8x1xf32, scratch>
!columnI = !tile.buffer<8x1xi32, scratch>
!row = !tile.buffer<1x32xf32, scratch>
!out = !tile.buffer<?x1xf32, global>
!outI = !tile.buffer<?x1xi32, global>
!outRow = !tile.buffer<1x?xf32, global>
!outW = !tile.buffer<8x1xf32, global>
!outIW = !tile.buffer<8x1xi32, global>
!outRowW = !tile.buffer<1x32xf32, global>
tile.kernel @reductions(%x: !in, %max: !out, %min: !out, %maxnum: !out, %argmax: !outI, %argmin: !outI, %sum: !out, %prod: !outRow) grid(%g) {
  %w = tile.slice %x[0, 0] : !in to !window
  %t = tile.alloc : !tile
  %c = tile.alloc : !column
  %i = tile.alloc : !columnI
  %r = tile.alloc : !row
  tile.copy %w, %t : !window, !tile
  %wmax = tile.slice %max[0, 0] : !out to !outW
  tile.reduce <max> %t, %c dims [1] : !tile, !column
  tile.copy %c, %wmax : !column, !outW
  %wmin = tile.slice %min[0, 0] : !out to !outW
  tile.reduce <min> %t, %c dims [1] : !tile, !column
  tile.copy %c, %wmin : !column, !outW
  %wmaxnum = tile.slice %maxnum[0, 0] : !out to !outW
  tile.reduce <maxnum> %t, %c dims [1] : !tile, !column
  tile.copy %c, %wmaxnum : !column, !outW
  %wargmax = tile.slice %argmax[0, 0] : !outI to !outIW
  tile.reduce <argmax> %t, %i dims [1] : !tile, !columnI
  tile.copy %i, %wargmax : !columnI, !outIW
  %wargmin = tile.slice %argmin[0, 0] : !outI to !outIW
  tile.reduce <argmin> %t, %i dims [1] : !tile, !columnI
  tile.copy %i, %wargmin : !columnI, !outIW
  %wsum = tile.slice %sum[0, 0] : !out to !outW
  tile.reduce <add> %t, %c dims [1] : !tile, !column
  tile.copy %c, %wsum : !column, !outW
  %wprod = tile.slice %prod[0, 0] : !outRow to !outRowW
  tile.reduce <mul> %t, %r dims [0] : !tile, !row
  tile.copy %r, %wprod : !row, !outRowW
}
func.func @main(%x: !in {tile.name = "x", tile.input = "zeros"}, %max: !out {tile.name = "max", tile.output = "dim(x,0)x1"}, %min: !out {tile.name = "min", tile.output = "dim(x,0)x1"},
                %maxnum: !out {tile.name = "maxnum", tile.output = "dim(x,0)x1"}, %argmax: !outI {tile.name = "argmax", tile.output = "dim(x,0)x1"},
                %argmin: !outI {tile.name = "argmin", tile.output = "dim(x,0)x1"}, %sum: !out {tile.name = "sum", tile.output = "dim(x,0)x1"},
                %prod: !outRow {tile.name = "prod", tile.output = "1xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @reductions grid(%c1) args(%x, %max, %min, %maxnum, %argmax, %argmin, %sum, %prod) : !in, !out, !out, !out, !outI, !outI, !out, !outRow
  return
}
