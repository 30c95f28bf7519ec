// Variants that cannot be had, with what is said.
// RUN: not forerun compile %s --target=edge --emit=dispatched 2>&1 | FileCheck %s
// RUN: not forerun compile %s --target=edge --emit=dispatched --prefer fill=dmaa 2>&1 | FileCheck %s --check-prefix=PREFER
// RUN: forerun compile %S/dispatch.mlir --target=edge --emit=dispatched --strict -o %t
// RUN: not forerun compile %s --target=mtia2i --emit=dispatched --strict 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not forerun compile %S/dispatch.mlir --target=sm_80 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: dispatch.mlir:[[#]]:3: error: 'tile.fill' has no variant 'dma' here: the nvptx back end has one way for each operation; leave variant and options away
// RUN: not forerun compile %S/dispatch.mlir --target=sm_80 --strict 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: --explain-dispatch, --strict, --prefer: this target has one way for each operation

!tile = !tile.buffer<64x64xf32, scratch>
!acc = !tile.buffer<64x64xf32, acc>
!deep = !tile.buffer<2x2x2x2x2xf32, scratch>
!deepGlobal = !tile.buffer<2x2x2x2x2xf32, global>
tile.kernel @refused(%g: !deepGlobal) grid(%i) {
  %s = tile.alloc : !tile
  %acc = tile.alloc : !acc
  %d = tile.alloc : !deep
  %c = arith.constant 1.0 : f32
  // CHECK: [[#@LINE+1]]:3: error: 'tile.fill' has no variant 'dmaa' here; its variants: dma, vector, scalar
  tile.fill %s, %c {variant = "dmaa"} : !tile, f32
  // CHECK: [[#@LINE+1]]:3: error: variant 'dma' of 'tile.fill' has no option 'lanes'; queue: the queue that it goes through, 0 to 3
  tile.fill %s, %c {variant = "dma", options = {lanes = 3}} : !tile, f32
  // CHECK: [[#@LINE+1]]:3: error: option 'queue' of variant 'dma' is 0 to 3 (the queue that it goes through), found 4
  tile.fill %s, %c {variant = "dma", options = {queue = 4}} : !tile, f32
  // CHECK: [[#@LINE+1]]:3: error: variant 'vector' of 'tile.fill' has no option 'queue'; it has none
  tile.fill %s, %c {variant = "vector", options = {queue = 1}} : !tile, f32
  // CHECK: [[#@LINE+1]]:3: error: variant 'dma' of 'tile.copy' does not apply: DMA commands walk at most 4 dimensions; take slices of lower rank in a loop
  tile.copy %d, %d {variant = "dma"} : !deep, !deep
  // CHECK: [[#@LINE+3]]:3: error: no variant of 'tile.copy' applies
  // CHECK: note: 'dma': DMA commands walk at most 4 dimensions; take slices of lower rank in a loop
  // CHECK: note: 'vector': one side is global memory, which harts would read a line at a time
  tile.copy %g, %d : !deepGlobal, !deep
  // STRICT: [[#@LINE+1]]:3: error: would be the plain loop 'vector'; the cheaper variant 'matrix' does not apply: the matrix unit of target 'mtia2i' does not multiply f32 (its file lists the types under matrix.typeRate); mend that or pin the loop with variant = "vector"
  tile.matmul %s, %s, %acc : !tile, !tile, !acc
}
// PREFER: error: no 'tile.fill' of this module has a variant 'dmaa'
