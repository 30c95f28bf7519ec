// Fused causal attention: o = softmax(mask(q * k^T) * scale) * v for every head, online over blocks of keys, so that scores never leave the core.
// A work item takes a block of @TQ queries from the front and its mirror from the back: the causal triangle gives every item the same work. Any
// sequence length; head dimension @D. The product of the next scores runs while the teams turn the last ones into probabilities.
tile.param @TQ = 64
tile.param @TK = 128
tile.param @D = 64
tile.param @T : type = f16

!heads = !tile.buffer<?x?x @D x !tile.param<@T>, global>
!windowQ = !tile.buffer<@TQ x @D x !tile.param<@T>, global>
!windowK = !tile.buffer<@TK x @D x !tile.param<@T>, global>
!q = !tile.buffer<@TQ x @D x !tile.param<@T>, scratch>
!kv = !tile.buffer<@TK x @D x !tile.param<@T>, scratch>
!kvStages = !tile.buffer<2 x @TK x @D x !tile.param<@T>, scratch>
!p = !tile.buffer<@TQ x @TK x !tile.param<@T>, scratch>
!pStages = !tile.buffer<2 x @TQ x @TK x !tile.param<@T>, scratch>
!s = !tile.buffer<@TQ x @TK x f32, acc>
!sStages = !tile.buffer<2 x @TQ x @TK x f32, acc>
!o = !tile.buffer<@TQ x @D x f32, acc>
!column = !tile.buffer<@TQ x 1 x f32, scratch>

tile.kernel @attention(%q: !heads, %k: !heads, %v: !heads, %o: !heads, %scale: f32) grid(%pair, %head) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %tq = tile.param_value @TQ : index
  %tk = tile.param_value @TK : index
  %length = tile.dim %q, 1 : !heads
  %blocks = arith.ceildivui %length, %tq : index

  %qs = tile.alloc : !q
  %ks = tile.alloc : !kvStages
  %vs = tile.alloc : !kvStages
  %ps = tile.alloc : !pStages
  %scores = tile.alloc : !sStages
  %out = tile.alloc : !o
  %os = tile.alloc : !q
  %max = tile.alloc : !column
  %newMax = tile.alloc : !column
  %alpha = tile.alloc : !column
  %sum = tile.alloc : !column

  // The middle block of an odd number is its own mirror and done once.
  %last = arith.subi %blocks, %c1 : index
  %mirror = arith.subi %last, %pair : index
  %single = arith.cmpi eq, %mirror, %pair : index
  %halves = arith.select %single, %c1, %c2 : index

  scf.for %half = %c0 to %halves step %c1 {
    %front = arith.cmpi eq, %half, %c0 : index
    %block = arith.select %front, %pair, %mirror : index
    %row = arith.muli %block, %tq : index
    %rowEnd = arith.addi %row, %tq : index
    %seen = arith.minui %rowEnd, %length : index
    %steps = arith.ceildivui %seen, %tk : index

    %wq = tile.slice %q[%head, %row, 0] : !heads to !windowQ
    %wk0 = tile.slice %k[%head, 0, 0] : !heads to !windowK
    %wv0 = tile.slice %v[%head, 0, 0] : !heads to !windowK
    %k0 = tile.slice %ks[0, 0, 0] : !kvStages to !kv
    %v0 = tile.slice %vs[0, 0, 0] : !kvStages to !kv
    %s0 = tile.slice %scores[0, 0, 0] : !sStages to !s
    %loadQ = tile.copy_async %wq, %qs : !windowQ, !q
    %loadK0 = tile.copy_async %wk0, %k0 : !windowK, !kv
    %loadV0 = tile.copy_async %wv0, %v0 : !windowK, !kv
    tile.fill %out, %zero : !o, f32
    tile.fill %max, %lowest : !column, f32
    tile.fill %sum, %zero : !column, f32
    tile.wait %loadQ, %loadK0
    %product0 = tile.matmul_async %qs, %k0, %s0 {transpose_b} : !q, !kv, !s
    %wk1 = tile.slice %k[%head, %tk, 0] : !heads to !windowK
    %k1 = tile.slice %ks[1, 0, 0] : !kvStages to !kv
    %loadK1 = tile.copy_async %wk1, %k1 : !windowK, !kv
    %none = tile.ready : !tile.token

    %end:4 = scf.for %j = %c0 to %steps step %c1
        iter_args(%product = %product0, %loadK = %loadK1, %loadV = %loadV0, %update = %none)
        -> (!tile.token, !tile.token, !tile.token, !tile.token) {
      %stage = arith.remui %j, %c2 : index
      %other = arith.subi %c1, %stage : index
      %next = arith.addi %j, %c1 : index
      %nextNext = arith.addi %j, %c2 : index
      %col = arith.muli %j, %tk : index
      %nextCol = arith.muli %next, %tk : index
      %nextNextCol = arith.muli %nextNext, %tk : index

      // Scores of the next block; its keys were loaded a step ago, and the keys of this block make room for those after.
      %s = tile.slice %scores[%stage, 0, 0] : !sStages to !s
      %sNext = tile.slice %scores[%other, 0, 0] : !sStages to !s
      %kNext = tile.slice %ks[%other, 0, 0] : !kvStages to !kv
      %kFree = tile.slice %ks[%stage, 0, 0] : !kvStages to !kv
      tile.wait %product, %loadK
      %productNext = tile.matmul_async %qs, %kNext, %sNext {transpose_b} : !q, !kv, !s
      %wk = tile.slice %k[%head, %nextNextCol, 0] : !heads to !windowK
      %loadKNext = tile.copy_async %wk, %kFree : !windowK, !kv

      // Only blocks that reach past the first row of queries have something to hide.
      %colEnd = arith.addi %col, %tk : index
      %diagonal = arith.cmpi ugt, %colEnd, %row : index
      scf.if %diagonal {
        %offset = arith.subi %row, %col : index
        tile.map ins(%s : !s) outs(%s : !s) {
        ^bb0(%x: f32):
          %r = tile.index 0 : index
          %c = tile.index 1 : index
          %visible = arith.addi %r, %offset : index
          %keep = arith.cmpi sle, %c, %visible : index
          %masked = arith.select %keep, %x, %lowest : f32
          tile.yield %masked : f32
        }
      }

      tile.reduce <max> %s, %newMax dims [1] : !s, !column
      tile.map ins(%max, %newMax : !column, !column) outs(%newMax, %alpha : !column, !column) {
      ^bb0(%before: f32, %now: f32):
        %m = arith.maximumf %before, %now : f32
        %d = arith.subf %before, %m : f32
        %scaled = arith.mulf %d, %scale : f32
        %a = math.exp %scaled : f32
        tile.yield %m, %a : f32, f32
      }
      tile.copy %newMax, %max : !column, !column
      tile.map ins(%sum, %alpha : !column, !column) outs(%sum : !column) {
      ^bb0(%x: f32, %a: f32):
        %y = arith.mulf %x, %a : f32
        tile.yield %y : f32
      }
      %p = tile.slice %ps[%stage, 0, 0] : !pStages to !p
      tile.map ins(%s, %max : !s, !column) outs(%p : !p) {
      ^bb0(%x: f32, %m: f32):
        %d = arith.subf %x, %m : f32
        %scaled = arith.mulf %d, %scale : f32
        %e = math.exp %scaled : f32
        %w = tile.convert %e : f32 to !tile.param<@T>
        tile.yield %w : !tile.param<@T>
      }
      tile.reduce <add> %p, %sum dims [1] {accumulate} : !p, !column

      tile.wait %update
      tile.map ins(%out, %alpha : !o, !column) outs(%out : !o) {
      ^bb0(%x: f32, %a: f32):
        %y = arith.mulf %x, %a : f32
        tile.yield %y : f32
      }
      %v1 = tile.slice %vs[%stage, 0, 0] : !kvStages to !kv
      %vNext = tile.slice %vs[%other, 0, 0] : !kvStages to !kv
      %wv = tile.slice %v[%head, %nextCol, 0] : !heads to !windowK
      tile.wait %loadV
      %updateNext = tile.matmul_async %p, %v1, %out accumulate : !p, !kv, !o
      %loadVNext = tile.copy_async %wv, %vNext : !windowK, !kv
      scf.yield %productNext, %loadKNext, %loadVNext, %updateNext : !tile.token, !tile.token, !tile.token, !tile.token
    }
    tile.wait %end#0, %end#1, %end#2, %end#3

    tile.map ins(%out, %sum : !o, !column) outs(%os : !q) {
    ^bb0(%x: f32, %total: f32):
      %y = arith.divf %x, %total : f32
      %w = tile.convert %y : f32 to !tile.param<@T>
      tile.yield %w : !tile.param<@T>
    }
    %wo = tile.slice %o[%head, %row, 0] : !heads to !windowQ
    tile.copy %os, %wo : !q, !windowQ
  }
}

func.func @main(%q: !heads {tile.name = "q", tile.input = "randn:16x1024x64:seed=1"},
                %k: !heads {tile.name = "k", tile.input = "randn:16x1024x64:seed=2"},
                %v: !heads {tile.name = "v", tile.input = "randn:16x1024x64:seed=3"},
                %o: !heads {tile.name = "o", tile.output = "dim(q,0)xdim(q,1)xdim(q,2)"}) {
  %c2 = arith.constant 2 : index
  %tq = tile.param_value @TQ : index
  %scale = arith.constant 0.125 : f32
  %heads = tile.dim %q, 0 : !heads
  %length = tile.dim %q, 1 : !heads
  %blocks = arith.ceildivui %length, %tq : index
  %pairs = arith.ceildivui %blocks, %c2 : index
  tile.launch @attention grid(%pairs, %heads) args(%q, %k, %v, %o, %scale) : !heads, !heads, !heads, !heads, f32
  return
}
