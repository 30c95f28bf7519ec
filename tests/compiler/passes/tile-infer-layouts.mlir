// Which layout each buffer gets, and which operands are copied to another.
// RUN: forerun-opt %s --split-input-file --tile-infer-layouts --verify-diagnostics | FileCheck %s

// What nothing is known of is row-major, as types without a layout are; arguments and windows keep theirs.
// CHECK-LABEL: tile.kernel @defaults(
// CHECK-SAME: !tile.buffer<?x?xf16, global>
tile.kernel @defaults(%x: !tile.buffer<?x?xf16, global>) grid(%i) {
  %w = tile.slice %x[0, 0] : !tile.buffer<?x?xf16, global> to !tile.buffer<24x40xf16, global>
  // CHECK: tile.alloc : !tile.buffer<24x40xf16, scratch>
  %a = tile.alloc : !tile.buffer<24x40xf16, scratch>
  // CHECK: tile.alloc : !tile.buffer<2x40x40xf16, scratch>
  %b = tile.alloc : !tile.buffer<2x40x40xf16, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf32, acc>
  %c = tile.alloc : !tile.buffer<24x40xf32, acc>
  tile.copy %w, %a : !tile.buffer<24x40xf16, global>, !tile.buffer<24x40xf16, scratch>
  // CHECK: tile.slice {{.*}} : !tile.buffer<2x40x40xf16, scratch> to !tile.buffer<40x40xf16, scratch>
  %s = tile.slice %b[0, 0, 0] : !tile.buffer<2x40x40xf16, scratch> to !tile.buffer<40x40xf16, scratch>
  tile.matmul %a, %s, %c : !tile.buffer<24x40xf16, scratch>, !tile.buffer<40x40xf16, scratch>, !tile.buffer<24x40xf32, acc>
}

// -----
// Results follow operands of their own memory: whole ones, windows, through several operations; reductions are packed.
// CHECK-LABEL: tile.kernel @follow(
tile.kernel @follow(%one: f32) grid(%i) {
  %given = tile.alloc : !tile.buffer<2x24x40xf32, scratch, #tile.layout<S[(2,24,40):(2000,1,25)] + 8>>
  %window = tile.slice %given[%i, 0, 0] : !tile.buffer<2x24x40xf32, scratch, #tile.layout<S[(2,24,40):(2000,1,25)] + 8>> to !tile.buffer<24x40xf32, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf16, scratch, #tile.layout<S[(24,40):(1,25)] + 8>>
  %half = tile.alloc : !tile.buffer<24x40xf16, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf32, scratch, #tile.layout<S[(24,40):(1,25)] + 8>>
  %sum = tile.alloc : !tile.buffer<24x40xf32, scratch>
  // CHECK: tile.alloc : !tile.buffer<1x40xf32, scratch>
  %row = tile.alloc : !tile.buffer<1x40xf32, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf32, scratch>
  %copied = tile.alloc : !tile.buffer<24x40xf32, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf32, scratch>
  %fromRow = tile.alloc : !tile.buffer<24x40xf32, scratch>
  // CHECK: tile.alloc : !tile.buffer<24x40xf32, acc>
  %acc = tile.alloc : !tile.buffer<24x40xf32, acc>
  tile.cast %window, %half : !tile.buffer<24x40xf32, scratch>, !tile.buffer<24x40xf16, scratch>
  tile.map ins(%row, %half : !tile.buffer<1x40xf32, scratch>, !tile.buffer<24x40xf16, scratch>) outs(%sum, %acc : !tile.buffer<24x40xf32, scratch>, !tile.buffer<24x40xf32, acc>) {
  ^bb0(%a: f32, %b: f16):
    tile.yield %a, %a : f32, f32
  }
  tile.reduce <add> %sum, %row dims [0] : !tile.buffer<24x40xf32, scratch>, !tile.buffer<1x40xf32, scratch>
  tile.copy %sum, %copied : !tile.buffer<24x40xf32, scratch>, !tile.buffer<24x40xf32, scratch>
  tile.map ins(%row : !tile.buffer<1x40xf32, scratch>) outs(%fromRow : !tile.buffer<24x40xf32, scratch>) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
}

// -----
// Lanes and teams: results are where their operands are, reductions on every lane that took part; memory follows nothing.
// CHECK-LABEL: tile.kernel @fragments(
tile.kernel @fragments() grid(%i) {
  %scores = tile.alloc : !tile.buffer<8x16xf32, acc, #tile.layout<S[(8,2,4,2):(4@lane,1@team,1@lane,1)]>>
  // CHECK: tile.alloc : !tile.buffer<8x16xf16, reg, #tile.layout<S[(8,2,4,2):(4@lane,1@team,1@lane,1)]>>
  %exponentials = tile.alloc : !tile.buffer<8x16xf16, reg>
  // CHECK: tile.alloc : !tile.buffer<8x1xf32, reg, #tile.layout<S[8:4@lane] + R[(2,4):(1@team,1@lane)]>>
  %max = tile.alloc : !tile.buffer<8x1xf32, reg>
  // CHECK: tile.alloc : !tile.buffer<8x16xf32, scratch>
  %stored = tile.alloc : !tile.buffer<8x16xf32, scratch>
  tile.reduce <max> %scores, %max dims [1] : !tile.buffer<8x16xf32, acc, #tile.layout<S[(8,2,4,2):(4@lane,1@team,1@lane,1)]>>, !tile.buffer<8x1xf32, reg>
  // A row's maximum is on every lane that holds some of the row: nothing is copied.
  // CHECK-NOT: tile.copy
  tile.map ins(%scores, %max : !tile.buffer<8x16xf32, acc, #tile.layout<S[(8,2,4,2):(4@lane,1@team,1@lane,1)]>>, !tile.buffer<8x1xf32, reg>) outs(%exponentials, %stored : !tile.buffer<8x16xf16, reg>, !tile.buffer<8x16xf32, scratch>) {
  ^bb0(%a: f32, %b: f32):
    %h = arith.truncf %a : f32 to f16
    tile.yield %h, %b : f16, f32
  }
}

// -----
// Distributions that differ: operands are copied in, results out, both where the old result is read.
// CHECK-LABEL: tile.kernel @conflicts(
!rows = !tile.buffer<8x16xf32, reg, #tile.layout<S[(8,16):(1@lane,1)]>>
!columns = !tile.buffer<8x16xf32, reg, #tile.layout<S[(8,16):(1,1@lane)]>>
!columnSums = !tile.buffer<8x1xf32, reg, #tile.layout<S[8:1] + R[16:1@lane]>>
!other = !tile.buffer<8x1xf32, reg, #tile.layout<S[8:2@lane]>>
tile.kernel @conflicts() grid(%i) {
  %rows = tile.alloc : !rows
  %columns = tile.alloc : !columns
  %sums = tile.alloc : !columnSums
  %other = tile.alloc : !other
  // CHECK: %[[ROWS:.*]] = tile.alloc : !tile.buffer<8x16xf32, reg, #tile.layout<S[(8,16):(1@lane,1)]>>
  // CHECK: %[[COLUMNS:.*]] = tile.alloc : !tile.buffer<8x16xf32, reg, #tile.layout<S[(8,16):(1,1@lane)]>>
  // CHECK: %[[SUMS:.*]] = tile.alloc
  // CHECK: %[[OTHER:.*]] = tile.alloc
  // CHECK: %[[IN:.*]] = tile.alloc : !tile.buffer<8x16xf32, reg, #tile.layout<S[(8,16):(1@lane,1)]>>
  // CHECK-NEXT: tile.copy %[[COLUMNS]], %[[IN]]
  // CHECK-NEXT: tile.map ins(%[[ROWS]], %[[IN]] :
  // CHECK-SAME: outs(%[[ROWS]] :
  // expected-remark @+1 {{input 1 lies in S[(8,16):(1,1@lane)] but output 0 in S[(8,16):(1@lane,1)]: converted to S[(8,16):(1@lane,1)], 512 bytes copied}}
  tile.map ins(%rows, %columns : !rows, !columns) outs(%rows : !rows) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  // CHECK: tile.reduce <add> %[[COLUMNS]], %[[SUMS]] dims [1]
  tile.reduce <add> %columns, %sums dims [1] : !columns, !columnSums
  // CHECK: %[[OUT:.*]] = tile.alloc : !tile.buffer<8x1xf32, reg, #tile.layout<S[8:1@lane]>>
  // CHECK-NEXT: tile.reduce <add> %[[ROWS]], %[[OUT]] dims [1] :
  // CHECK-NEXT: tile.copy %[[OUT]], %[[OTHER]]
  // expected-remark @+1 {{the output lies in S[8:2@lane] but the input in S[(8,16):(1@lane,1)]: converted to S[8:1@lane], 32 bytes copied}}
  tile.reduce <add> %rows, %other dims [1] : !rows, !other
  // CHECK: %[[BOTH:.*]] = tile.alloc : !tile.buffer<8x1xf32, reg, #tile.layout<S[8:1@lane]>>
  // CHECK-NEXT: tile.copy %[[OTHER]], %[[BOTH]]
  // CHECK-NEXT: tile.reduce <add> %[[ROWS]], %[[BOTH]] dims [1] {accumulate} :
  // CHECK-NEXT: tile.copy %[[BOTH]], %[[OTHER]]
  // expected-remark @+1 {{converted to S[8:1@lane], 64 bytes copied}}
  tile.reduce <add> %rows, %other dims [1] {accumulate} : !rows, !other
}

// -----
// A window of a distributed buffer lies where it begins: at lane 0 as needed, at lane 8 not, at an unknown one who knows.
// CHECK-LABEL: tile.kernel @windows(
!all = !tile.buffer<32x4xf32, reg, #tile.layout<S[(32,4):(1@lane,1)]>>
!some = !tile.buffer<8x4xf32, reg, #tile.layout<S[(8,4):(1@lane,1)]>>
!window = !tile.buffer<8x4xf32, reg>
tile.kernel @windows() grid(%i) {
  %all = tile.alloc : !all
  %some = tile.alloc : !some
  %first = tile.slice %all[0, 0] : !all to !window
  %second = tile.slice %all[8, 0] : !all to !window
  %any = tile.slice %all[%i, 0] : !all to !window
  // CHECK: %[[FIRST:.*]] = tile.slice
  // CHECK: %[[SECOND:.*]] = tile.slice
  // CHECK: %[[ANY:.*]] = tile.slice
  // CHECK-NEXT: tile.cast %[[FIRST]],
  tile.cast %first, %some : !window, !some
  // CHECK: %[[IN:.*]] = tile.alloc
  // CHECK-NEXT: tile.copy %[[SECOND]], %[[IN]]
  // CHECK-NEXT: tile.cast %[[IN]],
  // expected-remark @+1 {{the source lies in S[(8,4):(1@lane,1)] + 8@lane but the destination in S[(8,4):(1@lane,1)]: converted to S[(8,4):(1@lane,1)], 128 bytes copied}}
  tile.cast %second, %some : !window, !some
  // CHECK: %[[IN:.*]] = tile.alloc
  // CHECK-NEXT: tile.copy %[[ANY]], %[[IN]]
  // expected-remark @+1 {{the source lies in S[(32,4):(1@lane,1)] but the destination in S[(8,4):(1@lane,1)]: converted to S[(8,4):(1@lane,1)], 128 bytes copied}}
  tile.cast %any, %some : !window, !some
}

// -----
// A buffer that control flow passes on keeps its type.
// CHECK-LABEL: tile.kernel @passed(
tile.kernel @passed() grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: tile.alloc : !tile.buffer<8xf32, scratch>
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  %r = scf.for %n = %c0 to %c1 step %c1 iter_args(%b = %a) -> (!tile.buffer<8xf32, scratch>) {
    scf.yield %b : !tile.buffer<8xf32, scratch>
  }
}
