// RUN: forerun-opt %s --tile-expand-semantics -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: forerun-opt %s --tile-expand-semantics | FileCheck %s
// Meaning and error bounds are checked by evaluation (ScalarProgram); here: what survives, where, and that nothing folds.

// A constant divisor needs no guard.
// CHECK-LABEL: @constantDivisor
// CHECK-NEXT: %[[C:.*]] = arith.constant 64 : index
// CHECK-NEXT: %[[Q:.*]] = arith.divui %arg0, %[[C]] : index
// CHECK-NEXT: return %[[Q]]
func.func @constantDivisor(%x: index) -> index {
  %c = arith.constant 64 : index
  %q = arith.divui %x, %c : index
  return %q : index
}

// CHECK-LABEL: @divide
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %arg1, %[[ZERO]] : i32
// CHECK: %[[SAFE:.*]] = arith.select %[[IS]], %[[ONE]], %arg1 : i32
// CHECK: %[[Q:.*]] = arith.divui %arg0, %[[SAFE]] : i32
// CHECK: %[[ALL:.*]] = arith.constant -1 : i32
// CHECK: arith.select %[[IS]], %[[ALL]], %[[Q]] : i32
func.func @divide(%x: i32, %y: i32) -> i32 {
  %q = arith.divui %x, %y : i32
  return %q : i32
}

// bf16 arithmetic is f32's, rounded; licences go.
// CHECK-LABEL: @bf16
// CHECK: %[[X:.*]] = arith.extf %arg0 : bf16 to f32
// CHECK: %[[Y:.*]] = arith.extf %arg1 : bf16 to f32
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK: arith.truncf %[[S]] : f32 to bf16
func.func @bf16(%x: bf16, %y: bf16) -> bf16 {
  %s = arith.addf %x, %y fastmath<fast> : bf16
  return %s : bf16
}

// CHECK-LABEL: @licences
// CHECK: arith.addi %arg0, %arg0 : i32
// CHECK: arith.mulf %arg1, %arg1 : f32
func.func @licences(%x: i32, %y: f32) -> (i32, f32) {
  %s = arith.addi %x, %x overflow<nsw, nuw> : i32
  %p = arith.mulf %y, %y fastmath<contract, nnan> : f32
  return %s, %p : i32, f32
}

// These survive as they are.
// CHECK-LABEL: @survivors
// CHECK-NEXT: arith.maximumf %arg0, %arg1 : f32
// CHECK-NEXT: arith.maxnumf
// CHECK-NEXT: math.fma
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.floor
// CHECK-NEXT: math.absf
// CHECK-NEXT: arith.cmpf olt
// CHECK-NEXT: return
func.func @survivors(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, i1) {
  %a = arith.maximumf %x, %y : f32
  %b = arith.maxnumf %x, %y : f32
  %c = math.fma %x, %y, %a : f32
  %d = math.sqrt %x : f32
  %e = math.floor %x : f32
  %f = math.absf %x : f32
  %g = arith.cmpf olt, %x, %y : f32
  return %a, %b, %c, %d, %e, %f, %g : f32, f32, f32, f32, f32, f32, i1
}

// exp is 19 operations, no call, no branch; every one carries the location of the exp.
// CHECK-LABEL: @exp
// CHECK-NOT: math.exp
// CHECK-COUNT-8: math.fma
// CHECK: return
// LOC-LABEL: @exp
// LOC: math.fma {{.*}} loc(#[[EXP:.*]])
// LOC: return {{.*}} loc(#[[RETURN:.*]])
// LOC-DAG: #[[EXP]] = loc("{{.*}}tile-expand-semantics.mlir":[[@LINE+2]]:8)
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// 1 / 0 of constants stays to be computed by the expansion.
// CHECK-LABEL: @noFolding
// CHECK: arith.divsi
func.func @noFolding() -> i32 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %q = arith.divsi %one, %zero : i32
  return %q : i32
}

// CHECK-LABEL: tile.kernel @body
tile.kernel @body() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xbf16, scratch>
  // CHECK: tile.map
  // CHECK-NOT: tile.convert
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: tile.yield
  tile.map ins(%a : !tile.buffer<8xbf16, scratch>) outs(%a : !tile.buffer<8xbf16, scratch>) {
  ^bb0(%x: bf16):
    %w = tile.convert %x : bf16 to f32
    %n = tile.convert %w : f32 to bf16
    tile.yield %n : bf16
  }
}
