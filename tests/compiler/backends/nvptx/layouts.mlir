// Padded shared memory: rows lie 288 bytes apart, after 16 bytes; the last one has no gap behind it.
// RUN: forerun compile %s --target=sm_80 --emit=llvm | FileCheck %s
// RUN: forerun compile %s --target=sm_80 | FileCheck %s --check-prefix=PTX

!rows = !tile.buffer<8x64xf32, scratch, #tile.layout<S[(8,64):(72,1)] + 4>>
// PTX: // kernel padded: 128 threads a CTA, 2304 bytes of dynamic shared memory
// CHECK-LABEL: llvm.func @padded
// CHECK-DAG: %[[ROW:.*]] = llvm.mlir.constant(288 : i64)
// CHECK-DAG: %[[LEAD:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[TO_ROW:.*]] = llvm.mul %{{.*}}, %[[ROW]] : i64
// CHECK: llvm.add %[[TO_ROW]], %[[LEAD]] : i64
// CHECK: nvvm.cp.async.shared.global
tile.kernel @padded(%x: !tile.buffer<8x64xf32, global>, %y: !tile.buffer<8x64xf32, global>) grid(%i) {
  %s = tile.alloc : !rows
  %t = tile.copy_async %x, %s : !tile.buffer<8x64xf32, global>, !rows
  tile.wait %t
  tile.copy %s, %y : !rows, !tile.buffer<8x64xf32, global>
}
