// What only a run finds wrong with scopes: on the interpreter, and on a target where the two differ.
// RUN: split-file %s %t
// RUN: not forerun interpret %t/past.mlir 2>&1 | FileCheck %t/past.mlir
// RUN: not forerun run %t/past.mlir --target=edge 2>&1 | FileCheck %t/past.mlir --check-prefix=EDGE
// RUN: not forerun run %t/groups.mlir --target=edge 2>&1 | FileCheck %t/groups.mlir
// RUN: not forerun run %t/lanes.mlir --target=edge 2>&1 | FileCheck %t/lanes.mlir
// RUN: not forerun run %t/lane-range.mlir --target=edge 2>&1 | FileCheck %t/lane-range.mlir
// RUN: not forerun run %t/sync-range.mlir --target=edge 2>&1 | FileCheck %t/sync-range.mlir
// RUN: not forerun run %t/promise.mlir --target=edge 2>&1 | FileCheck %t/promise.mlir
// RUN: not forerun interpret %t/items.mlir 2>&1 | FileCheck %t/items.mlir
// RUN: not forerun run %t/items.mlir --target=edge 2>&1 | FileCheck %t/items.mlir --check-prefix=EDGE
// RUN: not forerun run %t/items.mlir --target=edge --set launch.dynamic=true 2>&1 | FileCheck %t/items.mlir --check-prefix=DYNAMIC
// RUN: not forerun run %t/cores.mlir --target=edge 2>&1 | FileCheck %t/cores.mlir

//--- past.mlir
tile.kernel @k(%n: index) grid(%i) {
  %c0 = arith.constant 0 : index
  // CHECK: past.mlir:[[@LINE+2]]:3: error: teams [0, 9) reach past the core's 1
  // EDGE: past.mlir:[[@LINE+1]]:3: error: the accelerator back end does not support this 'tile.exec': a range past the teams that compute, of which there are 4
  tile.exec team [0 : 9] {
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  tile.launch @k grid(%c1) args(%c1) : index
  return
}

//--- groups.mlir
tile.kernel @k() grid(%i) {
  // CHECK: groups.mlir:[[@LINE+1]]:3: error: the accelerator back end does not support this 'tile.exec': a range past the groups of a core, of which there are 2
  tile.exec group [2] {
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  tile.launch @k grid(%c1) args()
  return
}

//--- lanes.mlir
tile.kernel @k() grid(%i) {
  // CHECK: lanes.mlir:[[@LINE+1]]:3: error: lane [10 : 20] crosses a boundary between units of 'team', which hold 16 lanes each, and does not take the same of each of them
  tile.exec lane [10 : 20] {
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  tile.launch @k grid(%c1) args()
  return
}

//--- lane-range.mlir
tile.kernel @k(%n: index) grid(%i) {
  %c0 = arith.constant 0 : index
  tile.exec team [0] {
    // CHECK: lane-range.mlir:[[@LINE+1]]:{{.*}}lanes below 17 reach past the team's 16 lanes
    tile.exec lane [%c0 : %n] {
    }
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  %n = arith.constant 17 : index
  tile.launch @k grid(%c1) args(%n) : index
  return
}

//--- sync-range.mlir
tile.kernel @k() grid(%i) {
  tile.exec team [0 : 2] {
    // CHECK: sync-range.mlir:[[@LINE+1]]:5: error: the accelerator back end does not support this 'tile.sync': in a range of teams: it joins all 4, and those outside never come; give 'tile.exec team' no range
    tile.sync
  }
}
func.func @main() {
  %c1 = arith.constant 1 : index
  tile.launch @k grid(%c1) args()
  return
}

//--- promise.mlir
!words = !tile.buffer<8xi32, global>
tile.kernel @k(%x: !words) grid(%i) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  tile.exec team {
    %t = tile.team_id : index
    %v = tile.load %x[%t] : !words
    %set = arith.cmpi ne, %v, %zero : i32
    scf.if %set {
      // CHECK: promise.mlir:[[@LINE+1]]
      tile.sync {assume_uniform}
    }
  }
}
func.func @main(%x: !words {tile.name = "x", tile.input = "iota:8"}) {
  %c1 = arith.constant 1 : index
  tile.launch @k grid(%c1) args(%x) : !words
  return
}

//--- items.mlir
tile.kernel @k() grid(%i) {
  // CHECK: items.mlir:[[@LINE+3]]:3: error: waits for all 5 work items of the launch, which then have to run at the same time; there are 1 cores (tile.num_cores)
  // EDGE: items.mlir:[[@LINE+2]]:{{.*}}it waits for all 5 work items of the launch, which then have to run at the same time; there are 4 cores (tile.num_cores)
  // DYNAMIC: items.mlir:[[@LINE+1]]:3: error: {{.*}}the target gives work items to the core that asks first (launch.dynamic), so that they have no known core to wait for
  tile.exec chip {
  }
}
func.func @main() {
  %c5 = arith.constant 5 : index
  tile.launch @k grid(%c5) args()
  return
}

//--- cores.mlir
tile.kernel @k() grid(%i) {
  tile.exec chip {
    // CHECK: cores.mlir:[[@LINE+1]]:{{.*}}cores below 3 reach past those that have a work item of the launch
    tile.exec core [0 : 3] {
    }
  }
}
func.func @main() {
  %c2 = arith.constant 2 : index
  tile.launch @k grid(%c2) args()
  return
}
