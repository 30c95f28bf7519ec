// Every operation parses, prints and parses again to the same text.
// RUN: forerun-opt %s > %t.once && forerun-opt %t.once > %t.twice && diff %t.once %t.twice && FileCheck %s < %t.once

// CHECK: tile.param @TM = 128
tile.param @TM = 128
// CHECK: tile.param @NEGATIVE = -3
tile.param @NEGATIVE = -3
// CHECK: tile.param @T : type = bf16
tile.param @T : type = bf16

// CHECK-LABEL: tile.kernel @structure(%{{.*}}: !tile.buffer<?x?xf16, global> {tile.name = "a"}, %{{.*}}: f32, %{{.*}}: !tile.param<@T>) grid(%{{.*}}, %{{.*}}, %{{.*}}) {
tile.kernel @structure(%a: !tile.buffer<?x?xf16, global> {tile.name = "a"}, %s: f32, %p: !tile.param<@T>) grid(%i, %j, %k) {
  // CHECK: tile.param_value @TM : index
  %tm = tile.param_value @TM : index
  // CHECK: tile.param_value @TM : i32
  %tm32 = tile.param_value @TM : i32
  // CHECK: tile.exec team {
  tile.exec team {
    // CHECK: tile.team_id : index
    %t = tile.team_id : index
  }
  // CHECK: tile.exec core {
  tile.exec core {
    // CHECK: tile.exec team [0 : 2] {
    tile.exec team [0 : 2] {
    }
    // CHECK: tile.exec team [3] {
    tile.exec team [3] {
    }
    // CHECK: tile.exec team [%{{.*}} : 4] {
    tile.exec team [%i : 4] {
    }
    // CHECK: tile.exec team [%{{.*}} : %{{.*}}] {
    tile.exec team [%i : %j] {
    }
  }
  // CHECK: tile.num_teams : index
  %teams = tile.num_teams : index
  // CHECK: tile.core_id : index
  %core = tile.core_id : index
  // CHECK: tile.num_cores : index
  %cores = tile.num_cores : index
  // CHECK: tile.mark "phase" {
  tile.mark "phase" {
  }
  %true = arith.constant true
  // CHECK: tile.assert %{{.*}}, "message"
  tile.assert %true, "message"
  // CHECK-NOT: tile.return
}

// CHECK-LABEL: tile.kernel @memory
tile.kernel @memory(%a: !tile.buffer<?x?x?xf16, global>, %v: !tile.buffer<?xi32, global>, %p: !tile.buffer<?x!tile.param<@T>, global>) grid(%i) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.dim %{{.*}}, 1 : !tile.buffer<?x?x?xf16, global>
  %m = tile.dim %a, 1 : !tile.buffer<?x?x?xf16, global>
  // CHECK: tile.slice %{{.*}}[%{{.*}}, -1, 64] : !tile.buffer<?x?x?xf16, global> to !tile.buffer<16x8xf16, global>
  %w = tile.slice %a[%i, -1, 64] : !tile.buffer<?x?x?xf16, global> to !tile.buffer<16x8xf16, global>
  // CHECK: tile.alloc : !tile.buffer<2x16x8xf16, scratch>
  %s = tile.alloc : !tile.buffer<2x16x8xf16, scratch>
  // CHECK: tile.alloc : !tile.buffer<2 x @TM x 8 x !tile.param<@T>, scratch>
  %ps = tile.alloc : !tile.buffer<2x@TM x 8x!tile.param<@T>, scratch>
  // CHECK: tile.alloc : !tile.buffer<8x16xi1, reg, #tile.layout<S[(8,2,4,2):(4@lane,1@team,1@lane,1)] + R[2:2@team] - 1@core>>
  %fragment = tile.alloc : !tile.buffer<8x16xi1, reg, #tile.layout< (8,2,4,2) : (4@lane,1@team,1@lane,1) + R[2:2@team] - 1@core >>
  // CHECK: tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<swizzle(3,3,3) of S[(8,64):(64,1)]>>
  %swizzled = tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<swizzle(3,3,3) of S[(8,64):(64,1)]>>
  // CHECK: tile.alloc : !tile.buffer<@TM x 8 x f16, scratch, #tile.layout<S[(128,8):(10,1)]>>
  %later = tile.alloc : !tile.buffer<@TM x 8 x f16, scratch, #tile.layout<S[(128,8):(10,1)]>>
  // CHECK: tile.slice %{{.*}}[1, 0, 0]
  %s1 = tile.slice %s[1, 0, 0] : !tile.buffer<2x16x8xf16, scratch> to !tile.buffer<16x8xf16, scratch>
  // CHECK: tile.copy %{{.*}}, %{{.*}} : !tile.buffer<16x8xf16, global>, !tile.buffer<16x8xf16, scratch>
  tile.copy %w, %s1 : !tile.buffer<16x8xf16, global>, !tile.buffer<16x8xf16, scratch>
  // CHECK: %[[T0:.*]] = tile.copy_async %{{.*}}, %{{.*}} : !tile.buffer<16x8xf16, global>, !tile.buffer<16x8xf16, scratch>
  %t0 = tile.copy_async %w, %s1 : !tile.buffer<16x8xf16, global>, !tile.buffer<16x8xf16, scratch>
  // CHECK: %[[T1:.*]] = tile.ready : !tile.token
  %t1 = tile.ready : !tile.token
  // CHECK: tile.wait %[[T0]], %[[T1]]
  tile.wait %t0, %t1
  %zero = arith.constant 0.0 : f16
  // CHECK: tile.fill %{{.*}}, %{{.*}} : !tile.buffer<16x8xf16, scratch>, f16
  tile.fill %s1, %zero : !tile.buffer<16x8xf16, scratch>, f16
  %f = tile.alloc : !tile.buffer<16x8xf32, scratch>
  // CHECK: tile.cast %{{.*}}, %{{.*}} : !tile.buffer<16x8xf16, scratch>, !tile.buffer<16x8xf32, scratch>
  tile.cast %s1, %f : !tile.buffer<16x8xf16, scratch>, !tile.buffer<16x8xf32, scratch>
  %ft = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // CHECK: tile.transpose %{{.*}}, %{{.*}} permutation [1, 0] : !tile.buffer<16x8xf32, scratch>, !tile.buffer<8x16xf32, scratch>
  tile.transpose %f, %ft permutation [1, 0] : !tile.buffer<16x8xf32, scratch>, !tile.buffer<8x16xf32, scratch>
  // CHECK: %[[V:.*]] = tile.load %{{.*}}[%{{.*}}] : !tile.buffer<?xi32, global>
  %x = tile.load %v[%i] : !tile.buffer<?xi32, global>
  // CHECK: tile.store %[[V]], %{{.*}}[%{{.*}}] : !tile.buffer<?xi32, global>
  tile.store %x, %v[%c0] : !tile.buffer<?xi32, global>
  %q = tile.load %p[%i] : !tile.buffer<?x!tile.param<@T>, global>
  // CHECK: tile.convert %{{.*}} : !tile.param<@T> to f32
  %qf = tile.convert %q : !tile.param<@T> to f32
}

// CHECK-LABEL: tile.kernel @compute
tile.kernel @compute() grid(%i) {
  %x = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %row = tile.alloc : !tile.buffer<1x16xf16, scratch>
  %y = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x16xi32, scratch>
  // CHECK: tile.map ins(%{{.*}}, %{{.*}} : !tile.buffer<8x16xf32, scratch>, !tile.buffer<1x16xf16, scratch>) outs(%{{.*}}, %{{.*}} : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xi32, scratch>) {
  tile.map ins(%x, %row : !tile.buffer<8x16xf32, scratch>, !tile.buffer<1x16xf16, scratch>)
           outs(%y, %n : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xi32, scratch>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f16):
  ^bb0(%a: f32, %b: f16):
    // CHECK: tile.index 1 : i32
    %col = tile.index 1 : i32
    %w = arith.extf %b : f16 to f32
    %s = math.exp %a : f32
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %s, %col : f32, i32
  }
  // CHECK: tile.map outs(%{{.*}} : !tile.buffer<8x16xi32, scratch>) {
  tile.map outs(%n : !tile.buffer<8x16xi32, scratch>) {
    %col = tile.index 0 : i32
    tile.yield %col : i32
  }
  %max = tile.alloc : !tile.buffer<8x1xf32, scratch>
  %arg = tile.alloc : !tile.buffer<8x1xi64, scratch>
  // CHECK: tile.reduce <max> %{{.*}}, %{{.*}} dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
  tile.reduce <max> %x, %max dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
  // CHECK: tile.reduce <add> %{{.*}}, %{{.*}} dims [1] order <tree> {accumulate} :
  tile.reduce <add> %x, %max dims [1] order <tree> {accumulate} : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
  // CHECK: tile.reduce <argmax> %{{.*}}, %{{.*}} dims [1] :
  tile.reduce <argmax> %x, %arg dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xi64, scratch>

  %a = tile.alloc : !tile.buffer<8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<32x16xf16, scratch>
  %bt = tile.alloc : !tile.buffer<16x32xf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  %true = arith.constant true
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} accumulate {transpose_b} :
  tile.matmul %a, %bt, %c accumulate {transpose_b} : !tile.buffer<8x32xf16, scratch>, !tile.buffer<16x32xf16, scratch>, !tile.buffer<8x16xf32, acc>
  // CHECK: tile.matmul_async %{{.*}}, %{{.*}}, %{{.*}} accumulate(%{{.*}}) :
  %t = tile.matmul_async %a, %b, %c accumulate(%true) : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
  tile.wait %t
  %i8a = tile.alloc : !tile.buffer<32x8xi8, scratch>
  %i8b = tile.alloc : !tile.buffer<32x16xi8, scratch>
  %i32 = tile.alloc : !tile.buffer<8x16xi32, acc>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} {transpose_a} :
  tile.matmul %i8a, %i8b, %i32 {transpose_a} : !tile.buffer<32x8xi8, scratch>, !tile.buffer<32x16xi8, scratch>, !tile.buffer<8x16xi32, acc>
}

// CHECK-LABEL: tile.kernel @order
tile.kernel @order(%count: index) grid(%i) {
  // CHECK: %[[B:.*]] = tile.barrier_init %{{.*}} : !tile.barrier
  %b = tile.barrier_init %count : !tile.barrier
  tile.exec team {
    // CHECK: %[[P:.*]] = tile.barrier_arrive %[[B]] : i64
    %phase = tile.barrier_arrive %b : i64
    // CHECK: tile.barrier_wait %[[B]], %[[P]]
    tile.barrier_wait %b, %phase
  }
  // CHECK: tile.sync
  tile.sync
}

// CHECK-LABEL: func.func @main
func.func @main(%a: !tile.buffer<?x?x?xf16, global>, %v: !tile.buffer<?xi32, global>) {
  %n = tile.num_cores : index
  // CHECK: tile.alloc(%{{.*}}, %{{.*}}) : !tile.buffer<?x4x?xf32, global>
  %g = tile.alloc(%n, %n) : !tile.buffer<?x4x?xf32, global>
  %p = tile.alloc(%n) : !tile.buffer<?xbf16, global>
  // CHECK: tile.launch @memory grid(%{{.*}}) args(%{{.*}}, %{{.*}}, %{{.*}}) : !tile.buffer<?x?x?xf16, global>, !tile.buffer<?xi32, global>, !tile.buffer<?xbf16, global>
  tile.launch @memory grid(%n) args(%a, %v, %p) : !tile.buffer<?x?x?xf16, global>, !tile.buffer<?xi32, global>, !tile.buffer<?xbf16, global>
  // CHECK: tile.launch @compute grid(%{{.*}}) args()
  tile.launch @compute grid(%n) args()
  return
}

// CHECK-LABEL: tile.kernel @roles
tile.kernel @roles(%x: !tile.buffer<?x16xf32, global>) grid(%i) {
  %c2 = arith.constant 2 : index
  %s = tile.alloc : !tile.buffer<2x16x16xf32, scratch>
  // CHECK: %[[P:.*]] = tile.pipeline %{{.*}} : !tile.pipeline
  %p = tile.pipeline %c2 : !tile.pipeline
  // CHECK: tile.roles loader [0] {
  tile.roles loader [0] {
    // CHECK: %[[A:.*]] = tile.producer_acquire %[[P]] : index
    %stage = tile.producer_acquire %p : index
    %to = tile.slice %s[%stage, 0, 0] : !tile.buffer<2x16x16xf32, scratch> to !tile.buffer<16x16xf32, scratch>
    %from = tile.slice %x[0, 0] : !tile.buffer<?x16xf32, global> to !tile.buffer<16x16xf32, global>
    // CHECK: %[[T:.*]] = tile.copy_async
    %t = tile.copy_async %from, %to : !tile.buffer<16x16xf32, global>, !tile.buffer<16x16xf32, scratch>
    // CHECK: tile.producer_commit %[[P]], %[[T]]
    tile.producer_commit %p, %t
  // CHECK: }, worker [1 : 4] {
  }, worker [1 : 4] {
    // CHECK: tile.consumer_wait %[[P]] : index
    %stage = tile.consumer_wait %p : index
    // CHECK: tile.consumer_release %[[P]]{{$}}
    tile.consumer_release %p
  }
}
