// Where each buffer lies and why, with the places in the kernel file.
// RUN: forerun compile %s --target=edge --explain-layouts --emit=elf -o %t.elf 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: forerun run %s --target=edge --explain-layouts --json=%t.json 2>&1 >/dev/null | FileCheck %s --strict-whitespace --match-full-lines
// RUN: forerun compile %s --target=sm_80 --explain-layouts --emit=expanded 2>&1 >/dev/null | FileCheck %s --check-prefix=GPU
// RUN: not forerun run %s --target=interpreter --explain-layouts 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// RUN: not forerun compile %s --target=edge --explain-layouts --emit=tile 2>&1 | FileCheck %s --check-prefix=STAGE

//      CHECK:layouts of @columns
// CHECK-NEXT:  explain-layouts.mlir:{{[0-9:]+}}  argument 0 !tile.buffer<?x?xf16, global>: strides of the launch
// CHECK-NEXT:  explain-layouts.mlir:[[@LINE+9]]:9  !tile.buffer<16x32xf16, scratch>: S[(16,32):(1,17)], as written
// CHECK-NEXT:  explain-layouts.mlir:[[@LINE+9]]:11  !tile.buffer<16x32xf32, scratch>: S[(16,32):(1,17)], follows the source of 'tile.cast' at explain-layouts.mlir:[[@LINE+15]]:3
// CHECK-NEXT:  explain-layouts.mlir:[[@LINE+9]]:11  !tile.buffer<1x32xf32, scratch>: S[32:1], follows the input of 'tile.reduce' at explain-layouts.mlir:[[@LINE+15]]:3
// CHECK-NEXT:  explain-layouts.mlir:[[@LINE+9]]:10  !tile.buffer<16x16xf32, acc>: S[(16,16):(16,1)], row-major, as the matrix unit writes it
// CHECK-NEXT:  explain-layouts.mlir:[[@LINE+9]]:14  !tile.buffer<16x16xf32, scratch>: S[(16,16):(16,1)], row-major, the default
// GPU: !tile.buffer<16x16xf32, acc>: fragments of the back end's matrix instructions
// INTERPRETER: forerun: error: --explain-layouts: the interpreter uses no layouts; name a --target
// STAGE: forerun: error: --explain-layouts: layouts are chosen behind stage 'tile' and up to 'expanded', which this command does not run
tile.kernel @columns(%x: !tile.buffer<?x?xf16, global>) grid(%i) {
  %in = tile.alloc : !tile.buffer<16x32xf16, scratch, #tile.layout<S[(16,32):(1,17)]>>
  %wide = tile.alloc : !tile.buffer<16x32xf32, scratch>
  %sums = tile.alloc : !tile.buffer<1x32xf32, scratch>
  %acc = tile.alloc : !tile.buffer<16x16xf32, acc>
  %product = tile.alloc : !tile.buffer<16x16xf32, scratch>
  %w = tile.slice %x[0, 0] : !tile.buffer<?x?xf16, global> to !tile.buffer<16x32xf16, global>
  tile.copy %w, %in : !tile.buffer<16x32xf16, global>, !tile.buffer<16x32xf16, scratch, #tile.layout<S[(16,32):(1,17)]>>
  tile.cast %in, %wide : !tile.buffer<16x32xf16, scratch, #tile.layout<S[(16,32):(1,17)]>>, !tile.buffer<16x32xf32, scratch>
  tile.reduce <add> %wide, %sums dims [0] : !tile.buffer<16x32xf32, scratch>, !tile.buffer<1x32xf32, scratch>
  tile.matmul %in, %in, %acc {transpose_b} : !tile.buffer<16x32xf16, scratch, #tile.layout<S[(16,32):(1,17)]>>, !tile.buffer<16x32xf16, scratch, #tile.layout<S[(16,32):(1,17)]>>, !tile.buffer<16x16xf32, acc>
  tile.copy %acc, %product : !tile.buffer<16x16xf32, acc>, !tile.buffer<16x16xf32, scratch>
}

func.func @main(%x: !tile.buffer<?x?xf16, global> {tile.input = "randn:16x32:seed=1"}, %y: !tile.buffer<1xf32, global> {tile.output = "1"}) {
  %c1 = arith.constant 1 : index
  tile.launch @columns grid(%c1) args(%x) : !tile.buffer<?x?xf16, global>
  return
}
