// Arithmetic of each float type, broadcast along rows, with special numbers.
tile.param @T : type = f32
!g = !tile.buffer<16x16x!tile.param<@T>, global>
!v = !tile.buffer<1x16x!tile.param<@T>, global>
tile.kernel @elementwise(%x: !g, %y: !g, %b: !v, %add: !g, %mul: !g, %div: !g, %max: !g) grid(%i) {
  tile.map ins(%x, %b : !g, !v) outs(%add : !g) {
  ^bb0(%p: !tile.param<@T>, %q: !tile.param<@T>):
    %pf = tile.convert %p : !tile.param<@T> to f64
    %qf = tile.convert %q : !tile.param<@T> to f64
    %s = arith.addf %pf, %qf : f64
    %r = tile.convert %s : f64 to !tile.param<@T>
    tile.yield %r : !tile.param<@T>
  }
  tile.map ins(%x, %y : !g, !g) outs(%mul, %div, %max : !g, !g, !g) {
  ^bb0(%p: !tile.param<@T>, %q: !tile.param<@T>):
    %pf = tile.convert %p : !tile.param<@T> to f64
    %qf = tile.convert %q : !tile.param<@T> to f64
    %m = arith.mulf %pf, %qf : f64
    %mt = tile.convert %m : f64 to !tile.param<@T>
    %d = arith.divf %pf, %qf : f64
    %dt = tile.convert %d : f64 to !tile.param<@T>
    %k = arith.maximumf %pf, %qf : f64
    %kt = tile.convert %k : f64 to !tile.param<@T>
    tile.yield %mt, %dt, %kt : !tile.param<@T>, !tile.param<@T>, !tile.param<@T>
  }
}
func.func @main(%x: !g {tile.name = "x", tile.input = "zeros"}, %y: !g {tile.name = "y", tile.input = "zeros"}, %b: !v {tile.name = "b", tile.input = "zeros"},
                %add: !g {tile.name = "add", tile.output = "16x16"}, %mul: !g {tile.name = "mul", tile.output = "16x16"},
                %div: !g {tile.name = "div", tile.output = "16x16"}, %max: !g {tile.name = "max", tile.output = "16x16"}) {
  %c1 = arith.constant 1 : index
  tile.launch @elementwise grid(%c1) args(%x, %y, %b, %add, %mul, %div, %max) : !g, !g, !v, !g, !g, !g, !g
  return
}
