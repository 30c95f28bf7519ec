// Every function of math on f32, on values of every kind: NaNs of both signs, infinities, denormals.
tile.param @N = 4096

!vector = !tile.buffer<?xf32, global>
!window = !tile.buffer<@N x f32, global>
!block = !tile.buffer<@N x f32, scratch>
!outs = !tile.buffer<?x?xf32, global>
!outWindow = !tile.buffer<@N x f32, global>

tile.kernel @functions(%x: !vector, %y: !outs, %one: f32) grid(%i) {
  %in = tile.alloc : !block
  %out = tile.alloc : !block
  %w = tile.slice %x[0] : !vector to !window
  tile.copy %w, %in : !window, !block
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.exp %v : f32
    tile.yield %r : f32
  }
  %o0 = tile.slice %y[0, 0] : !outs to !outWindow
  tile.copy %out, %o0 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.exp2 %v : f32
    tile.yield %r : f32
  }
  %o1 = tile.slice %y[1, 0] : !outs to !outWindow
  tile.copy %out, %o1 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.expm1 %v : f32
    tile.yield %r : f32
  }
  %o2 = tile.slice %y[2, 0] : !outs to !outWindow
  tile.copy %out, %o2 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.log %v : f32
    tile.yield %r : f32
  }
  %o3 = tile.slice %y[3, 0] : !outs to !outWindow
  tile.copy %out, %o3 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.log2 %v : f32
    tile.yield %r : f32
  }
  %o4 = tile.slice %y[4, 0] : !outs to !outWindow
  tile.copy %out, %o4 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.log10 %v : f32
    tile.yield %r : f32
  }
  %o5 = tile.slice %y[5, 0] : !outs to !outWindow
  tile.copy %out, %o5 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.log1p %v : f32
    tile.yield %r : f32
  }
  %o6 = tile.slice %y[6, 0] : !outs to !outWindow
  tile.copy %out, %o6 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.tanh %v : f32
    tile.yield %r : f32
  }
  %o7 = tile.slice %y[7, 0] : !outs to !outWindow
  tile.copy %out, %o7 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.erf %v : f32
    tile.yield %r : f32
  }
  %o8 = tile.slice %y[8, 0] : !outs to !outWindow
  tile.copy %out, %o8 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.rsqrt %v : f32
    tile.yield %r : f32
  }
  %o9 = tile.slice %y[9, 0] : !outs to !outWindow
  tile.copy %out, %o9 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.sqrt %v : f32
    tile.yield %r : f32
  }
  %o10 = tile.slice %y[10, 0] : !outs to !outWindow
  tile.copy %out, %o10 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.sin %v : f32
    tile.yield %r : f32
  }
  %o11 = tile.slice %y[11, 0] : !outs to !outWindow
  tile.copy %out, %o11 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %r = math.cos %v : f32
    tile.yield %r : f32
  }
  %o12 = tile.slice %y[12, 0] : !outs to !outWindow
  tile.copy %out, %o12 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %p = arith.mulf %v, %one : f32
    %r = math.exp %p : f32
    tile.yield %r : f32
  }
  %o13 = tile.slice %y[13, 0] : !outs to !outWindow
  tile.copy %out, %o13 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %p = arith.mulf %v, %one : f32
    %r = math.exp2 %p : f32
    tile.yield %r : f32
  }
  %o14 = tile.slice %y[14, 0] : !outs to !outWindow
  tile.copy %out, %o14 : !block, !outWindow
  tile.map ins(%in : !block) outs(%out : !block) {
  ^bb0(%v: f32):
    %p = arith.mulf %v, %one : f32
    %r = math.expm1 %p : f32
    tile.yield %r : f32
  }
  %o15 = tile.slice %y[15, 0] : !outs to !outWindow
  tile.copy %out, %o15 : !block, !outWindow
}

func.func @main(%x: !vector {tile.name = "x", tile.input = "special:4096:seed=1"},
                %y: !outs {tile.name = "y", tile.output = "16xdim(x,0)"}) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  tile.launch @functions grid(%c1) args(%x, %y, %one) : !vector, !outs, f32
  return
}
