// Scratch and accumulator buffers in other layouts than row-major: padded, permuted, strided in every dimension, with an offset, in stages and a team
// each; numbers do not depend on any of them. Inputs smaller than the windows leave them partly invalid.
tile.param @T : type = f16

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<24x40x!tile.param<@T>, global>
!padded = !tile.buffer<24x40x!tile.param<@T>, scratch, #tile.layout<S[(24,40):(48,1)]>>
!weights = !tile.buffer<24x40x!tile.param<@T>, scratch, #tile.layout<S[(24,40):(1,25)]>>
!stages = !tile.buffer<2x24x40x!tile.param<@T>, scratch, #tile.layout<S[(2,24,40):(1000,41,1)] + 7>>
!stage = !tile.buffer<24x40x!tile.param<@T>, scratch>
!permuted = !tile.buffer<24x40xf32, scratch, #tile.layout<S[(24,40):(1,24)]>>
!strided = !tile.buffer<24x40xf32, scratch, #tile.layout<S[(24,40):(81,2)] + 16>>
!turned = !tile.buffer<40x24xf32, scratch, #tile.layout<S[(40,24):(64,2)]>>
!column = !tile.buffer<24x1xf32, scratch, #tile.layout<S[(24,1):(3,1)]>>
!row = !tile.buffer<1x40xf32, scratch, #tile.layout<S[(1,40):(7,2)] + 1>>
!acc = !tile.buffer<24x24xf32, acc, #tile.layout<S[(24,24):(36,1)] + 4>>
!product = !tile.buffer<24x24xf32, scratch, #tile.layout<S[(24,24):(40,1)]>>
!cube = !tile.buffer<2x3x8xf32, scratch, #tile.layout<S[(2,3,8):(3,1,6)]>>
!mine = !tile.buffer<1x40xf32, scratch, #tile.layout<S[(1,40):(40,3)] + 2>>
!out = !tile.buffer<?x?xf32, global>
!outWindow = !tile.buffer<24x40xf32, global>
!columnWindow = !tile.buffer<24x1xf32, global>
!rowWindow = !tile.buffer<1x40xf32, global>
!turnedWindow = !tile.buffer<40x24xf32, global>
!productWindow = !tile.buffer<24x24xf32, global>
!cubeOut = !tile.buffer<2x3x8xf32, global>

// Elements: copies in and out, conversions, maps, fills, reductions, transposes.
tile.kernel @elements(%x: !matrix, %y: !out, %alongRows: !out, %alongColumns: !out, %z: !out, %cubes: !cubeOut) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !padded
  %wide = tile.alloc : !permuted
  %sum = tile.alloc : !strided
  %turned = tile.alloc : !turned
  %c = tile.alloc : !column
  %r = tile.alloc : !row
  %ones = tile.alloc : !permuted
  %cube = tile.alloc : !cube
  %one = arith.constant 1.0 : f32
  tile.copy %w, %in : !window, !padded
  tile.cast %in, %wide : !padded, !permuted
  tile.fill %ones, %one : !permuted, f32
  tile.map ins(%in, %wide, %ones : !padded, !permuted, !permuted) outs(%sum : !strided) {
  ^bb0(%a: !tile.param<@T>, %b: f32, %o: f32):
    %f = tile.convert %a : !tile.param<@T> to f32
    %p = arith.mulf %f, %b : f32
    %s = arith.addf %p, %o : f32
    tile.yield %s : f32
  }
  %yw = tile.slice %y[0, 0] : !out to !outWindow
  tile.copy %sum, %yw : !strided, !outWindow
  tile.reduce <max> %sum, %c dims [1] : !strided, !column
  tile.reduce <add> %wide, %c dims [1] {accumulate} : !permuted, !column
  tile.reduce <add> %sum, %r dims [0] order <tree> : !strided, !row
  %cw = tile.slice %alongRows[0, 0] : !out to !columnWindow
  tile.copy %c, %cw : !column, !columnWindow
  %rw = tile.slice %alongColumns[0, 0] : !out to !rowWindow
  tile.copy %r, %rw : !row, !rowWindow
  tile.transpose %sum, %turned permutation [1, 0] : !strided, !turned
  tile.transpose %turned, %wide permutation [1, 0] : !turned, !permuted
  tile.map ins(%wide, %r : !permuted, !row) outs(%wide : !permuted) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    tile.yield %s : f32
  }
  tile.transpose %wide, %turned permutation [1, 0] : !permuted, !turned
  %zw = tile.slice %z[0, 0] : !out to !turnedWindow
  tile.copy %turned, %zw : !turned, !turnedWindow
  tile.fill %cube, %one : !cube, f32
  tile.map outs(%cube : !cube) {
  ^bb0:
    %d0 = tile.index 0 : i64
    %d1 = tile.index 1 : i64
    %d2 = tile.index 2 : i64
    %ten = arith.constant 10 : i64
    %h = arith.muli %d0, %ten : i64
    %t = arith.addi %h, %d1 : i64
    %u = arith.muli %t, %ten : i64
    %n = arith.addi %u, %d2 : i64
    %v = arith.sitofp %n : i64 to f32
    tile.yield %v : f32
  }
  tile.copy %cube, %cubes : !cube, !cubeOut
}

// Matrix products: row-major and transposed operands in padded and permuted buffers, stages, sums with gaps.
tile.kernel @products(%a: !matrix, %b: !matrix, %y: !out) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %aw = tile.slice %a[0, 0] : !matrix to !window
  %bw = tile.slice %b[0, 0] : !matrix to !window
  %left = tile.alloc : !stages
  %right = tile.alloc : !weights
  %sums = tile.alloc : !acc
  %product = tile.alloc : !product
  %t = tile.copy_async %bw, %right : !window, !weights
  tile.wait %t
  scf.for %n = %c0 to %c2 step %c1 {
    %stage = tile.slice %left[%n, 0, 0] : !stages to !stage
    tile.copy %aw, %stage : !window, !stage
    %more = arith.cmpi ne, %n, %c0 : index
    tile.matmul %stage, %right, %sums accumulate(%more) {transpose_b} : !stage, !weights, !acc
  }
  tile.copy %sums, %product : !acc, !product
  %yw = tile.slice %y[0, 0] : !out to !productWindow
  tile.copy %product, %yw : !product, !productWindow
}

// A buffer each team.
tile.kernel @teams(%x: !matrix, %y: !out) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !padded
  %out = tile.alloc : !permuted
  tile.copy %w, %in : !window, !padded
  %c24 = arith.constant 24 : index
  tile.exec team {
    %team = tile.team_id : index
    %teams = tile.num_teams : index
    %own = tile.alloc : !mine
    scf.for %row = %team to %c24 step %teams {
      %from = tile.slice %in[%row, 0] : !padded to !tile.buffer<1x40x!tile.param<@T>, scratch>
      %to = tile.slice %out[%row, 0] : !permuted to !tile.buffer<1x40xf32, scratch>
      tile.cast %from, %own : !tile.buffer<1x40x!tile.param<@T>, scratch>, !mine
      tile.copy %own, %to : !mine, !tile.buffer<1x40xf32, scratch>
    }
  }
  %yw = tile.slice %y[0, 0] : !out to !outWindow
  tile.copy %out, %yw : !permuted, !outWindow
}

// Results without a layout follow what they are computed from (--explain-layouts says so).
tile.kernel @followed(%x: !matrix, %y: !out) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !weights
  %wide = tile.alloc : !tile.buffer<24x40xf32, scratch>
  %max = tile.alloc : !tile.buffer<1x40xf32, scratch>
  tile.copy %w, %in : !window, !weights
  tile.cast %in, %wide : !weights, !tile.buffer<24x40xf32, scratch>
  tile.reduce <max> %wide, %max dims [0] : !tile.buffer<24x40xf32, scratch>, !tile.buffer<1x40xf32, scratch>
  tile.map ins(%wide, %max : !tile.buffer<24x40xf32, scratch>, !tile.buffer<1x40xf32, scratch>) outs(%wide : !tile.buffer<24x40xf32, scratch>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    tile.yield %s : f32
  }
  %yw = tile.slice %y[0, 0] : !out to !outWindow
  tile.copy %wide, %yw : !tile.buffer<24x40xf32, scratch>, !outWindow
}

func.func @main(%a: !matrix {tile.name = "a", tile.input = "randn:24x40:seed=1"}, %b: !matrix {tile.name = "b", tile.input = "randn:24x40:seed=2"},
                %sums: !out {tile.name = "sums", tile.output = "dim(a,0)xdim(a,1)"}, %alongRows: !out {tile.output = "dim(a,0)x1"},
                %alongColumns: !out {tile.output = "1xdim(a,1)"}, %turned: !out {tile.output = "dim(a,1)xdim(a,0)"},
                %cubes: !cubeOut {tile.output = "2x3x8"}, %product: !out {tile.name = "product", tile.output = "dim(a,0)xdim(b,0)"},
                %copied: !out {tile.name = "copied", tile.output = "dim(a,0)xdim(a,1)"}, %followed: !out {tile.name = "followed", tile.output = "dim(a,0)xdim(a,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @elements grid(%c1) args(%a, %sums, %alongRows, %alongColumns, %turned, %cubes) : !matrix, !out, !out, !out, !out, !cubeOut
  tile.launch @products grid(%c1) args(%a, %b, %product) : !matrix, !matrix, !out
  tile.launch @teams grid(%c1) args(%a, %copied) : !matrix, !out
  tile.launch @followed grid(%c1) args(%a, %followed) : !matrix, !out
  return
}
