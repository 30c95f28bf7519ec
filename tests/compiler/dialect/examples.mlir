// Examples parse, verify, print, parse again, and still verify once their parameters are bound.
// RUN: forerun-opt %examples/vector_add.mlir | forerun-opt | FileCheck %s -DKERNEL=vector_add
// RUN: forerun-opt %examples/gemm.mlir | forerun-opt | FileCheck %s -DKERNEL=gemm
// RUN: forerun-opt %examples/softmax.mlir | forerun-opt | FileCheck %s -DKERNEL=softmax
// RUN: forerun-opt %examples/layer_norm.mlir | forerun-opt | FileCheck %s -DKERNEL=layer_norm
// RUN: forerun-opt %examples/matmul_16.mlir | forerun-opt | FileCheck %s -DKERNEL=matmul_16
// RUN: forerun-opt %examples/vector_add.mlir --tile-bind-params=values=BLOCK=64,T=bf16 | FileCheck %s -DKERNEL=vector_add --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm.mlir --tile-bind-params=values=T=i8,ACC=i32,OUT=i32,TM=96 | FileCheck %s -DKERNEL=gemm --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/softmax.mlir --tile-bind-params=values=T=f16 | FileCheck %s -DKERNEL=softmax --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/layer_norm.mlir --tile-bind-params | FileCheck %s -DKERNEL=layer_norm --check-prefixes=CHECK,BOUND

// BOUND-NOT: tile.param
// CHECK: tile.kernel @[[KERNEL]]
// CHECK: tile.launch @[[KERNEL]]
// BOUND-NOT: tile.param
