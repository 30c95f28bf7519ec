// A team is a warp: it has its own share of elements, its own copy of what it allocates, and its own barrier.
// RUN: forerun compile %s --target=sm_80 | FileCheck %s

// CHECK: // kernel scopes: 128 threads a CTA, 1024 bytes of dynamic shared memory
// CHECK: .visible .entry scopes(
tile.kernel @scopes(%x: !tile.buffer<4x64xf32, global>, %y: !tile.buffer<4x64xf32, global>) grid(%i) {
  tile.exec team [1 : 3] {
    // Warps 1 and 2 only.
    // CHECK: shr.u64 [[WARP:%rd[0-9]+]], %rd{{[0-9]+}}, 5
    // CHECK: setp.eq.b64 [[FIRST:%p[0-9]+]], [[WARP]], 0
    // CHECK: @[[FIRST]] bra
    // CHECK: setp.eq.b64 [[LAST:%p[0-9]+]], [[WARP]], 3
    // CHECK: @[[LAST]] bra
    %t = tile.team_id : index
    %own = tile.alloc : !tile.buffer<64xf32, scratch>
    %row = tile.slice %x[%t, 0] : !tile.buffer<4x64xf32, global> to !tile.buffer<64xf32, global>
    %to = tile.slice %y[%t, 0] : !tile.buffer<4x64xf32, global> to !tile.buffer<64xf32, global>
    // CHECK: ld.global
    // CHECK: st.shared
    tile.copy %row, %own : !tile.buffer<64xf32, global>, !tile.buffer<64xf32, scratch>
    // CHECK: bar.warp.sync -1
    // CHECK-NOT: bar.sync
    // CHECK: ld.shared
    // CHECK: st.global
    tile.copy %own, %to : !tile.buffer<64xf32, scratch>, !tile.buffer<64xf32, global>
  }
  // What the teams wrote is read by all threads.
  // CHECK: bar.sync 0
  %last = arith.constant 63 : index
  %zero = arith.constant 0 : index
  // CHECK: ld.global
  %v = tile.load %y[%zero, %last] : !tile.buffer<4x64xf32, global>
  // One thread stores, once all have read.
  // CHECK: bar.sync 0
  // CHECK: st.global
  tile.store %v, %y[%zero, %zero] : !tile.buffer<4x64xf32, global>
}
