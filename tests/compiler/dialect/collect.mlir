// Moves by index, scans, random bits and orderings: parsed, printed, and what --tile-expand-semantics makes of the short forms.
// RUN: forerun-opt %s | forerun-opt | FileCheck %s
// RUN: forerun-opt %s --tile-expand-semantics | FileCheck %s --check-prefix=EXPANDED

// CHECK-LABEL: tile.kernel @collect
// EXPANDED-LABEL: tile.kernel @collect
tile.kernel @collect(%table: !tile.buffer<?x16xf16, global>) grid(%i) {
  %x = tile.alloc : !tile.buffer<8x16xf16, scratch>
  %ids = tile.alloc : !tile.buffer<8x1xi32, scratch>
  %sums = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // CHECK: tile.scan <add> %{{.*}}, %{{.*}} dim 1 {exclusive, reverse} : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x16xf32, scratch>
  tile.scan <add> %x, %sums dim 1 {exclusive, reverse} : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x16xf32, scratch>
  // CHECK: tile.gather %{{.*}}, %{{.*}}, %{{.*}} dim 0 : !tile.buffer<?x16xf16, global>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xf16, scratch>
  tile.gather %table, %ids, %x dim 0 : !tile.buffer<?x16xf16, global>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xf16, scratch>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}, %{{.*}} dim 0 : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<?x16xf16, global>
  tile.scatter %x, %ids, %table dim 0 : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<?x16xf16, global>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}, %{{.*}} dim 0 combine <maxnum> :
  tile.scatter %x, %ids, %table dim 0 combine <maxnum> : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<?x16xf16, global>

  %columns = tile.alloc : !tile.buffer<8x16xi32, scratch>
  // CHECK: tile.iota %{{.*}} dim 1 : !tile.buffer<8x16xi32, scratch>
  // EXPANDED: tile.map outs(
  // EXPANDED: tile.index 1 : i64
  // EXPANDED: arith.trunci
  tile.iota %columns dim 1 : !tile.buffer<8x16xi32, scratch>
  // CHECK: tile.broadcast %{{.*}}, %{{.*}} : !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xi32, scratch>
  // EXPANDED: tile.map ins(%{{.*}} : !tile.buffer<8x1xi32, scratch>) outs(
  tile.broadcast %ids, %columns : !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xi32, scratch>
  %seed = arith.constant 7 : i64
  // CHECK: tile.random %{{.*}}, %{{.*}} : i32
  // EXPANDED-COUNT-20: arith.muli
  // EXPANDED-NOT: tile.random
  %bits = tile.random %seed, %seed : i32

  %counts = tile.alloc : !tile.buffer<100xi32, scratch>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} : !tile.buffer<8x16xi32, scratch>, !tile.buffer<100xi32, scratch>
  // EXPANDED: tile.fill
  // EXPANDED-NEXT: tile.histogram %{{.*}}, %{{.*}} {accumulate}
  tile.histogram %columns, %counts : !tile.buffer<8x16xi32, scratch>, !tile.buffer<100xi32, scratch>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} {accumulate} :
  // EXPANDED-NEXT: tile.histogram %{{.*}}, %{{.*}} {accumulate}
  tile.histogram %columns, %counts {accumulate} : !tile.buffer<8x16xi32, scratch>, !tile.buffer<100xi32, scratch>
  // CHECK: tile.sort %{{.*}}, %{{.*}} dim 1 : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x16xf16, scratch>
  tile.sort %x, %x dim 1 : !tile.buffer<8x16xf16, scratch>, !tile.buffer<8x16xf16, scratch>
  %best = tile.alloc : !tile.buffer<3x16xf16, scratch>
  %which = tile.alloc : !tile.buffer<3x16xi64, scratch>
  // CHECK: tile.topk %{{.*}}, %{{.*}}, %{{.*}} dim 0 {descending} : !tile.buffer<8x16xf16, scratch>, !tile.buffer<3x16xf16, scratch>, !tile.buffer<3x16xi64, scratch>
  tile.topk %x, %best, %which dim 0 {descending} : !tile.buffer<8x16xf16, scratch>, !tile.buffer<3x16xf16, scratch>, !tile.buffer<3x16xi64, scratch>

  %one = arith.constant 1 : i32
  %n = arith.constant 0 : index
  %words = tile.alloc : !tile.buffer<4xi32, scratch>
  // CHECK: %[[OLD:.*]] = tile.atomic_rmw <add> %{{.*}}, %{{.*}}[%{{.*}}] order <acq_rel> scope <core> : !tile.buffer<4xi32, scratch>
  // EXPANDED: tile.sync
  // EXPANDED: %[[WORD:.*]] = tile.alloc : !tile.buffer<1xi32, scratch>
  // EXPANDED: tile.exec team [0] {
  // EXPANDED: %[[OLD:.*]] = tile.atomic_rmw <add>
  // EXPANDED: tile.store %[[OLD]], %[[WORD]]
  // EXPANDED: tile.load %[[WORD]]
  %old = tile.atomic_rmw <add> %one, %words[%n] order <acq_rel> scope <core> : !tile.buffer<4xi32, scratch>
  // CHECK: tile.cas %[[OLD]], %{{.*}}, %{{.*}}[%{{.*}}] order <relaxed> scope <core> : !tile.buffer<4xi32, scratch>
  %was = tile.cas %old, %one, %words[%n] order <relaxed> scope <core> : !tile.buffer<4xi32, scratch>
}
