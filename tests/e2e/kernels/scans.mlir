// Running combinations along rows and along columns, from both ends, with and without the element itself; inputs smaller than the window leave it
// partly invalid. T is what is combined, U what it is combined in.
tile.param @R = 9
tile.param @C = 70
tile.param @T : type = f32
tile.param @U : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!rows = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!sums = !tile.buffer<@R x @C x !tile.param<@U>, scratch>
!out = !tile.buffer<?x?x?x!tile.param<@U>, global>
!outWindow = !tile.buffer<@R x @C x !tile.param<@U>, global>

tile.kernel @scans(%x: !matrix, %along: !out, %across: !out) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !rows
  %s = tile.alloc : !sums
  tile.copy %w, %in : !window, !rows
  tile.scan <add> %in, %s dim 1 : !rows, !sums
  %a0 = tile.slice %along[0, 0, 0] : !out to !outWindow
  tile.copy %s, %a0 : !sums, !outWindow
  tile.scan <add> %in, %s dim 1 {exclusive} : !rows, !sums
  %a1 = tile.slice %along[1, 0, 0] : !out to !outWindow
  tile.copy %s, %a1 : !sums, !outWindow
  tile.scan <add> %in, %s dim 1 {exclusive, reverse} : !rows, !sums
  %a2 = tile.slice %along[2, 0, 0] : !out to !outWindow
  tile.copy %s, %a2 : !sums, !outWindow
  tile.scan <mul> %in, %s dim 1 : !rows, !sums
  %a3 = tile.slice %along[3, 0, 0] : !out to !outWindow
  tile.copy %s, %a3 : !sums, !outWindow
  tile.scan <min> %in, %s dim 1 : !rows, !sums
  %a4 = tile.slice %along[4, 0, 0] : !out to !outWindow
  tile.copy %s, %a4 : !sums, !outWindow
  tile.scan <max> %in, %s dim 1 {reverse} : !rows, !sums
  %a5 = tile.slice %along[5, 0, 0] : !out to !outWindow
  tile.copy %s, %a5 : !sums, !outWindow
  tile.scan <add> %in, %s dim 0 : !rows, !sums
  %c0 = tile.slice %across[0, 0, 0] : !out to !outWindow
  tile.copy %s, %c0 : !sums, !outWindow
  tile.scan <add> %in, %s dim 0 {exclusive, reverse} : !rows, !sums
  %c1 = tile.slice %across[1, 0, 0] : !out to !outWindow
  tile.copy %s, %c1 : !sums, !outWindow
  tile.scan <mul> %in, %s dim 0 {reverse} : !rows, !sums
  %c2 = tile.slice %across[2, 0, 0] : !out to !outWindow
  tile.copy %s, %c2 : !sums, !outWindow
  tile.scan <min> %in, %s dim 0 {exclusive} : !rows, !sums
  %c3 = tile.slice %across[3, 0, 0] : !out to !outWindow
  tile.copy %s, %c3 : !sums, !outWindow
  tile.scan <max> %in, %s dim 0 : !rows, !sums
  %c4 = tile.slice %across[4, 0, 0] : !out to !outWindow
  tile.copy %s, %c4 : !sums, !outWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:9x70:seed=1"},
                %along: !out {tile.name = "along", tile.output = "6xdim(x,0)xdim(x,1)"},
                %across: !out {tile.name = "across", tile.output = "5xdim(x,0)xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @scans grid(%c1) args(%x, %along, %across) : !matrix, !out, !out
  return
}
