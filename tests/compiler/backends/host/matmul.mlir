// A block of sums stays in vector registers while k runs: two vectors a row, one fused multiply-add a step.
// RUN: forerun compile %examples/matmul_16.mlir --target=host --emit=ll | FileCheck %s

// CHECK: define void @matmul_16(
// CHECK: call <[[WIDTH:[0-9]+]] x float> @llvm.fma.v[[WIDTH]]f32(
// CHECK-COUNT-11: call <[[WIDTH]] x float> @llvm.fma.v[[WIDTH]]f32(
// CHECK-NOT: reassoc
// CHECK: ret void
