// Examples parse, verify, print, parse again, and still verify once their parameters are bound.
// RUN: forerun-opt %examples/vector_add.mlir | forerun-opt | FileCheck %s -DKERNEL=vector_add
// RUN: forerun-opt %examples/gemm.mlir | forerun-opt | FileCheck %s -DKERNEL=gemm
// RUN: forerun-opt %examples/softmax.mlir | forerun-opt | FileCheck %s -DKERNEL=softmax
// RUN: forerun-opt %examples/layer_norm.mlir | forerun-opt | FileCheck %s -DKERNEL=layer_norm
// RUN: forerun-opt %examples/matmul_16.mlir | forerun-opt | FileCheck %s -DKERNEL=matmul_16
// RUN: forerun-opt %examples/vector_add.mlir --tile-bind-params=values=BLOCK=64,T=bf16 | FileCheck %s -DKERNEL=vector_add --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm.mlir --tile-bind-params=values=T=i8,ACC=i32,OUT=i32,TM=96 | FileCheck %s -DKERNEL=gemm --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/softmax.mlir --tile-bind-params=values=T=f16 | FileCheck %s -DKERNEL=softmax --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/transpose.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=transpose --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm_split_k.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=multiply --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/grouped_gemm/grouped_gemm.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=grouped_gemm --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm_fp8.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=gemm_fp8 --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm_int4.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=gemm_int4 --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/gemm_mx.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=gemm_mx --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/attention.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=attention --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/attention_ragged.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=attention --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/attention_decode.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=attend --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/scan_rows.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=scan_rows --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/scan.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=scan --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/histogram.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=count --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/split_reduction.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=split_reduction --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/all_reduce.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=reduce_scatter --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/layer_norm_backward.mlir | forerun-opt --tile-bind-params | FileCheck %s -DKERNEL=gradients --check-prefixes=CHECK,BOUND
// RUN: forerun-opt %examples/layer_norm.mlir --tile-bind-params | FileCheck %s -DKERNEL=layer_norm --check-prefixes=CHECK,BOUND

// BOUND-NOT: tile.param
// CHECK: tile.kernel @[[KERNEL]]
// CHECK: tile.launch @[[KERNEL]]
// BOUND-NOT: tile.param
