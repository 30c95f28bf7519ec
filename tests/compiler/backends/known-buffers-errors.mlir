// Which buffer or pipeline an operation uses is known to every back end: other operations than the dialect's own pass
// none on.
// RUN: split-file %s %t
// RUN: not forerun compile %t/loop.mlir --target=edge 2>&1 | FileCheck %t/loop.mlir
// RUN: not forerun compile %t/loop.mlir --target=sm_80 2>&1 | FileCheck %t/loop.mlir
// RUN: not forerun compile %t/branch.mlir --target=edge 2>&1 | FileCheck %t/branch.mlir
// RUN: not forerun compile %t/pipeline.mlir --target=edge 2>&1 | FileCheck %t/pipeline.mlir

//--- loop.mlir
tile.kernel @loop() grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !tile.buffer<8xf16, scratch>
  // CHECK: loop.mlir:[[@LINE+1]]:8: error: 'scf.for' passes on '!tile.buffer<8xf16, scratch>', and back ends do not follow which one it is; name the buffer or pipeline where it is used, and choose between parts of one buffer with tile.slice
  %r = scf.for %n = %c0 to %c1 step %c1 iter_args(%b = %a) -> (!tile.buffer<8xf16, scratch>) {
    scf.yield %b : !tile.buffer<8xf16, scratch>
  }
}

//--- branch.mlir
tile.kernel @branch(%c: i1) grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf16, scratch>
  %b = tile.alloc : !tile.buffer<8xf16, scratch>
  // CHECK: branch.mlir:[[@LINE+1]]:8: error: 'scf.if' passes on '!tile.buffer<8xf16, scratch>'
  %r = scf.if %c -> !tile.buffer<8xf16, scratch> {
    scf.yield %a : !tile.buffer<8xf16, scratch>
  } else {
    scf.yield %b : !tile.buffer<8xf16, scratch>
  }
}

//--- pipeline.mlir
tile.kernel @pipeline(%c: i1) grid(%i) {
  %n = arith.constant 2 : index
  %a = tile.pipeline %n : !tile.pipeline
  // CHECK: pipeline.mlir:[[@LINE+1]]:8: error: 'arith.select' passes on '!tile.pipeline'
  %r = arith.select %c, %a, %a : !tile.pipeline
}
