// What the back end does not take is refused where it stands.
// RUN: split-file %s %t
// RUN: not forerun compile %t/pin.mlir --target=host 2>&1 | FileCheck %t/pin.mlir
// RUN: not forerun compile %t/lanes.mlir --target=host 2>&1 | FileCheck %t/lanes.mlir
// RUN: not forerun compile %t/huge.mlir --target=host 2>&1 | FileCheck %t/huge.mlir
// RUN: not forerun compile %t/columns.mlir --target=host 2>&1 | FileCheck %t/columns.mlir
// RUN: not forerun compile %t/four.mlir --target=host 2>&1 | FileCheck %t/four.mlir

//--- four.mlir
tile.kernel @four() grid(%i) {
  // CHECK: four.mlir:[[@LINE+1]]:8: error: the host back end does not support elements of 4 bits, found '!tile.buffer<16xi4, scratch>'; keep them as i8
  %s = tile.alloc : !tile.buffer<16xi4, scratch>
}

//--- pin.mlir
tile.kernel @pin() grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %one = arith.constant 1.0 : f32
  // CHECK: pin.mlir:[[@LINE+1]]:3: error: 'tile.fill' has no variant 'dma' here: the host back end has one way for each operation; leave variant and options away
  tile.fill %s, %one {variant = "dma"} : !tile.buffer<8xf32, scratch>, f32
}

//--- lanes.mlir
tile.kernel @lanes() grid(%i) {
  // CHECK: lanes.mlir:[[@LINE+1]]:8: error: the host back end does not support this 'tile.alloc': layout
  %s = tile.alloc : !tile.buffer<32xf32, reg, #tile.layout<S[(32):(1@lane)]>>
}

//--- huge.mlir
tile.kernel @huge() grid(%i) {
  // CHECK: huge.mlir:[[@LINE+1]]:8: error: the host back end does not support this 'tile.alloc': it takes 10000000000000 elements, more than any memory of a core holds
  %s = tile.alloc : !tile.buffer<100000000000x100xf32, scratch>
}

//--- columns.mlir
!a = !tile.buffer<16x16xf16, scratch>
!acc = !tile.buffer<16x16xf32, acc, #tile.layout<S[(16,16):(1,16)]>>
tile.kernel @columns() grid(%i) {
  %a = tile.alloc : !a
  %z = tile.alloc : !acc
  // CHECK: columns.mlir:[[@LINE+1]]:3: error: the host back end does not support this 'tile.matmul': an accumulator whose rows are not made of neighbours; leave its layout out
  tile.matmul %a, %a, %z : !a, !a, !acc
}
