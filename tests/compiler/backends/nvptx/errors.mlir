// What the back end does not take is refused where it stands, with what it takes.
// RUN: split-file %s %t
// RUN: not forerun compile %t/reduce.mlir --target=sm_80 2>&1 | FileCheck %t/reduce.mlir
// RUN: not forerun compile %t/acc.mlir --target=sm_80 2>&1 | FileCheck %t/acc.mlir
// RUN: not forerun compile %t/types.mlir --target=sm_80 2>&1 | FileCheck %t/types.mlir
// RUN: not forerun compile %t/eight.mlir --target=sm_80 2>&1 | FileCheck %t/eight.mlir
// RUN: not forerun compile %t/teams.mlir --target=sm_80 2>&1 | FileCheck %t/teams.mlir
// RUN: not forerun compile %t/shared.mlir --target=sm_80 2>&1 | FileCheck %t/shared.mlir
// RUN: not forerun compile %t/function.mlir --target=sm_80 --from=expanded 2>&1 | FileCheck %t/function.mlir
// RUN: not forerun compile %examples/vector_add.mlir --target=sm_80 --emit=elf 2>&1 | FileCheck %t/stage
// RUN: not forerun compile %examples/vector_add.mlir --target=sm_80 --set arch=sm_12 2>&1 | FileCheck %t/arch
// RUN: not forerun compile %examples/vector_add.mlir --target=sm_80 --set arch=sm_90 2>&1 | FileCheck %t/version
// RUN: not forerun compile %examples/vector_add.mlir --target=sm_80 --set warpsPerCta=64 2>&1 | FileCheck %t/warps
// RUN: not forerun compile %examples/vector_add.mlir --target=sm_80 --set warpsPerCat=4 2>&1 | FileCheck %t/key
// RUN: not forerun run %examples/vector_add.mlir --target=sm_80 2>&1 | FileCheck %t/model

//--- reduce.mlir
tile.kernel @reduce(%x: !tile.buffer<8x64xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<8x64xf32, scratch>
  %m = tile.alloc : !tile.buffer<8x1xf32, scratch>
  tile.copy %x, %s : !tile.buffer<8x64xf32, global>, !tile.buffer<8x64xf32, scratch>
  // CHECK: reduce.mlir:[[@LINE+1]]:3: error: the nvptx back end does not support this 'tile.reduce': it takes kernel, slice,
  tile.reduce <max> %s, %m dims [1] : !tile.buffer<8x64xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

//--- acc.mlir
tile.kernel @acc() grid(%i) {
  // CHECK: acc.mlir:[[@LINE+1]]:8: error: the nvptx back end does not support this 'tile.alloc': accumulators are f32 with extents that are multiples of 16 and 8
  %a = tile.alloc : !tile.buffer<12x16xf32, acc>
}

//--- types.mlir
tile.kernel @types() grid(%i) {
  %a = tile.alloc : !tile.buffer<16x16xbf16, scratch>
  %c = tile.alloc : !tile.buffer<16x16xf32, acc>
  // CHECK: types.mlir:[[@LINE+1]]:3: error: the nvptx back end does not support this 'tile.matmul': operands are f16
  tile.matmul %a, %a, %c : !tile.buffer<16x16xbf16, scratch>, !tile.buffer<16x16xbf16, scratch>, !tile.buffer<16x16xf32, acc>
}

//--- eight.mlir
tile.kernel @eight() grid(%i) {
  // CHECK: eight.mlir:[[@LINE+1]]:8: error: the nvptx back end does not support elements of 4 bits or floats of 8, found '!tile.buffer<16x16xf8E4M3FN, scratch>'
  %a = tile.alloc : !tile.buffer<16x16xf8E4M3FN, scratch>
}

//--- teams.mlir
tile.kernel @teams() grid(%i) {
  // CHECK: teams.mlir:[[@LINE+1]]:3: error: the nvptx back end does not support this 'tile.exec': a range past the core's teams: a CTA has 4 warps (warpsPerCta)
  tile.exec team [0 : 5] {
  }
}

//--- shared.mlir
// CHECK: shared.mlir:[[@LINE+1]]:1: error: kernel @shared needs 262144 bytes of shared memory, a core of target 'sm_80' has 166912; shrink a tile parameter (--param NAME=VALUE)
tile.kernel @shared() grid(%i) {
  // CHECK: shared.mlir:[[@LINE+1]]:8: note: the largest buffer takes 262144 bytes
  %a = tile.alloc : !tile.buffer<256x256xf32, scratch>
}

//--- function.mlir
tile.kernel @function() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
  ^bb0(%x: f32):
    // CHECK: function.mlir:[[@LINE+1]]:10: error: the nvptx back end does not support this 'math.exp': no instruction does it; run --tile-expand-semantics before the back end
    %v = math.exp %x : f32
    tile.yield %v : f32
  }
}

//--- stage
CHECK: error: --emit: this target has no stage 'elf'; known: tile, expanded, llvm, ll, ptx

//--- arch
CHECK: sm_80.yaml: arch: the nvptx back end does not know 'sm_12'; write one of sm_80, sm_86, sm_87, sm_89, sm_90

//--- version
CHECK: sm_80.yaml: ptxVersion: 70 is not a version that LLVM writes for sm_90; write at least 78

//--- warps
CHECK: error: --set warpsPerCta=64: 64 warps do not fit maxThreads; write at least 1 and at most 32

//--- key
CHECK: error: --set warpsPerCat=4: no such key; did you mean 'warpsPerCta'?

//--- model
CHECK: sm_80.yaml: kind: 'sm_80' is a GPU, for which there is code (forerun compile) but no model; give an accelerator
