// Refusals of roles and pipelines, with what they say.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics --tile-verify-tokens

tile.kernel @k() grid(%i) {
  // expected-error @+1 {{roles 'a' [0 : 2] and 'b' [1 : 3] share a team; the ranges of roles are disjoint}}
  tile.roles a [0 : 2] {
  }, b [1 : 3] {
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{role 'a': expected a range [low : high] of teams with 0 <= low < high, found [2 : 2]}}
  tile.roles a [2 : 2] {
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{two roles are called 'a'; roles are told apart by name}}
  tile.roles a [0] {
  }, a [1] {
  }
}

// -----
func.func @host() {
  // expected-error @+1 {{expects parent op 'tile.kernel'}}
  tile.roles a [0] {
  }
  return
}

// -----
tile.kernel @k() grid(%i) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected at least one stage, found 0}}
  %p = tile.pipeline %c0 : !tile.pipeline
}

// -----
tile.kernel @k() grid(%i) {
  %c2 = arith.constant 2 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  // expected-error @+1 {{expected inside a role of 'tile.roles': without one nobody else fills or empties the pipeline}}
  %stage = tile.consumer_wait %p : index
}

// -----
tile.kernel @k() grid(%i) {
  %c2 = arith.constant 2 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles a [0] {
    // expected-note @+1 {{the enclosing region}}
    tile.exec team {
      // expected-error @+1 {{a single team executes here; the teams of a role go through a pipeline together}}
      %stage = tile.producer_acquire %p : index
    }
  }
}

// -----
tile.kernel @k() grid(%i) {
  %c2 = arith.constant 2 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles a [0] {
    // expected-error @+1 {{no role waits for the stages of this pipeline: it never completes}}
    %stage = tile.producer_acquire %p : index
    tile.producer_commit %p
  }
}

// -----
tile.kernel @k() grid(%i) {
  %c2 = arith.constant 2 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles a [0] {
    // expected-note @+1 {{used here before}}
    %stage = tile.producer_acquire %p : index
  }, b [1] {
    // expected-error @+1 {{role 'b' uses a pipeline as role 'a' does; a pipeline has one role that produces}}
    tile.producer_commit %p
  }
}

// -----
tile.kernel @k() grid(%i) {
  %c2 = arith.constant 2 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles a [0] {
    %filled = tile.producer_acquire %p : index
    tile.producer_commit %p
    // expected-error @+1 {{the role that fills the stages waits for them itself; use two roles, or tile.wait}}
    %stage = tile.consumer_wait %p : index
  }
}

// -----
!s = !tile.buffer<2x16xf32, scratch>
!t = !tile.buffer<16xf32, scratch>
!x = !tile.buffer<16xf32, global>
tile.kernel @k(%x: !x, %y: !x) grid(%i) {
  %c2 = arith.constant 2 : index
  // expected-note @+1 {{the buffer}}
  %s = tile.alloc : !s
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles loader [0] {
    %stage = tile.producer_acquire %p : index
    %to = tile.slice %s[%stage, 0] : !s to !t
    // expected-note @+1 {{the other access}}
    tile.copy %x, %to : !x, !t
    tile.producer_commit %p
  }, user [1] {
    // Before the wait, or without its stage: nothing says that the data are there.
    %from = tile.slice %s[0, 0] : !s to !t
    // expected-error @+1 {{role 'user' reads a buffer that role 'loader' writes, and nothing orders the two; take the window at a stage of a pipeline}}
    tile.copy %from, %y : !t, !x
    %stage = tile.consumer_wait %p : index
    tile.consumer_release %p
  }
}

// -----
!s = !tile.buffer<16xf32, scratch>
!x = !tile.buffer<16xf32, global>
tile.kernel @k(%x: !x, %y: !x) grid(%i) {
  %s = tile.alloc : !s
  // expected-note @+1 {{the token is made here}}
  %t = tile.copy_async %x, %s : !x, !s
  // expected-error @+1 {{waits in a role for a token that the kernel issued; wait for it before 'tile.roles'}}
  tile.roles a [0] {
    tile.wait %t
  }
}

// -----
!s = !tile.buffer<2x16xf32, scratch>
!t = !tile.buffer<16xf32, scratch>
!x = !tile.buffer<16xf32, global>
tile.kernel @k(%x: !x, %y: !x) grid(%i) {
  %c2 = arith.constant 2 : index
  %s = tile.alloc : !s
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles loader [0] {
    %stage = tile.producer_acquire %p : index
    %to = tile.slice %s[%stage, 0] : !s to !t
    // expected-error @+1 {{token is never waited for; expected one tile.wait of it on every path}}
    %t = tile.copy_async %x, %to : !x, !t
    tile.producer_commit %p
  }, user [1] {
    %stage = tile.consumer_wait %p : index
    tile.consumer_release %p
  }
}
