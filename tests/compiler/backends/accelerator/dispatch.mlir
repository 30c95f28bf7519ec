// Which variant is taken, what is said about it, and what it emits.
// RUN: forerun compile %s --target=edge --emit=dispatched --explain-dispatch 2>&1 | FileCheck %s
// RUN: forerun compile %s --target=edge --emit=xfr | FileCheck %s --check-prefix=XFR
// RUN: forerun compile %s --target=edge --emit=dispatched --prefer reduce=across -o - | FileCheck %s --check-prefix=PREFER
// RUN: forerun compile %s --target=edge --emit=dispatched -o %t.mlir && forerun compile %t.mlir --from=dispatched --emit=xfr | FileCheck %s --check-prefix=XFR

// CHECK: dispatch.mlir:[[#]]:3  tile.fill  !tile.buffer<64x64xf32, scratch>
// CHECK-NEXT:   > vector {{.*}} cycles  vse{{$}}
// CHECK-NEXT:     dma {{.*}} cycles  xdma.copy
// CHECK-NEXT:     scalar
// CHECK: tile.fill  !tile.buffer<64x64xf32, scratch>
// CHECK-NEXT:     vector
// CHECK-NEXT:   > dma {{.*}} cycles  xdma.copy; pinned
// CHECK: tile.copy_async
// CHECK: vector {{.*}}; refused: harts copy at once; an asynchronous copy is a command
// CHECK: tile.reduce
// CHECK-NEXT:   > along
// CHECK-NEXT:     across
// CHECK: tile.reduce
// CHECK: > scalar
// CHECK: across {{.*}}; refused: it combines elements in a fixed order

// CHECK: tile.fill {{.*}} {variant = "vector"}
// CHECK: tile.fill {{.*}} {options = {queue = 3 : i64}, variant = "dma"}
// PREFER: tile.reduce {{.*}} {variant = "across"}
// PREFER: tile.reduce {{.*}} order <tree> {variant = "scalar"}

// XFR: llvm.func @dispatch
// XFR: %[[QUEUE:.*]] = arith.constant 3 : i64
// XFR: xfr.dma_copy
!tile = !tile.buffer<64x64xf32, scratch>
!column = !tile.buffer<64x1xf32, scratch>
!matrix = !tile.buffer<64x64xf32, global>
tile.kernel @dispatch(%x: !matrix) grid(%i) {
  %s = tile.alloc : !tile
  %m = tile.alloc : !column
  %c = arith.constant 1.0 : f32
  tile.fill %s, %c : !tile, f32
  tile.fill %s, %c {variant = "dma", options = {queue = 3}} : !tile, f32
  %t = tile.copy_async %s, %x : !tile, !matrix
  tile.wait %t
  tile.reduce <add> %s, %m dims [1] : !tile, !column
  tile.reduce <add> %s, %m dims [1] order <tree> : !tile, !column
}
