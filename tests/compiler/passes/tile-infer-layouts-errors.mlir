// Distributions that no copy can reconcile.
// RUN: forerun-opt %s --split-input-file --tile-infer-layouts --verify-diagnostics

// The place of an element of the output is no sum of functions of its indices: what holds a whole row is not known.
!out = !tile.buffer<6x6xf32, reg, #tile.layout<S[(4,9):(1@team,1@lane)]>>
!row = !tile.buffer<1x6xf32, reg, #tile.layout<S[6:1@lane]>>
tile.kernel @cuts() grid(%i) {
  %out = tile.alloc : !out
  %row = tile.alloc : !row
  // expected-error @+1 {{input 0 lies in S[6:1@lane] and cannot agree with output 0, which lies in S[(4,9):(1@team,1@lane)]: shape 6x6 cuts across iterator 9:1@lane: of the 9 steps left of it a dimension needs 6; expected a multiple or a divisor; leave one of the layouts out}}
  tile.map ins(%row : !row) outs(%out : !out) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
}
