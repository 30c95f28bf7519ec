// A layout is checked against its buffer's extents when they are bound.
// RUN: forerun-opt %s "--tile-bind-params=values=TM=8" | FileCheck %s
// RUN: not forerun-opt %s "--tile-bind-params=values=TM=9" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: tile.alloc : !tile.buffer<8x4xf32, scratch, #tile.layout<S[(8,4):(5,1)]>>
// WRONG: :[[@LINE+1]]:1: error: the layout does not fit the buffer: expected a shape of 32 elements, as the layout has, found 9x4 with 36; change the extents of S or the shape
tile.param @TM = 8
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<@TM x 4 x f32, scratch, #tile.layout<S[(8,4):(5,1)]>>
}
