// RUN: forerun-opt %s --tile-bind-params | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: forerun-opt %s "--tile-bind-params=values=TM=32,T=bf16" | FileCheck %s --check-prefixes=CHECK,BOUND

// CHECK-NOT: tile.param
tile.param @TM = 64
tile.param @T : type = f16

// DEFAULT: tile.kernel @k(%{{.*}}: !tile.buffer<?x64xf16, global>, %{{.*}}: f16)
// BOUND: tile.kernel @k(%{{.*}}: !tile.buffer<?x32xbf16, global>, %{{.*}}: bf16)
tile.kernel @k(%a: !tile.buffer<? x @TM x !tile.param<@T>, global>, %s: !tile.param<@T>) grid(%i) {
  // DEFAULT: arith.constant 64 : index
  // BOUND: arith.constant 32 : index
  %tm = tile.param_value @TM : index
  // DEFAULT: tile.alloc : !tile.buffer<2x64xf16, scratch>
  // BOUND: tile.alloc : !tile.buffer<2x32xbf16, scratch>
  %b = tile.alloc : !tile.buffer<2 x @TM x !tile.param<@T>, scratch>
  // DEFAULT: tile.map {{.*}}!tile.buffer<2x64xf16, scratch>
  // DEFAULT-NEXT: ^bb0(%[[X:.*]]: f16):
  // BOUND: ^bb0(%[[X:.*]]: bf16):
  // BOUND-NEXT: tile.convert %[[X]] : bf16 to f32
  tile.map ins(%b : !tile.buffer<2 x @TM x !tile.param<@T>, scratch>) outs(%b : !tile.buffer<2 x @TM x !tile.param<@T>, scratch>) {
  ^bb0(%x: !tile.param<@T>):
    %w = tile.convert %x : !tile.param<@T> to f32
    %n = tile.convert %w : f32 to !tile.param<@T>
    tile.yield %n : !tile.param<@T>
  }
}
