// RUN: forerun-opt %s --tile-verify-tokens | FileCheck %s
// RUN: forerun-opt %examples/vector_add.mlir --tile-verify-tokens -o /dev/null
// RUN: forerun-opt %examples/gemm.mlir --tile-verify-tokens -o /dev/null
// RUN: forerun-opt %examples/softmax.mlir --tile-verify-tokens -o /dev/null
// RUN: forerun-opt %examples/layer_norm.mlir --tile-verify-tokens -o /dev/null

// Tokens wait in both branches, leave through scf.if, ride in scf.for, and may end inside a mark.
// CHECK-LABEL: tile.kernel @fine
tile.kernel @fine(%p: i1, %n: index) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.ready : !tile.token
  scf.if %p {
    tile.wait %a
  } else {
    tile.wait %a
  }
  %b = tile.ready : !tile.token
  %c = scf.if %p -> !tile.token {
    scf.yield %b : !tile.token
  } else {
    tile.wait %b
    %fresh = tile.ready : !tile.token
    scf.yield %fresh : !tile.token
  }
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%t = %c) -> !tile.token {
    tile.wait %t
    %next = tile.ready : !tile.token
    scf.yield %next : !tile.token
  }
  tile.mark "inside" {
    tile.exec core {
      tile.wait %d
    }
  }
  tile.exec team {
    %own = tile.ready : !tile.token
    tile.wait %own
  }
}
