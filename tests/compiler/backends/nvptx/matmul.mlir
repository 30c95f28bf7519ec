// RUN: forerun compile %examples/matmul_16.mlir --target=sm_80 --emit=ptx | FileCheck %s
// RUN: forerun compile %examples/matmul_16.mlir --target=sm_80 --emit=llvm | FileCheck %s --check-prefix=NVVM
// RUN: forerun compile %examples/matmul_16.mlir --target=sm_80 --emit=llvm > %t.llvm && forerun compile %t.llvm --target=sm_80 --from=llvm | FileCheck %s
// RUN: forerun compile %examples/matmul_16.mlir --target=sm_80 --emit=ll > %t.ll && forerun compile %t.ll --target=sm_80 --from=ll | FileCheck %s
// RUN: forerun compile %examples/gemm.mlir --target=sm_80 | FileCheck %s --check-prefix=GEMM

// Two 16 x 8 fragments go to two of the four warps.
// CHECK: // kernel matmul_16: 128 threads a CTA, 2048 bytes of dynamic shared memory
// CHECK: .visible .entry matmul_16(
// CHECK: ld.global
// CHECK: st.shared.b16
// CHECK: bar.sync 0
// CHECK: setp.gt.u32 [[IDLE:%p[0-9]+]], %r{{[0-9]+}}, 63
// CHECK: @[[IDLE]] bra
// CHECK: ld.shared
// CHECK-COUNT-1: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: st.shared
// CHECK: bar.sync 0
// CHECK: st.global.b32
// CHECK-NOT: mma.sync
// CHECK-NOT: .local

// NVVM: llvm.func @matmul_16
// NVVM-SAME: nvvm.kernel
// NVVM: nvvm.barrier0
// NVVM: nvvm.mma.sync A{{.*}} {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>

// 128 x 128 of f32 are 32 fragments for each of four warps.
// GEMM: // kernel gemm: 128 threads a CTA, 98304 bytes of dynamic shared memory
// GEMM-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
