// Fused causal attention over sequences of different lengths, which a buffer on the chip holds: o = softmax(mask(q * k^T) * scale) * v for the first lengths[b] queries and keys of
// sequence b. Heads of queries share heads of keys and values (grouped queries). Rows past a length are neither read nor written: a window of a
// window ends where the outer one does. A work item takes a block of @TQ queries of a head, none when it lies past the length; inside, as in attention.mlir, the product of
// the next scores runs while the teams turn the last ones into probabilities.
tile.param @TQ = 64
tile.param @TK = 128
tile.param @D = 64
tile.param @MAX = 1073741824  // no sequence is longer
tile.param @T : type = f16

!heads = !tile.buffer<?x?x?x @D x !tile.param<@T>, global>
!lengths = !tile.buffer<?xi32, global>
!sequence = !tile.buffer<@MAX x @D x !tile.param<@T>, global>
!windowQ = !tile.buffer<@TQ x @D x !tile.param<@T>, global>
!windowK = !tile.buffer<@TK x @D x !tile.param<@T>, global>
!q = !tile.buffer<@TQ x @D x !tile.param<@T>, scratch>
!kv = !tile.buffer<@TK x @D x !tile.param<@T>, scratch>
!kvStages = !tile.buffer<2 x @TK x @D x !tile.param<@T>, scratch>
!p = !tile.buffer<@TQ x @TK x !tile.param<@T>, scratch>
!s = !tile.buffer<@TQ x @TK x f32, acc>
!sStages = !tile.buffer<2 x @TQ x @TK x f32, acc>
!o = !tile.buffer<@TQ x @D x f32, acc>
!column = !tile.buffer<@TQ x 1 x f32, scratch>

tile.kernel @attention(%q: !heads, %k: !heads, %v: !heads, %lengths: !lengths, %o: !heads, %scale: f32) grid(%block, %head, %b) {
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
  %heads = tile.dim %q, 1 : !heads
  %kvHeads = tile.dim %k, 1 : !heads
  %group = arith.divui %heads, %kvHeads : index
  %kvHead = arith.divui %head, %group : index
  %length32 = tile.load %lengths[%b] : !lengths
  %length = arith.index_cast %length32 : i32 to index
  %row = arith.muli %block, %tq : index
  %inside = arith.cmpi ult, %row, %length : index

  %qs = tile.alloc : !q
  %ks = tile.alloc : !kvStages
  %vs = tile.alloc : !kvStages
  %p = tile.alloc : !p
  %scores = tile.alloc : !sStages
  %out = tile.alloc : !o
  %top = tile.alloc : !column
  %blockTop = tile.alloc : !column
  %alpha = tile.alloc : !column
  %sum = tile.alloc : !column

  scf.if %inside {
    // The rows of this sequence: windows that end with its last one; row i of the sequence is row shift + i of each.
    %max = tile.param_value @MAX : index
    %above = arith.subi %length, %max : index
    %shift = arith.subi %max, %length : index
    %sq = tile.slice %q[%b, %head, %above, 0] : !heads to !sequence
    %sk = tile.slice %k[%b, %kvHead, %above, 0] : !heads to !sequence
    %sv = tile.slice %v[%b, %kvHead, %above, 0] : !heads to !sequence
    %so = tile.slice %o[%b, %head, %above, 0] : !heads to !sequence
    %rowEnd = arith.addi %row, %tq : index
    %seen = arith.minui %rowEnd, %length : index
    %steps = arith.ceildivui %seen, %tk : index

    %atQ = arith.addi %shift, %row : index
    %atK1 = arith.addi %shift, %tk : index
    %wq = tile.slice %sq[%atQ, 0] : !sequence to !windowQ
    %wk0 = tile.slice %sk[%shift, 0] : !sequence to !windowK
    %wk1 = tile.slice %sk[%atK1, 0] : !sequence to !windowK
    %wv0 = tile.slice %sv[%shift, 0] : !sequence to !windowK
    %k0 = tile.slice %ks[0, 0, 0] : !kvStages to !kv
    %k1 = tile.slice %ks[1, 0, 0] : !kvStages to !kv
    %v0 = tile.slice %vs[0, 0, 0] : !kvStages to !kv
    %s0 = tile.slice %scores[0, 0, 0] : !sStages to !s
    %loadQ = tile.copy_async %wq, %qs : !windowQ, !q
    %loadK0 = tile.copy_async %wk0, %k0 : !windowK, !kv
    %loadV0 = tile.copy_async %wv0, %v0 : !windowK, !kv
    %loadK1 = tile.copy_async %wk1, %k1 : !windowK, !kv
    tile.fill %top, %lowest : !column, f32
    tile.fill %sum, %zero : !column, f32
    tile.wait %loadQ, %loadK0
    %product0 = tile.matmul_async %qs, %k0, %s0 {transpose_b} : !q, !kv, !s
    %noUpdate = tile.ready : !tile.token

    %end:4 = scf.for %step = %c0 to %steps step %c1
        iter_args(%product = %product0, %loadK = %loadK1, %loadV = %loadV0, %update = %noUpdate)
        -> (!tile.token, !tile.token, !tile.token, !tile.token) {
      %stage = arith.remui %step, %c2 : index
      %other = arith.subi %c1, %stage : index
      %isLater = arith.cmpi ne, %step, %c0 : index
      %col = arith.muli %step, %tk : index
      %nextCol = arith.addi %col, %tk : index
      %nextNextCol = arith.addi %nextCol, %tk : index
      %atNext = arith.addi %shift, %nextCol : index
      %atNextNext = arith.addi %shift, %nextNextCol : index

      %s = tile.slice %scores[%stage, 0, 0] : !sStages to !s
      %sNext = tile.slice %scores[%other, 0, 0] : !sStages to !s
      %kNext = tile.slice %ks[%other, 0, 0] : !kvStages to !kv
      %kFree = tile.slice %ks[%stage, 0, 0] : !kvStages to !kv
      %wk = tile.slice %sk[%atNextNext, 0] : !sequence to !windowK
      tile.wait %product, %loadK
      %productNext = tile.matmul_async %qs, %kNext, %sNext {transpose_b} : !q, !kv, !s
      %loadKNext = tile.copy_async %wk, %kFree : !windowK, !kv

      // Only blocks that reach past the first row of queries have something to hide.
      %diagonal = arith.cmpi ugt, %nextCol, %row : index
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
      tile.reduce <max> %s, %blockTop dims [1] : !s, !column
      tile.map ins(%top, %blockTop, %sum : !column, !column, !column) outs(%top, %alpha, %sum : !column, !column, !column) {
      ^bb0(%before: f32, %now: f32, %total: f32):
        %m = arith.maximumf %before, %now : f32
        %d = arith.subf %before, %m : f32
        %scaled = arith.mulf %d, %scale2 : f32
        %a = math.exp2 %scaled : f32
        %t = arith.mulf %total, %a : f32
        tile.yield %m, %a, %t : f32, f32, f32
      }

      // The last update has read the probabilities and must be done before the sums of values shrink.
      tile.wait %update
      tile.map ins(%s, %top : !s, !column) outs(%p : !p) {
      ^bb0(%x: f32, %m: f32):
        %d = arith.subf %x, %m : f32
        %scaled = arith.mulf %d, %scale2 : f32
        %e = math.exp2 %scaled : f32
        %w = tile.convert %e : f32 to !tile.param<@T>
        tile.yield %w : !tile.param<@T>
      }
      tile.reduce <add> %p, %sum dims [1] {accumulate} : !p, !column
      scf.if %isLater {
        tile.map ins(%out, %alpha : !o, !column) outs(%out : !o) {
        ^bb0(%x: f32, %a: f32):
          %y = arith.mulf %x, %a : f32
          tile.yield %y : f32
        }
      }
      %v1 = tile.slice %vs[%stage, 0, 0] : !kvStages to !kv
      %vNext = tile.slice %vs[%other, 0, 0] : !kvStages to !kv
      %wv = tile.slice %sv[%atNext, 0] : !sequence to !windowK
      tile.wait %loadV
      %updateNext = tile.matmul_async %p, %v1, %out accumulate(%isLater) : !p, !kv, !o
      %loadVNext = tile.copy_async %wv, %vNext : !windowK, !kv
      scf.yield %productNext, %loadKNext, %loadVNext, %updateNext : !tile.token, !tile.token, !tile.token, !tile.token
    }
    tile.wait %end#0, %end#1, %end#2, %end#3

    tile.map ins(%out, %sum : !o, !column) outs(%qs : !q) {
    ^bb0(%x: f32, %total: f32):
      %y = arith.divf %x, %total : f32
      %w = tile.convert %y : f32 to !tile.param<@T>
      tile.yield %w : !tile.param<@T>
    }
    %wo = tile.slice %so[%atQ, 0] : !sequence to !windowQ
    tile.copy %qs, %wo : !q, !windowQ
  }
}

func.func @main(%q: !heads {tile.name = "q", tile.input = "randn:8x8x512x64:seed=1"},
                %k: !heads {tile.name = "k", tile.input = "randn:8x2x512x64:seed=2"},
                %v: !heads {tile.name = "v", tile.input = "randn:8x2x512x64:seed=3"},
                %lengths: !lengths {tile.name = "lengths", tile.input = "randint:8:low=1:high=512:seed=4"},
                %o: !heads {tile.name = "o", tile.output = "dim(q,0)xdim(q,1)xdim(q,2)xdim(q,3)"}) {
  %tq = tile.param_value @TQ : index
  %scale = arith.constant 0.125 : f32
  %sequences = tile.dim %q, 0 : !heads
  %heads = tile.dim %q, 1 : !heads
  %longest = tile.dim %q, 2 : !heads
  %blocks = arith.ceildivui %longest, %tq : index
  tile.launch @attention grid(%blocks, %heads, %sequences) args(%q, %k, %v, %lengths, %o, %scale)
      : !heads, !heads, !heads, !lengths, !heads, f32
  return
}
