// The example as PTX: a CTA of four warps, dynamic shared memory, copies in the background, ragged ends predicated.
// RUN: forerun compile %examples/vector_add.mlir --target=sm_80 --param BLOCK=4096 --emit=ptx | FileCheck %s
// RUN: forerun compile %examples/vector_add.mlir --target=sm_80 --param BLOCK=64 --param T=f16 | FileCheck %s --check-prefix=HALF
// RUN: forerun compile %examples/vector_add.mlir --target=sm_80 --set warpsPerCta=8 | FileCheck %s --check-prefix=WARPS

// CHECK: // kernel vector_add: 128 threads a CTA, 98304 bytes of dynamic shared memory
// CHECK: .version 7.0
// CHECK: .target sm_80
// CHECK: .extern .shared .align 64 .b8 scratch[]
// CHECK: .visible .entry vector_add(
// CHECK-COUNT-7: .param .u64
// CHECK: .reqntid 128, 1, 1
// CHECK-DAG: %tid.x
// CHECK-DAG: %ctaid.x
// The window's valid elements bound each thread's share.
// CHECK: min.s64 [[VALID:%rd[0-9]+]], {{%rd[0-9]+}}, 4096
// CHECK: setp.le.s64
// CHECK: @%p{{[0-9]+}} bra
// CHECK: cp.async.ca.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 4
// CHECK: setp.lt.u64 [[MORE:%p[0-9]+]], %rd{{[0-9]+}}, [[VALID]]
// CHECK: @[[MORE]] bra
// CHECK: cp.async.commit_group
// Threads read what others copied: they wait for their own part, then meet.
// CHECK: cp.async.wait_group 0
// CHECK: bar.sync 0
// CHECK: ld.shared.b32
// CHECK: add.rn.f32
// CHECK: st.shared.b32
// CHECK: bar.sync 0
// CHECK: st.global.b32

// Two bytes are too few for a background copy. The f32 sum of two f16, rounded to f16, is their f16 sum, and LLVM knows.
// HALF-NOT: cp.async
// HALF: ld.global{{.*}}.b16
// HALF: st.shared.b16
// HALF: add.rn.f16
// HALF: st.global.b16

// WARPS: 256 threads a CTA
// WARPS: .reqntid 256, 1, 1
