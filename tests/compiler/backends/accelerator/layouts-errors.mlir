// Layouts that the back ends cannot address are refused at the buffer, with what the layout has and what would be taken.
// RUN: split-file %s %t
// RUN: not forerun compile %t/swizzle.mlir --target=edge 2>&1 | FileCheck %t/swizzle.mlir
// RUN: not forerun compile %t/swizzle.mlir --target=sm_80 2>&1 | FileCheck %t/swizzle.mlir --check-prefix=NVPTX
// RUN: not forerun compile %t/replicas.mlir --target=edge 2>&1 | FileCheck %t/replicas.mlir
// RUN: not forerun compile %t/steps.mlir --target=edge 2>&1 | FileCheck %t/steps.mlir
// RUN: not forerun compile %t/shared.mlir --target=edge 2>&1 | FileCheck %t/shared.mlir
// RUN: not forerun compile %t/unknown.mlir --target=edge 2>&1 | FileCheck %t/unknown.mlir
// RUN: not forerun compile %t/lanes.mlir --target=edge 2>&1 | FileCheck %t/lanes.mlir
// RUN: not forerun compile %t/team.mlir --target=edge 2>&1 | FileCheck %t/team.mlir
// RUN: not forerun compile %t/negative.mlir --target=edge 2>&1 | FileCheck %t/negative.mlir
// RUN: not forerun compile %t/global.mlir --target=edge 2>&1 | FileCheck %t/global.mlir
// RUN: not forerun compile %t/fragments.mlir --target=sm_80 2>&1 | FileCheck %t/fragments.mlir
// RUN: not forerun compile %t/large.mlir --target=edge 2>&1 | FileCheck %t/large.mlir
// RUN: not forerun compile %t/huge.mlir --target=edge 2>&1 | FileCheck %t/huge.mlir
// RUN: forerun compile %t/row-major.mlir --target=edge --emit=elf -o %t/row-major.elf

//--- swizzle.mlir
tile.kernel @k() grid(%i) {
  // CHECK: swizzle.mlir:[[@LINE+2]]:8: error: the accelerator back end does not support this 'tile.alloc': layout swizzle(3,3,3) of S[(8,64):(64,1)]: a swizzle; it takes one stride a dimension in memory, as S[(8,64):(72,1)], and for each element a place of its own
  // NVPTX: swizzle.mlir:[[@LINE+1]]:8: error: the nvptx back end does not support this 'tile.alloc': layout swizzle(3,3,3) of S[(8,64):(64,1)]: a swizzle; it takes one stride a dimension in memory, as S[(8,64):(72,1)], and for each element a place of its own
  %a = tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<swizzle(3,3,3) of S[(8,64):(64,1)]>>
}

//--- replicas.mlir
tile.kernel @k() grid(%i) {
  // CHECK: replicas.mlir:[[@LINE+1]]:8: error: the accelerator back end does not support this 'tile.alloc': layout S[64:1] + R[2:64]: 2 places for each element; it takes one stride
  %a = tile.alloc : !tile.buffer<64xf16, scratch, #tile.layout<S[64:1] + R[2:64]>>
}

//--- steps.mlir
tile.kernel @k() grid(%i) {
  // CHECK: steps.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[(4,2,8):(16,64,1)]: dimension 0 in 2 different steps (4:16 over 2:64); it takes one stride
  %a = tile.alloc : !tile.buffer<8x8xf16, scratch, #tile.layout<S[(4,2,8):(16,64,1)]>>
}

//--- shared.mlir
tile.kernel @k() grid(%i) {
  // CHECK: shared.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[(4,8):(0,1)]: places that elements share; it takes one stride
  %a = tile.alloc : !tile.buffer<4x8xf16, scratch, #tile.layout<S[(4,8):(0,1)]>>
}

//--- unknown.mlir
tile.kernel @k() grid(%i) {
  // CHECK: unknown.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[8:1@warp]: unknown axis 'warp'; the target has m, bank, partition, lane,
  %a = tile.alloc : !tile.buffer<8xf16, scratch, #tile.layout<S[8:1@warp]>>
}

//--- lanes.mlir
tile.kernel @k() grid(%i) {
  // CHECK: lanes.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[32:1@lane]: axis 'lane' reaches 31; the target has 0 to 15
  %a = tile.alloc : !tile.buffer<32xf32, scratch, #tile.layout<S[32:1@lane]>>
}

//--- team.mlir
tile.kernel @k() grid(%i) {
  // CHECK: team.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[(4,8):(1@team,1)]: axis 'team'; it takes one stride a dimension in memory
  %a = tile.alloc : !tile.buffer<4x8xf16, acc, #tile.layout<S[(4,8):(1@team,1)]>>
}

//--- negative.mlir
tile.kernel @k() grid(%i) {
  // CHECK: negative.mlir:[[@LINE+1]]:8: error: {{.*}}: layout S[8:-1]: axis 'm' reaches -7; expected coordinates from 0, add an offset
  %a = tile.alloc : !tile.buffer<8xf16, scratch, #tile.layout<S[8:-1]>>
}

//--- global.mlir
// CHECK: global.mlir:[[@LINE+1]]:1: error: the accelerator back end does not support this 'tile.kernel': argument 0 with layout S[(8,8):(1,8)]: buffers in 'global' are row-major, as the host holds them; leave the layout out
tile.kernel @k(%a: !tile.buffer<8x8xf16, global, #tile.layout<S[(8,8):(1,8)]>>) grid(%i) {
}

//--- fragments.mlir
tile.kernel @k() grid(%i) {
  // CHECK: fragments.mlir:[[@LINE+1]]:8: error: the nvptx back end does not support this 'tile.alloc': an accumulator lies in the fragments of mma.m16n8k16; leave its layout out
  %a = tile.alloc : !tile.buffer<16x8xf32, acc, #tile.layout<S[128:1]>>
}

//--- large.mlir
// CHECK: large.mlir:[[@LINE+1]]:1: error: kernel @k needs 4194304 bytes of scratch, a core of target 'edge' has 524288; shrink a tile parameter
tile.kernel @k() grid(%i) {
  // CHECK: large.mlir:[[@LINE+1]]:8: note: the largest buffer takes 4194304 bytes: '!tile.buffer<8x8xf16, scratch, #tile.layout<S[(8,8):(299592,1)]>>'
  %a = tile.alloc : !tile.buffer<8x8xf16, scratch, #tile.layout<S[(8,8):(299592,1)]>>
}

//--- huge.mlir
tile.kernel @k() grid(%i) {
  // CHECK: huge.mlir:[[@LINE+1]]:8: error: {{.*}}: it takes 1152921504606846976 elements, more than any memory of a core holds
  %a = tile.alloc : !tile.buffer<2xf64, scratch, #tile.layout<S[2:1152921504606846975]>>
}

//--- row-major.mlir
tile.kernel @k(%a: !tile.buffer<8x8xf16, global, #tile.layout<S[64:1]>>) grid(%i) {
  %s = tile.alloc : !tile.buffer<8x8xf16, scratch, #tile.layout<S[(2,32):(32,1)]>>
  tile.copy %a, %s : !tile.buffer<8x8xf16, global, #tile.layout<S[64:1]>>, !tile.buffer<8x8xf16, scratch, #tile.layout<S[(2,32):(32,1)]>>
}
