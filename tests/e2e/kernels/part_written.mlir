// Some teams, or a group, copy a ragged window into a buffer of the whole core: what is valid of it then holds for all, in loops too.
!m = !tile.buffer<?x?xf32, global>
!w = !tile.buffer<8x64xf32, global>
!s = !tile.buffer<8x64xf32, scratch>
!stages = !tile.buffer<2x8x64xf32, scratch>
!r = !tile.buffer<8x1xf32, scratch>
!rw = !tile.buffer<8x1xf32, global>

tile.kernel @parts(%x: !m, %y: !m) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %r = tile.alloc : !r
  %n = tile.dim %x, 1 : !m
  scf.for %col = %c0 to %n step %c64 {
    %s = tile.alloc : !s
    %two = tile.alloc : !stages
    tile.fill %s, %z : !s, f32
    tile.fill %two, %z : !stages, f32
    %w = tile.slice %x[0, %col] : !m to !w
    %block = arith.divui %col, %c64 : index
    %wy = tile.slice %y[0, %block] : !m to !rw
    // Team 0 writes all of it, and the group of team 0 one half of the other buffer.
    tile.exec team [0] {
      tile.copy %w, %s : !w, !s
    }
    tile.exec group [0] {
      %own = tile.slice %two[1, 0, 0] : !stages to !s
      tile.copy %w, %own : !w, !s
      tile.exec team [0] {
        %first = tile.slice %two[0, 0, 0] : !stages to !s
        tile.copy %s, %first : !s, !s
      }
    }
    %a = tile.slice %two[0, 0, 0] : !stages to !s
    %b = tile.slice %two[1, 0, 0] : !stages to !s
    tile.map ins(%a, %b : !s, !s) outs(%a : !s) {
    ^bb0(%p: f32, %q: f32):
      %d = arith.mulf %p, %q : f32
      tile.yield %d : f32
    }
    tile.reduce <mul> %a, %r dims [1] : !s, !r
    tile.copy %r, %wy : !r, !rw
  }
}

func.func @main(%x: !m {tile.name = "x", tile.input = "uniform:7x161:low=0.8:high=1.2:seed=1"},
                %y: !m {tile.name = "y", tile.output = "7x3"}) {
  %c1 = arith.constant 1 : index
  tile.launch @parts grid(%c1) args(%x, %y) : !m, !m
  return
}
