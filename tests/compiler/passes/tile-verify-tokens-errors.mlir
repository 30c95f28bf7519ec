// RUN: forerun-opt %s --tile-verify-tokens -split-input-file -verify-diagnostics

tile.kernel @never() grid(%i) {
  // expected-error @+1 {{token is never waited for; expected one tile.wait of it on every path}}
  %a = tile.ready : !tile.token
}

// -----
tile.kernel @twice() grid(%i) {
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-note @+1 {{consumed here before}}
  tile.wait %a
  // expected-error @+1 {{consumes a token for the second time; a token is waited for exactly once on every path}}
  tile.wait %a
}

// -----
tile.kernel @twiceAtOnce() grid(%i) {
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-error @+1 {{uses a token 2 times; a token is waited for exactly once}}
  tile.wait %a, %a
}

// -----
tile.kernel @onePath(%p: i1) grid(%i) {
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-error @+1 {{waits for a token on one path only; wait in the other branch too, or after the scf.if}}
  scf.if %p {
    // expected-note @+1 {{consumed here}}
    tile.wait %a
  }
}

// -----
tile.kernel @inLoop(%n: index) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-error @+1 {{would wait for a token once an iteration; pass the token through the loop's iter_args, or wait outside}}
  scf.for %k = %c0 to %n step %c1 {
    tile.wait %a
  }
}

// -----
tile.kernel @inTeam() grid(%i) {
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-error @+1 {{waits inside for a token that an outer scope issued; wait in the issuing scope and tell teams by a barrier}}
  tile.exec team {
    tile.wait %a
  }
}

// -----
func.func @escapes() -> !tile.token {
  // expected-note @+1 {{the token is made here}}
  %a = tile.ready : !tile.token
  // expected-error @+1 {{takes a token; tokens may cross only scf.for and scf.if, and end in tile.wait}}
  return %a : !tile.token
}

// -----
// The iteration that follows would never see it.
tile.kernel @dropped(%n: index) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.ready : !tile.token
  // expected-error @+1 {{token is never waited for; expected one tile.wait of it on every path}}
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a) -> !tile.token {
    %next = tile.ready : !tile.token
    scf.yield %next : !tile.token
  }
  tile.wait %last
}
