// Windows that overhang: rows bound the loop, columns are predicated, below a low edge zeros are written; elements of K
// that are not valid count as zero in a product, results that are not valid are not written.
// RUN: forerun compile %s --target=sm_80 --emit=llvm | FileCheck %s

!in = !tile.buffer<?x?xf16, global>
!window = !tile.buffer<16x16xf16, global>
!operand = !tile.buffer<16x16xf16, scratch>
!acc = !tile.buffer<16x16xf32, acc>

// CHECK: llvm.func @ragged
tile.kernel @ragged(%a: !in, %b: !in, %c: !in, %shift: index) grid(%i, %j) {
  %as = tile.alloc : !operand
  %bs = tile.alloc : !operand
  %acc = tile.alloc : !acc
  %c16 = arith.constant 16 : index
  %row = arith.muli %i, %c16 : index
  %col = arith.muli %j, %c16 : index
  // `shift` may be negative: what lies below column 0 becomes zero.
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f16) : f16
  // CHECK: llvm.store %[[ZERO]], %{{.*}} : f16, !llvm.ptr<3>
  %wa = tile.slice %a[%row, %shift] : !in to !window
  tile.copy %wa, %as : !window, !operand
  %wb = tile.slice %b[0, %col] : !in to !window
  tile.copy %wb, %bs : !window, !operand
  // CHECK: %[[NOTHING:.*]] = llvm.mlir.constant(0.000000e+00 : f16) : f16
  // CHECK-COUNT-12: llvm.select %{{.*}}, %{{.*}}, %[[NOTHING]] : i1, f16
  // CHECK: nvvm.mma.sync
  tile.matmul %as, %bs, %acc : !operand, !operand, !acc
  %wc = tile.slice %c[%row, %col] : !in to !window
  // CHECK: llvm.cond_br
  // CHECK: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.store %{{.*}}, %{{.*}} : f16, !llvm.ptr<1>
  tile.copy %acc, %wc : !acc, !window
}
