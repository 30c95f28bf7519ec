// Fused causal attention: o = softmax(mask(q * k^T) * scale) * v for every head, online over blocks of keys, so that scores never leave the core.
// A work item takes a block of @TQ queries from the front and then its mirror from the back: the causal triangle gives every item the same work. Any
// sequence length; head dimension @D; keys and values may have fewer heads, each for as many heads of queries (grouped queries). The product of the next scores runs while the teams turn the last ones into probabilities. One loop takes the steps
// of both blocks, so that the products of one run on beneath the vector work of the other.
tile.param @TQ = 64
tile.param @TK = 128
tile.param @D = 64
tile.param @T : type = f16

!heads = !tile.buffer<?x?x @D x !tile.param<@T>, global>
!windowQ = !tile.buffer<@TQ x @D x !tile.param<@T>, global>
!windowK = !tile.buffer<@TK x @D x !tile.param<@T>, global>
!q = !tile.buffer<@TQ x @D x !tile.param<@T>, scratch>
!qBlocks = !tile.buffer<2 x @TQ x @D x !tile.param<@T>, scratch>
!kv = !tile.buffer<@TK x @D x !tile.param<@T>, scratch>
!kvStages = !tile.buffer<2 x @TK x @D x !tile.param<@T>, scratch>
!p = !tile.buffer<@TQ x @TK x !tile.param<@T>, scratch>
!pStages = !tile.buffer<2 x @TQ x @TK x !tile.param<@T>, scratch>
!s = !tile.buffer<@TQ x @TK x f32, acc>
!sStages = !tile.buffer<2 x @TQ x @TK x f32, acc>
!o = !tile.buffer<@TQ x @D x f32, acc>
!column = !tile.buffer<@TQ x 1 x f32, scratch>
!columns = !tile.buffer<2 x @TQ x 1 x f32, scratch>

tile.kernel @attention(%q: !heads, %k: !heads, %v: !heads, %o: !heads, %scale: f32) grid(%pair, %head) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  // e^(x * scale) is 2^(x * scale2), which takes fewer instructions.
  %log2e = arith.constant 1.44269504 : f32
  %scale2 = arith.mulf %scale, %log2e : f32
  %tq = tile.param_value @TQ : index
  %tk = tile.param_value @TK : index
  %length = tile.dim %q, 1 : !heads
  %blocks = arith.ceildivui %length, %tq : index
  // So many heads of queries share a head of keys and values.
  %heads = tile.dim %q, 0 : !heads
  %kvHeads = tile.dim %k, 0 : !heads
  %group = arith.divui %heads, %kvHeads : index
  %kvHead = arith.divui %head, %group : index

  %qs = tile.alloc : !qBlocks
  %ks = tile.alloc : !kvStages
  %vs = tile.alloc : !kvStages
  %ps = tile.alloc : !pStages
  %scores = tile.alloc : !sStages
  %out = tile.alloc : !o
  %os = tile.alloc : !q
  %max = tile.alloc : !column
  %newMax = tile.alloc : !column
  %alpha = tile.alloc : !column
  %sums = tile.alloc : !columns

  // The middle block of an odd number is its own mirror and done once.
  %last = arith.subi %blocks, %c1 : index
  %mirror = arith.subi %last, %pair : index
  %single = arith.cmpi eq, %mirror, %pair : index
  %rowFront = arith.muli %pair, %tq : index
  %rowMirror = arith.muli %mirror, %tq : index
  %endFront = arith.addi %rowFront, %tq : index
  %endMirror = arith.addi %rowMirror, %tq : index
  %seenFront = arith.minui %endFront, %length : index
  %seenMirror = arith.minui %endMirror, %length : index
  %stepsFront = arith.ceildivui %seenFront, %tk : index
  %stepsMirror = arith.ceildivui %seenMirror, %tk : index
  %stepsBoth = arith.addi %stepsFront, %stepsMirror : index
  %steps = arith.select %single, %stepsFront, %stepsBoth : index

  %second1 = arith.cmpi eq, %stepsFront, %c1 : index
  %step1 = arith.select %second1, %c0, %c1 : index
  %col1 = arith.muli %step1, %tk : index
  %wq0 = tile.slice %q[%head, %rowFront, 0] : !heads to !windowQ
  %wq1 = tile.slice %q[%head, %rowMirror, 0] : !heads to !windowQ
  %wk0 = tile.slice %k[%kvHead, 0, 0] : !heads to !windowK
  %wk1 = tile.slice %k[%kvHead, %col1, 0] : !heads to !windowK
  %wv0 = tile.slice %v[%kvHead, 0, 0] : !heads to !windowK
  %q0 = tile.slice %qs[0, 0, 0] : !qBlocks to !q
  %q1 = tile.slice %qs[1, 0, 0] : !qBlocks to !q
  %k0 = tile.slice %ks[0, 0, 0] : !kvStages to !kv
  %k1 = tile.slice %ks[1, 0, 0] : !kvStages to !kv
  %v0 = tile.slice %vs[0, 0, 0] : !kvStages to !kv
  %s0 = tile.slice %scores[0, 0, 0] : !sStages to !s
  %sum0 = tile.slice %sums[0, 0, 0] : !columns to !column
  %loadQ0 = tile.copy_async %wq0, %q0 : !windowQ, !q
  %loadK0 = tile.copy_async %wk0, %k0 : !windowK, !kv
  %loadQ1 = tile.copy_async %wq1, %q1 : !windowQ, !q
  %loadV0 = tile.copy_async %wv0, %v0 : !windowK, !kv
  %loadK1 = tile.copy_async %wk1, %k1 : !windowK, !kv
  tile.wait %loadQ0, %loadK0
  %product0 = tile.matmul_async %q0, %k0, %s0 {transpose_b} : !q, !kv, !s
  tile.wait %loadQ1
  %noUpdate = tile.ready : !tile.token
  %noStore = tile.ready : !tile.token

  %end:5 = scf.for %step = %c0 to %steps step %c1
      iter_args(%product = %product0, %loadK = %loadK1, %loadV = %loadV0, %update = %noUpdate, %store = %noStore)
      -> (!tile.token, !tile.token, !tile.token, !tile.token, !tile.token) {
    %stage = arith.remui %step, %c2 : index
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %step, %c1 : index
    %nextNext = arith.addi %step, %c2 : index

    // Of this step, the next and the one after: which block it belongs to and where its keys begin.
    %second = arith.cmpi uge, %step, %stepsFront : index
    %half = arith.select %second, %c1, %c0 : index
    %row = arith.select %second, %rowMirror, %rowFront : index
    %start = arith.select %second, %stepsFront, %c0 : index
    %j = arith.subi %step, %start : index
    %col = arith.muli %j, %tk : index
    %isFirst = arith.cmpi eq, %j, %c0 : index
    %isLater = arith.cmpi ne, %j, %c0 : index
    %nextSecond = arith.cmpi uge, %next, %stepsFront : index
    %nextHalf = arith.select %nextSecond, %c1, %c0 : index
    %nextStart = arith.select %nextSecond, %stepsFront, %c0 : index
    %nextJ = arith.subi %next, %nextStart : index
    %nextCol = arith.muli %nextJ, %tk : index
    %nextNextSecond = arith.cmpi uge, %nextNext, %stepsFront : index
    %nextNextStart = arith.select %nextNextSecond, %stepsFront, %c0 : index
    %nextNextJ = arith.subi %nextNext, %nextNextStart : index
    %nextNextCol = arith.muli %nextNextJ, %tk : index

    %s = tile.slice %scores[%stage, 0, 0] : !sStages to !s
    %sum = tile.slice %sums[%half, 0, 0] : !columns to !column
    scf.if %isFirst {
      tile.fill %max, %lowest : !column, f32
      tile.fill %sum, %zero : !column, f32
    }
    tile.wait %product

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
      %scaled = arith.mulf %d, %scale2 : f32
      %a = math.exp2 %scaled : f32
      tile.yield %m, %a : f32, f32
    }
    tile.copy %newMax, %max : !column, !column
    tile.map ins(%sum, %alpha : !column, !column) outs(%sum : !column) {
    ^bb0(%x: f32, %a: f32):
      %y = arith.mulf %x, %a : f32
      tile.yield %y : f32
    }

    // Scores of the next block, now that the matrix unit is done with most of the last update: its queue takes them without holding up the teams. The
    // keys of this block make room for those after.
    %qNext = tile.slice %qs[%nextHalf, 0, 0] : !qBlocks to !q
    %sNext = tile.slice %scores[%other, 0, 0] : !sStages to !s
    %kNext = tile.slice %ks[%other, 0, 0] : !kvStages to !kv
    %kFree = tile.slice %ks[%stage, 0, 0] : !kvStages to !kv
    %wk = tile.slice %k[%kvHead, %nextNextCol, 0] : !heads to !windowK
    tile.wait %loadK
    %productNext = tile.matmul_async %qNext, %kNext, %sNext {transpose_b} : !q, !kv, !s
    %loadKNext = tile.copy_async %wk, %kFree : !windowK, !kv

    %p = tile.slice %ps[%stage, 0, 0] : !pStages to !p
    tile.map ins(%s, %max : !s, !column) outs(%p : !p) {
    ^bb0(%x: f32, %m: f32):
      %d = arith.subf %x, %m : f32
      %scaled = arith.mulf %d, %scale2 : f32
      %e = math.exp2 %scaled : f32
      %w = tile.convert %e : f32 to !tile.param<@T>
      tile.yield %w : !tile.param<@T>
    }
    tile.reduce <add> %p, %sum dims [1] {accumulate} : !p, !column

    // Before its first update the second block lets the results of the first go.
    tile.wait %update
    %finished = arith.andi %isFirst, %second : i1
    %storeNext = scf.if %finished -> !tile.token {
      tile.wait %store
      tile.map ins(%out, %sum0 : !o, !column) outs(%os : !q) {
      ^bb0(%x: f32, %total: f32):
        %y = arith.divf %x, %total : f32
        %w = tile.convert %y : f32 to !tile.param<@T>
        tile.yield %w : !tile.param<@T>
      }
      %wo = tile.slice %o[%head, %rowFront, 0] : !heads to !windowQ
      %stored = tile.copy_async %os, %wo : !q, !windowQ
      scf.yield %stored : !tile.token
    } else {
      scf.yield %store : !tile.token
    }
    scf.if %isLater {
      tile.map ins(%out, %alpha : !o, !column) outs(%out : !o) {
      ^bb0(%x: f32, %a: f32):
        %y = arith.mulf %x, %a : f32
        tile.yield %y : f32
      }
    }
    %v1 = tile.slice %vs[%stage, 0, 0] : !kvStages to !kv
    %vNext = tile.slice %vs[%other, 0, 0] : !kvStages to !kv
    %wv = tile.slice %v[%kvHead, %nextCol, 0] : !heads to !windowK
    tile.wait %loadV
    %updateNext = tile.matmul_async %p, %v1, %out accumulate(%isLater) : !p, !kv, !o
    %loadVNext = tile.copy_async %wv, %vNext : !windowK, !kv
    scf.yield %productNext, %loadKNext, %loadVNext, %updateNext, %storeNext : !tile.token, !tile.token, !tile.token, !tile.token, !tile.token
  }
  tile.wait %end#0, %end#1, %end#2, %end#3, %end#4

  %lastHalf = arith.select %single, %c0, %c1 : index
  %lastSum = tile.slice %sums[%lastHalf, 0, 0] : !columns to !column
  tile.map ins(%out, %lastSum : !o, !column) outs(%os : !q) {
  ^bb0(%x: f32, %total: f32):
    %y = arith.divf %x, %total : f32
    %w = tile.convert %y : f32 to !tile.param<@T>
    tile.yield %w : !tile.param<@T>
  }
  %wo = tile.slice %o[%head, %rowMirror, 0] : !heads to !windowQ
  tile.copy %os, %wo : !q, !windowQ
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
