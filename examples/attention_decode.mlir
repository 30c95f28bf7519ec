// Attention of one new token a sequence over a cache of keys and values: o[b, h] = softmax(q[b, h] * k[b, h / G]^T * scale) * v[b, h / G], of which the first lengths[b] rows are
// in use. @G heads of queries share a head of the cache and are the rows of one product. @SPLITS work items share the rows of a head, so that all cores read; a second
// kernel joins their results in ascending order.
tile.param @G = 4
tile.param @SPLITS = 4
tile.param @TK = 256
tile.param @D = 64
tile.param @MAX = 1073741824  // no sequence is longer
tile.param @T : type = f16

!tokens = !tile.buffer<?x? x @D x !tile.param<@T>, global>
!cache = !tile.buffer<?x?x? x @D x !tile.param<@T>, global>
!lengths = !tile.buffer<?xi32, global>
!partSums = !tile.buffer<?x?x? x @D x f32, global>
!partColumns = !tile.buffer<?x?x?x?xf32, global>
!rows = !tile.buffer<@MAX x @D x !tile.param<@T>, global>
!windowQ = !tile.buffer<@G x @D x !tile.param<@T>, global>
!windowK = !tile.buffer<@TK x @D x !tile.param<@T>, global>
!windowSums = !tile.buffer<@G x @D x f32, global>
!windowColumn = !tile.buffer<@G x 1 x f32, global>
!q = !tile.buffer<@G x @D x !tile.param<@T>, scratch>
!kv = !tile.buffer<@TK x @D x !tile.param<@T>, scratch>
!kvStages = !tile.buffer<2 x @TK x @D x !tile.param<@T>, scratch>
!s = !tile.buffer<@G x @TK x f32, acc>
!p = !tile.buffer<@G x @TK x !tile.param<@T>, scratch>
!acc = !tile.buffer<@G x @D x f32, acc>
!sums = !tile.buffer<@G x @D x f32, scratch>
!column = !tile.buffer<@G x 1 x f32, scratch>

// A part's sums of values, its greatest score, times log2(e), and its sum of probabilities. Parts may be empty: then the sums are 0 and the greatest score is -infinity.
tile.kernel @attend(%q: !tokens, %k: !cache, %v: !cache, %lengths: !lengths, %sums: !partSums, %tops: !partColumns, %totals: !partColumns, %scale: f32)
    grid(%split, %kvHead, %b) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.44269504 : f32
  %scale2 = arith.mulf %scale, %log2e : f32
  %g = tile.param_value @G : index
  %splits = tile.param_value @SPLITS : index
  %tk = tile.param_value @TK : index
  %kvHeads = tile.dim %k, 1 : !cache
  %head = arith.muli %kvHead, %g : index
  %before = arith.muli %b, %kvHeads : index
  %sequence = arith.addi %before, %kvHead : index

  // Parts are whole blocks, but the last one ends with the sequence.
  %length32 = tile.load %lengths[%b] : !lengths
  %length = arith.index_cast %length32 : i32 to index
  %blocks = arith.ceildivui %length, %tk : index
  %blocksEach = arith.ceildivui %blocks, %splits : index
  %each = arith.muli %blocksEach, %tk : index
  %first = arith.muli %split, %each : index
  %past = arith.addi %first, %each : index
  %end = arith.minui %past, %length : index
  // Windows that end with the part; row i of the cache is row shift + i of each.
  %max = tile.param_value @MAX : index
  %above = arith.subi %end, %max : index
  %shift = arith.subi %max, %end : index
  %ck = tile.slice %k[%b, %kvHead, %above, 0] : !cache to !rows
  %cv = tile.slice %v[%b, %kvHead, %above, 0] : !cache to !rows

  %qs = tile.alloc : !q
  %ks = tile.alloc : !kvStages
  %vs = tile.alloc : !kvStages
  %s = tile.alloc : !s
  %p = tile.alloc : !p
  %acc = tile.alloc : !acc
  %top = tile.alloc : !column
  %newTop = tile.alloc : !column
  %alpha = tile.alloc : !column
  %total = tile.alloc : !column
  %at0 = arith.addi %shift, %first : index
  %wk0 = tile.slice %ck[%at0, 0] : !rows to !windowK
  %wv0 = tile.slice %cv[%at0, 0] : !rows to !windowK
  %k0 = tile.slice %ks[0, 0, 0] : !kvStages to !kv
  %v0 = tile.slice %vs[0, 0, 0] : !kvStages to !kv
  %loadK = tile.copy_async %wk0, %k0 : !windowK, !kv
  %loadV = tile.copy_async %wv0, %v0 : !windowK, !kv
  %wq = tile.slice %q[%b, %head, 0] : !tokens to !windowQ
  tile.copy %wq, %qs : !windowQ, !q
  tile.fill %top, %lowest : !column, f32
  tile.fill %total, %zero : !column, f32
  tile.fill %acc, %zero : !acc, f32

  %last:3 = scf.for %row = %first to %end step %tk
      iter_args(%tk0 = %loadK, %tv0 = %loadV, %stage = %c0) -> (!tile.token, !tile.token, index) {
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %row, %tk : index
    %atNext = arith.addi %shift, %next : index
    %wk = tile.slice %ck[%atNext, 0] : !rows to !windowK
    %wv = tile.slice %cv[%atNext, 0] : !rows to !windowK
    %kn = tile.slice %ks[%other, 0, 0] : !kvStages to !kv
    %vn = tile.slice %vs[%other, 0, 0] : !kvStages to !kv
    %tkn = tile.copy_async %wk, %kn : !windowK, !kv
    %tvn = tile.copy_async %wv, %vn : !windowK, !kv

    tile.wait %tk0
    %keys = tile.slice %ks[%stage, 0, 0] : !kvStages to !kv
    %values = tile.slice %vs[%stage, 0, 0] : !kvStages to !kv
    tile.matmul %qs, %keys, %s {transpose_b} : !q, !kv, !s
    tile.reduce <max> %s, %newTop dims [1] : !s, !column
    tile.map ins(%top, %newTop, %total : !column, !column, !column) outs(%top, %alpha, %total : !column, !column, !column) {
    ^bb0(%old: f32, %now: f32, %t: f32):
      %scaled = arith.mulf %now, %scale2 : f32
      %m = arith.maximumf %old, %scaled : f32
      %d = arith.subf %old, %m : f32
      %a = math.exp2 %d : f32
      %t1 = arith.mulf %t, %a : f32
      tile.yield %m, %a, %t1 : f32, f32, f32
    }
    tile.map ins(%s, %top : !s, !column) outs(%p : !p) {
    ^bb0(%x: f32, %m: f32):
      %scaled = arith.mulf %x, %scale2 : f32
      %d = arith.subf %scaled, %m : f32
      %e = math.exp2 %d : f32
      %w = tile.convert %e : f32 to !tile.param<@T>
      tile.yield %w : !tile.param<@T>
    }
    tile.reduce <add> %p, %total dims [1] {accumulate} : !p, !column
    tile.map ins(%acc, %alpha : !acc, !column) outs(%acc : !acc) {
    ^bb0(%x: f32, %a: f32):
      %y = arith.mulf %x, %a : f32
      tile.yield %y : f32
    }
    tile.wait %tv0
    tile.matmul %p, %values, %acc accumulate : !p, !kv, !acc
    scf.yield %tkn, %tvn, %other : !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1

  %ws = tile.slice %sums[%split, %sequence, 0, 0] : !partSums to !windowSums
  %wm = tile.slice %tops[%split, %sequence, 0, 0] : !partColumns to !windowColumn
  %wt = tile.slice %totals[%split, %sequence, 0, 0] : !partColumns to !windowColumn
  tile.copy %acc, %ws : !acc, !windowSums
  tile.copy %top, %wm : !column, !windowColumn
  tile.copy %total, %wt : !column, !windowColumn
}

tile.kernel @join(%sums: !partSums, %tops: !partColumns, %totals: !partColumns, %o: !tokens) grid(%kvHead, %b) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %g = tile.param_value @G : index
  %splits = tile.param_value @SPLITS : index
  %heads = tile.dim %o, 1 : !tokens
  %kvHeads = arith.divui %heads, %g : index
  %head = arith.muli %kvHead, %g : index
  %before = arith.muli %b, %kvHeads : index
  %sequence = arith.addi %before, %kvHead : index
  %part = tile.alloc : !sums
  %partTop = tile.alloc : !column
  %partTotal = tile.alloc : !column
  %sum = tile.alloc : !sums
  %top = tile.alloc : !column
  %total = tile.alloc : !column
  %alpha = tile.alloc : !column
  %beta = tile.alloc : !column
  %out = tile.alloc : !q
  tile.fill %sum, %zero : !sums, f32
  tile.fill %total, %zero : !column, f32
  tile.fill %top, %lowest : !column, f32
  scf.for %split = %c0 to %splits step %c1 {
    %ws = tile.slice %sums[%split, %sequence, 0, 0] : !partSums to !windowSums
    %wm = tile.slice %tops[%split, %sequence, 0, 0] : !partColumns to !windowColumn
    %wt = tile.slice %totals[%split, %sequence, 0, 0] : !partColumns to !windowColumn
    tile.copy %ws, %part : !windowSums, !sums
    tile.copy %wm, %partTop : !windowColumn, !column
    tile.copy %wt, %partTotal : !windowColumn, !column
    // The first part is never empty, so that the greatest score is a number.
    tile.map ins(%top, %partTop, %total, %partTotal : !column, !column, !column, !column)
             outs(%top, %total, %alpha, %beta : !column, !column, !column, !column) {
    ^bb0(%old: f32, %now: f32, %t: f32, %pt: f32):
      %m = arith.maximumf %old, %now : f32
      %dOld = arith.subf %old, %m : f32
      %dNow = arith.subf %now, %m : f32
      %a = math.exp2 %dOld : f32
      %b1 = math.exp2 %dNow : f32
      %t0 = arith.mulf %t, %a : f32
      %t1 = arith.mulf %pt, %b1 : f32
      %t2 = arith.addf %t0, %t1 : f32
      tile.yield %m, %t2, %a, %b1 : f32, f32, f32, f32
    }
    tile.map ins(%sum, %alpha, %part, %beta : !sums, !column, !sums, !column) outs(%sum : !sums) {
    ^bb0(%x: f32, %a: f32, %y: f32, %b1: f32):
      %xa = arith.mulf %x, %a : f32
      %yb = arith.mulf %y, %b1 : f32
      %z = arith.addf %xa, %yb : f32
      tile.yield %z : f32
    }
  }
  tile.map ins(%sum, %total : !sums, !column) outs(%out : !q) {
  ^bb0(%x: f32, %t: f32):
    %y = arith.divf %x, %t : f32
    %w = tile.convert %y : f32 to !tile.param<@T>
    tile.yield %w : !tile.param<@T>
  }
  %wo = tile.slice %o[%b, %head, 0] : !tokens to !windowQ
  tile.copy %out, %wo : !q, !windowQ
}

func.func @main(%q: !tokens {tile.name = "q", tile.input = "randn:8x16x64:seed=1"},
                %k: !cache {tile.name = "k", tile.input = "randn:8x4x4096x64:seed=2"},
                %v: !cache {tile.name = "v", tile.input = "randn:8x4x4096x64:seed=3"},
                %lengths: !lengths {tile.name = "lengths", tile.input = "randint:8:low=1:high=4096:seed=4"},
                %o: !tokens {tile.name = "o", tile.output = "dim(q,0)xdim(q,1)xdim(q,2)"}) {
  %c1 = arith.constant 1 : index
  %scale = arith.constant 0.125 : f32
  %d = tile.param_value @D : index
  %g = tile.param_value @G : index
  %splits = tile.param_value @SPLITS : index
  %sequences = tile.dim %q, 0 : !tokens
  %kvHeads = tile.dim %k, 1 : !cache
  %rows = arith.muli %sequences, %kvHeads : index
  %sums = tile.alloc(%splits, %rows, %g) : !partSums
  %tops = tile.alloc(%splits, %rows, %g, %c1) : !partColumns
  %totals = tile.alloc(%splits, %rows, %g, %c1) : !partColumns
  tile.launch @attend grid(%splits, %kvHeads, %sequences) args(%q, %k, %v, %lengths, %sums, %tops, %totals, %scale)
      : !tokens, !cache, !cache, !lengths, !partSums, !partColumns, !partColumns, f32
  tile.launch @join grid(%kvHeads, %sequences) args(%sums, %tops, %totals, %o) : !partSums, !partColumns, !partColumns, !tokens
  return
}
