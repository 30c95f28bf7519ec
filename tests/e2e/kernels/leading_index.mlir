// Each leading index of a buffer has valid extents of its own: many of them, set one by one and all at once.
tile.param @R = 40

!matrix = !tile.buffer<?x?xf32, global>
!rowWindow = !tile.buffer<24xf32, global>
!rows = !tile.buffer<@R x 24 x f32, scratch>
!row = !tile.buffer<24xf32, scratch>
!window = !tile.buffer<@R x 24 x f32, global>

tile.kernel @leading_index(%x: !matrix, %rows: !matrix, %whole: !matrix) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.param_value @R : index
  %zero = arith.constant 0.0 : f32
  %a = tile.alloc : !rows
  tile.fill %a, %zero : !rows, f32
  // Row n is the input's from column n on: the later, the fewer are valid.
  scf.for %n = %c0 to %r step %c1 {
    %w = tile.slice %x[%n, %n] : !matrix to !rowWindow
    %s = tile.slice %a[%n, 0] : !rows to !row
    tile.copy %w, %s : !rowWindow, !row
  }
  scf.for %n = %c0 to %r step %c1 {
    %s = tile.slice %a[%n, 0] : !rows to !row
    %w = tile.slice %rows[%n, 0] : !matrix to !rowWindow
    tile.copy %s, %w : !row, !rowWindow
  }
  %w = tile.slice %x[0, 0] : !matrix to !window
  tile.copy %w, %a : !window, !rows
  %z = tile.slice %whole[0, 0] : !matrix to !window
  tile.copy %a, %z : !rows, !window
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:37x30:seed=1"},
                %rows: !matrix {tile.name = "rows", tile.input = "zeros:40x24", tile.output = "40x24"},
                %whole: !matrix {tile.name = "whole", tile.output = "37x24"}) {
  %c1 = arith.constant 1 : index
  tile.launch @leading_index grid(%c1) args(%x, %rows, %whole) : !matrix, !matrix, !matrix
  return
}
