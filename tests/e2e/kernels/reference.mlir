// The examples of the operations' definitions (compiler/dialect/*.td), as they stand there, in kernels that run;
// reference_examples.py looks for every one of their lines here.
tile.param @TM = 128
tile.param @T : type = f16

tile.kernel @scale(%x: !tile.buffer<?xf32, global>, %factor: f32) grid(%i) {
  %old = tile.load %x[%i] : !tile.buffer<?xf32, global>
  %new = arith.mulf %old, %factor : f32
  tile.store %new, %x[%i] : !tile.buffer<?xf32, global>
}

tile.kernel @elements(%offsets: !tile.buffer<?xi32, global>, %counters: !tile.buffer<?xi32, global>, %locks: !tile.buffer<?xi32, global>) grid(%i) {
  %v = tile.load %offsets[%i] : !tile.buffer<?xi32, global>
  %one = arith.constant 1 : i32
  %free = arith.constant 0 : i32
  %mine = arith.constant 7 : i32
  %inside = arith.cmpi slt, %v, %mine : i32
  tile.assert %inside, "row index past the table"
  %arrived = tile.atomic_rmw <add> %one, %counters[%i] order <acq_rel> scope <chip> : !tile.buffer<?xi32, global>
  %old = tile.cas %free, %mine, %locks[%i] order <acquire> scope <chip> : !tile.buffer<?xi32, global>
}

tile.kernel @stores(%out: !tile.buffer<?xf32, global>) grid(%i) {
  %v = arith.constant 2.5 : f32
  tile.store %v, %out[%i] : !tile.buffer<?xf32, global>
}

tile.kernel @copies(%a: !tile.buffer<?x?xf16, global>, %c: !tile.buffer<?x?xf16, global>) grid(%i, %k) {
  %m = tile.dim %c, 0 : !tile.buffer<?x?xf16, global>
  %tm = tile.param_value @TM : index
  %w = tile.slice %a[%i, %k] : !tile.buffer<?x?xf16, global> to !tile.buffer<128x64xf16, global>
  %stages = tile.alloc : !tile.buffer<2x128x64xf16, scratch>
  %n = arith.constant 1 : index
  %s = tile.slice %stages[%n, 0, 0] : !tile.buffer<2x128x64xf16, scratch> to !tile.buffer<128x64xf16, scratch>
  tile.copy %w, %s : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
  %fits = arith.cmpi sle, %tm, %m : index
  scf.if %fits {
    %o = tile.slice %c[%i, %k] : !tile.buffer<?x?xf16, global> to !tile.buffer<128x64xf16, global>
    tile.copy %s, %o : !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x64xf16, global>
  }
}

tile.kernel @memories(%window: !tile.buffer<128x64xf16, global>, %out: !tile.buffer<8x64xf16, global>, %turned: !tile.buffer<64x128xf16, global>,
                      %narrow: !tile.buffer<128x64xbf16, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<2x128x64xf16, scratch>
  %tile = tile.slice %s[0, 0, 0] : !tile.buffer<2x128x64xf16, scratch> to !tile.buffer<128x64xf16, scratch>
  tile.copy %window, %tile : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
  %t = tile.copy_async %window, %tile : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
  tile.wait %t
  %padded = tile.alloc : !tile.buffer<8x64xf16, scratch, #tile.layout<S[(8,64):(72,1)]>>
  %first = tile.slice %tile[0, 0] : !tile.buffer<128x64xf16, scratch> to !tile.buffer<8x64xf16, scratch>
  tile.copy %first, %padded : !tile.buffer<8x64xf16, scratch>, !tile.buffer<8x64xf16, scratch, #tile.layout<S[(8,64):(72,1)]>>
  tile.copy %padded, %out : !tile.buffer<8x64xf16, scratch, #tile.layout<S[(8,64):(72,1)]>>, !tile.buffer<8x64xf16, global>
  tile.mark "transpose" {
    %x = tile.slice %s[0, 0, 0] : !tile.buffer<2x128x64xf16, scratch> to !tile.buffer<128x64xf16, scratch>
    %y = tile.alloc : !tile.buffer<64x128xf16, scratch>
    tile.transpose %x, %y permutation [1, 0] : !tile.buffer<128x64xf16, scratch>, !tile.buffer<64x128xf16, scratch>
    tile.copy %y, %turned : !tile.buffer<64x128xf16, scratch>, !tile.buffer<64x128xf16, global>
  }
  tile.mark "softmax" {
    %x = tile.alloc : !tile.buffer<128x64xf32, scratch>
    %y = tile.alloc : !tile.buffer<128x64xbf16, scratch>
    tile.cast %tile, %x : !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x64xf32, scratch>
    tile.cast %x, %y : !tile.buffer<128x64xf32, scratch>, !tile.buffer<128x64xbf16, scratch>
    %z = tile.alloc : !tile.buffer<128x64xf8E4M3FN, scratch>
    tile.cast %x, %z overflow <nan> : !tile.buffer<128x64xf32, scratch>, !tile.buffer<128x64xf8E4M3FN, scratch>
    %rows = tile.slice %z[0, 0] : !tile.buffer<128x64xf8E4M3FN, scratch> to !tile.buffer<8x64xf8E4M3FN, scratch>
    %wide = tile.slice %y[0, 0] : !tile.buffer<128x64xbf16, scratch> to !tile.buffer<8x64xbf16, scratch>
    tile.cast %rows, %wide : !tile.buffer<8x64xf8E4M3FN, scratch>, !tile.buffer<8x64xbf16, scratch>
    tile.copy %y, %narrow : !tile.buffer<128x64xbf16, scratch>, !tile.buffer<128x64xbf16, global>
  }
}

tile.kernel @computes(%gx: !tile.buffer<64x128xf32, global>, %gbias: !tile.buffer<1x128xf32, global>, %gy: !tile.buffer<64x128xf32, global>,
                      %grows: !tile.buffer<8x128xf32, global>, %gcolumns: !tile.buffer<8x128xi32, global>) grid(%i) {
  %x = tile.alloc : !tile.buffer<64x128xf32, scratch>
  %bias = tile.alloc : !tile.buffer<1x128xf32, scratch>
  %y = tile.alloc : !tile.buffer<64x128xf32, scratch>
  %rows = tile.alloc : !tile.buffer<8x128xf32, scratch>
  %columns = tile.alloc : !tile.buffer<8x128xi32, scratch>
  %seed = arith.constant 5 : i64
  tile.copy %gx, %x : !tile.buffer<64x128xf32, global>, !tile.buffer<64x128xf32, scratch>
  tile.copy %gbias, %bias : !tile.buffer<1x128xf32, global>, !tile.buffer<1x128xf32, scratch>
  tile.map ins(%x, %bias : !tile.buffer<64x128xf32, scratch>, !tile.buffer<1x128xf32, scratch>)
           outs(%y : !tile.buffer<64x128xf32, scratch>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  tile.copy %y, %gy : !tile.buffer<64x128xf32, scratch>, !tile.buffer<64x128xf32, global>
  tile.broadcast %bias, %rows : !tile.buffer<1x128xf32, scratch>, !tile.buffer<8x128xf32, scratch>
  tile.copy %rows, %grows : !tile.buffer<8x128xf32, scratch>, !tile.buffer<8x128xf32, global>
  tile.iota %columns dim 1 : !tile.buffer<8x128xi32, scratch>
  tile.map ins(%columns : !tile.buffer<8x128xi32, scratch>) outs(%columns : !tile.buffer<8x128xi32, scratch>) {
  ^bb0(%c: i32):
    %col = tile.index 1 : index
    %position = arith.index_cast %col : index to i64
    %bits = tile.random %seed, %position : i32
    %r = arith.xori %bits, %c : i32
    tile.yield %r : i32
  }
  tile.copy %columns, %gcolumns : !tile.buffer<8x128xi32, scratch>, !tile.buffer<8x128xi32, global>
}

tile.kernel @converts(%gx: !tile.buffer<16x!tile.param<@T>, global>, %gy: !tile.buffer<16xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<16x!tile.param<@T>, scratch>
  %d = tile.alloc : !tile.buffer<16xf32, scratch>
  tile.copy %gx, %s : !tile.buffer<16x!tile.param<@T>, global>, !tile.buffer<16x!tile.param<@T>, scratch>
  tile.map ins(%s : !tile.buffer<16x!tile.param<@T>, scratch>) outs(%d : !tile.buffer<16xf32, scratch>) {
  ^bb0(%x: !tile.param<@T>):
    %w = tile.convert %x : !tile.param<@T> to f32
    %n = tile.convert %w overflow <nan> : f32 to f8E4M3FN
    %f = tile.convert %n : f8E4M3FN to f32
    tile.yield %f : f32
  }
  tile.copy %d, %gy : !tile.buffer<16xf32, scratch>, !tile.buffer<16xf32, global>
}

tile.kernel @products(%ga: !tile.buffer<128x64xf16, global>, %gb: !tile.buffer<128x64xf16, global>, %gc: !tile.buffer<64x128xf16, global>,
                      %out: !tile.buffer<128x128xf32, global>) grid(%i) {
  %a = tile.alloc : !tile.buffer<128x64xf16, scratch>
  %transposed = tile.alloc : !tile.buffer<128x64xf16, scratch>
  %acc = tile.alloc : !tile.buffer<128x128xf32, acc>
  %zero = arith.constant 0.0 : f32
  %notFirst = arith.constant true
  tile.copy %ga, %a : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
  tile.copy %gb, %transposed : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, scratch>
  tile.fill %acc, %zero : !tile.buffer<128x128xf32, acc>, f32
  tile.exec core {
    %b = tile.slice %transposed[0, 0] : !tile.buffer<128x64xf16, scratch> to !tile.buffer<128x64xf16, scratch>
    tile.matmul %a, %b, %acc accumulate(%notFirst) {transpose_b}
        : !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x64xf16, scratch>, !tile.buffer<128x128xf32, acc>
  }
  %b = tile.alloc : !tile.buffer<64x128xf16, scratch>
  tile.copy %gc, %b : !tile.buffer<64x128xf16, global>, !tile.buffer<64x128xf16, scratch>
  %t = tile.matmul_async %a, %b, %acc accumulate
      : !tile.buffer<128x64xf16, scratch>, !tile.buffer<64x128xf16, scratch>, !tile.buffer<128x128xf32, acc>
  tile.wait %t
  tile.copy %acc, %out : !tile.buffer<128x128xf32, acc>, !tile.buffer<128x128xf32, global>
}

tile.kernel @scaled(%ga: !tile.buffer<64x96xf8E5M2, global>, %gb: !tile.buffer<96x64xf8E4M3FN, global>,
                    %gsa: !tile.buffer<64x3xf8E8M0FNU, global>, %gsb: !tile.buffer<3x64xf8E8M0FNU, global>,
                    %out: !tile.buffer<64x64xf32, global>) grid(%i) {
  %a = tile.alloc : !tile.buffer<64x96xf8E5M2, scratch>
  %b = tile.alloc : !tile.buffer<96x64xf8E4M3FN, scratch>
  %sa = tile.alloc : !tile.buffer<64x3xf8E8M0FNU, scratch>
  %sb = tile.alloc : !tile.buffer<3x64xf8E8M0FNU, scratch>
  %acc = tile.alloc : !tile.buffer<64x64xf32, acc>
  tile.copy %ga, %a : !tile.buffer<64x96xf8E5M2, global>, !tile.buffer<64x96xf8E5M2, scratch>
  tile.copy %gb, %b : !tile.buffer<96x64xf8E4M3FN, global>, !tile.buffer<96x64xf8E4M3FN, scratch>
  tile.copy %gsa, %sa : !tile.buffer<64x3xf8E8M0FNU, global>, !tile.buffer<64x3xf8E8M0FNU, scratch>
  tile.copy %gsb, %sb : !tile.buffer<3x64xf8E8M0FNU, global>, !tile.buffer<3x64xf8E8M0FNU, scratch>
  tile.matmul %a, %b, %acc scales(%sa, %sb) block 32
      : !tile.buffer<64x96xf8E5M2, scratch>, !tile.buffer<96x64xf8E4M3FN, scratch>, !tile.buffer<64x64xf32, acc>,
        !tile.buffer<64x3xf8E8M0FNU, scratch>, !tile.buffer<3x64xf8E8M0FNU, scratch>
  tile.copy %acc, %out : !tile.buffer<64x64xf32, acc>, !tile.buffer<64x64xf32, global>
}

tile.kernel @lines(%gx: !tile.buffer<8x781xf32, global>, %gh: !tile.buffer<8x781xf16, global>, %gcounts: !tile.buffer<64xi32, global>,
                   %gm: !tile.buffer<8x1xf32, global>, %gs: !tile.buffer<8x1xf32, global>, %gsums: !tile.buffer<8x781xf32, global>,
                   %gstarts: !tile.buffer<64xi32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<8x1xf32, scratch>
  tile.exec core {
    %x = tile.alloc : !tile.buffer<8x781xf32, scratch>
    %m = tile.alloc : !tile.buffer<8x1xf32, scratch>
    tile.copy %gx, %x : !tile.buffer<8x781xf32, global>, !tile.buffer<8x781xf32, scratch>
    tile.reduce <max> %x, %m dims [1] : !tile.buffer<8x781xf32, scratch>, !tile.buffer<8x1xf32, scratch>
    tile.copy %m, %gm : !tile.buffer<8x1xf32, scratch>, !tile.buffer<8x1xf32, global>
    tile.copy %m, %s : !tile.buffer<8x1xf32, scratch>, !tile.buffer<8x1xf32, scratch>
  }
  tile.exec core {
    %x = tile.alloc : !tile.buffer<8x781xf16, scratch>
    %sums = tile.alloc : !tile.buffer<8x781xf32, scratch>
    tile.copy %gh, %x : !tile.buffer<8x781xf16, global>, !tile.buffer<8x781xf16, scratch>
    tile.reduce <add> %x, %s dims [1] order <tree> {accumulate} : !tile.buffer<8x781xf16, scratch>, !tile.buffer<8x1xf32, scratch>
    tile.copy %s, %gs : !tile.buffer<8x1xf32, scratch>, !tile.buffer<8x1xf32, global>
    tile.scan <add> %x, %sums dim 1 : !tile.buffer<8x781xf16, scratch>, !tile.buffer<8x781xf32, scratch>
    tile.copy %sums, %gsums : !tile.buffer<8x781xf32, scratch>, !tile.buffer<8x781xf32, global>
  }
  %counts = tile.alloc : !tile.buffer<64xi32, scratch>
  %starts = tile.alloc : !tile.buffer<64xi32, scratch>
  tile.copy %gcounts, %counts : !tile.buffer<64xi32, global>, !tile.buffer<64xi32, scratch>
  tile.scan <add> %counts, %starts dim 0 {exclusive} : !tile.buffer<64xi32, scratch>, !tile.buffer<64xi32, scratch>
  tile.copy %starts, %gstarts : !tile.buffer<64xi32, scratch>, !tile.buffer<64xi32, global>
}

tile.kernel @selects(%table: !tile.buffer<?x64xf16, global>, %gids: !tile.buffer<32x1xi32, global>, %gpixels: !tile.buffer<64x128xi8, global>,
                     %gx: !tile.buffer<8x100xf32, global>, %gscores: !tile.buffer<320x128xf32, global>, %grows: !tile.buffer<32x64xf16, global>,
                     %gsums: !tile.buffer<100x64xf32, global>, %gcounts: !tile.buffer<256xi32, global>, %gsorted: !tile.buffer<8x100xf32, global>,
                     %gorder: !tile.buffer<8x100xi32, global>, %gbest: !tile.buffer<320x8xf32, global>, %gwhich: !tile.buffer<320x8xi32, global>) grid(%i) {
  %ids = tile.alloc : !tile.buffer<32x1xi32, scratch>
  %gathered = tile.alloc : !tile.buffer<32x64xf16, scratch>
  tile.copy %gids, %ids : !tile.buffer<32x1xi32, global>, !tile.buffer<32x1xi32, scratch>
  tile.exec core {
    %rows = tile.slice %gathered[0, 0] : !tile.buffer<32x64xf16, scratch> to !tile.buffer<32x64xf16, scratch>
    tile.gather %table, %ids, %rows dim 0
        : !tile.buffer<?x64xf16, global>, !tile.buffer<32x1xi32, scratch>, !tile.buffer<32x64xf16, scratch>
    tile.copy %rows, %grows : !tile.buffer<32x64xf16, scratch>, !tile.buffer<32x64xf16, global>
  }
  tile.exec core {
    %rows = tile.alloc : !tile.buffer<32x64xf32, scratch>
    %sums = tile.alloc : !tile.buffer<100x64xf32, scratch>
    %zero = arith.constant 0.0 : f32
    tile.cast %gathered, %rows : !tile.buffer<32x64xf16, scratch>, !tile.buffer<32x64xf32, scratch>
    tile.fill %sums, %zero : !tile.buffer<100x64xf32, scratch>, f32
    tile.scatter %rows, %ids, %sums dim 0 combine <add>
        : !tile.buffer<32x64xf32, scratch>, !tile.buffer<32x1xi32, scratch>, !tile.buffer<100x64xf32, scratch>
    tile.copy %sums, %gsums : !tile.buffer<100x64xf32, scratch>, !tile.buffer<100x64xf32, global>
  }
  tile.exec core {
    %pixels = tile.alloc : !tile.buffer<64x128xi8, scratch>
    %counts = tile.alloc : !tile.buffer<256xi32, scratch>
    tile.copy %gpixels, %pixels : !tile.buffer<64x128xi8, global>, !tile.buffer<64x128xi8, scratch>
    tile.histogram %pixels, %counts : !tile.buffer<64x128xi8, scratch>, !tile.buffer<256xi32, scratch>
    tile.copy %counts, %gcounts : !tile.buffer<256xi32, scratch>, !tile.buffer<256xi32, global>
  }
  tile.exec core {
    %x = tile.alloc : !tile.buffer<8x100xf32, scratch>
    %sorted = tile.alloc : !tile.buffer<8x100xf32, scratch>
    %order = tile.alloc : !tile.buffer<8x100xi32, scratch>
    tile.copy %gx, %x : !tile.buffer<8x100xf32, global>, !tile.buffer<8x100xf32, scratch>
    tile.sort %x, %sorted, %order dim 1 {descending}
        : !tile.buffer<8x100xf32, scratch>, !tile.buffer<8x100xf32, scratch>, !tile.buffer<8x100xi32, scratch>
    tile.copy %sorted, %gsorted : !tile.buffer<8x100xf32, scratch>, !tile.buffer<8x100xf32, global>
    tile.copy %order, %gorder : !tile.buffer<8x100xi32, scratch>, !tile.buffer<8x100xi32, global>
  }
  %scores = tile.alloc : !tile.buffer<320x128xf32, scratch>
  %best = tile.alloc : !tile.buffer<320x8xf32, scratch>
  %which = tile.alloc : !tile.buffer<320x8xi32, scratch>
  tile.copy %gscores, %scores : !tile.buffer<320x128xf32, global>, !tile.buffer<320x128xf32, scratch>
  tile.topk %scores, %best, %which dim 1 {descending}
      : !tile.buffer<320x128xf32, scratch>, !tile.buffer<320x8xf32, scratch>, !tile.buffer<320x8xi32, scratch>
  tile.copy %best, %gbest : !tile.buffer<320x8xf32, scratch>, !tile.buffer<320x8xf32, global>
  tile.copy %which, %gwhich : !tile.buffer<320x8xi32, scratch>, !tile.buffer<320x8xi32, global>
}

tile.kernel @orders(%x: !tile.buffer<2x16xf32, global>, %y: !tile.buffer<2x16xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<2x16xf32, scratch>
  %count = arith.constant 1 : index
  %b = tile.barrier_init %count : !tile.barrier
  tile.exec core {
    %t = tile.ready : !tile.token
    tile.wait %t
  }
  %t0 = tile.copy_async %x, %s : !tile.buffer<2x16xf32, global>, !tile.buffer<2x16xf32, scratch>
  %t1 = tile.ready : !tile.token
  tile.wait %t0, %t1
  tile.sync
  tile.exec team [0 : 2] {
    %t = tile.team_id : index
    %row = tile.slice %s[%t, 0] : !tile.buffer<2x16xf32, scratch> to !tile.buffer<16xf32, scratch>
    tile.map ins(%row : !tile.buffer<16xf32, scratch>) outs(%row : !tile.buffer<16xf32, scratch>) {
    ^bb0(%a: f32):
      %twice = arith.addf %a, %a : f32
      tile.yield %twice : f32
    }
    %phase = tile.barrier_arrive %b : i64
    tile.barrier_wait %b, %phase
  }
  tile.copy %s, %y : !tile.buffer<2x16xf32, scratch>, !tile.buffer<2x16xf32, global>
}

tile.kernel @hands_over(%x: !tile.buffer<4x16x16xf16, global>, %y: !tile.buffer<16x16xf32, global>) grid(%i) {
  %stages = arith.constant 2 : index
  %p = tile.pipeline %stages : !tile.pipeline
  %ring = tile.alloc : !tile.buffer<2x2x16x16xf16, scratch>
  %acc = tile.alloc : !tile.buffer<16x16xf32, acc>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.roles producer [0] {
    scf.for %k = %c0 to %c2 step %c1 {
      %stage = tile.producer_acquire %p : index
      %first = arith.muli %k, %c2 : index
      %second = arith.addi %first, %c1 : index
      %pair = tile.slice %ring[%stage, 0, 0, 0] : !tile.buffer<2x2x16x16xf16, scratch> to !tile.buffer<2x16x16xf16, scratch>
      %a = tile.slice %pair[0, 0, 0] : !tile.buffer<2x16x16xf16, scratch> to !tile.buffer<16x16xf16, scratch>
      %b = tile.slice %pair[1, 0, 0] : !tile.buffer<2x16x16xf16, scratch> to !tile.buffer<16x16xf16, scratch>
      %ga = tile.slice %x[%first, 0, 0] : !tile.buffer<4x16x16xf16, global> to !tile.buffer<16x16xf16, global>
      %gb = tile.slice %x[%second, 0, 0] : !tile.buffer<4x16x16xf16, global> to !tile.buffer<16x16xf16, global>
      %loadA = tile.copy_async %ga, %a : !tile.buffer<16x16xf16, global>, !tile.buffer<16x16xf16, scratch>
      %loadB = tile.copy_async %gb, %b : !tile.buffer<16x16xf16, global>, !tile.buffer<16x16xf16, scratch>
      tile.producer_commit %p, %loadA, %loadB
    }
  }, consumer [1 : 4] {
    %zero = arith.constant 0.0 : f32
    tile.fill %acc, %zero : !tile.buffer<16x16xf32, acc>, f32
    scf.for %k = %c0 to %c2 step %c1 {
      %stage = tile.consumer_wait %p : index
      %pair = tile.slice %ring[%stage, 0, 0, 0] : !tile.buffer<2x2x16x16xf16, scratch> to !tile.buffer<2x16x16xf16, scratch>
      %a = tile.slice %pair[0, 0, 0] : !tile.buffer<2x16x16xf16, scratch> to !tile.buffer<16x16xf16, scratch>
      %b = tile.slice %pair[1, 0, 0] : !tile.buffer<2x16x16xf16, scratch> to !tile.buffer<16x16xf16, scratch>
      %product = tile.matmul_async %a, %b, %acc accumulate
          : !tile.buffer<16x16xf16, scratch>, !tile.buffer<16x16xf16, scratch>, !tile.buffer<16x16xf32, acc>
      tile.consumer_release %p, %product
    }
    tile.copy %acc, %y : !tile.buffer<16x16xf32, acc>, !tile.buffer<16x16xf32, global>
  }
}

func.func @main(%v: !tile.buffer<?xf32, global> {tile.name = "v", tile.input = "randn:5:seed=1", tile.output = "5"},
                %offsets: !tile.buffer<?xi32, global> {tile.name = "offsets", tile.input = "randint:6:low=0:high=6:seed=2"},
                %counters: !tile.buffer<?xi32, global> {tile.name = "counters", tile.input = "zeros:6", tile.output = "6"},
                %locks: !tile.buffer<?xi32, global> {tile.name = "locks", tile.input = "zeros:6", tile.output = "6"},
                %stored: !tile.buffer<?xf32, global> {tile.name = "stored", tile.output = "3"},
                %a: !tile.buffer<?x?xf16, global> {tile.name = "a", tile.input = "randn:128x64:seed=3"},
                %c: !tile.buffer<?x?xf16, global> {tile.name = "c", tile.output = "128x64"},
                %window: !tile.buffer<128x64xf16, global> {tile.name = "window", tile.input = "randn:128x64:seed=4"},
                %out8: !tile.buffer<8x64xf16, global> {tile.name = "out8", tile.output = "8x64"},
                %turned: !tile.buffer<64x128xf16, global> {tile.name = "turned", tile.output = "64x128"},
                %narrow: !tile.buffer<128x64xbf16, global> {tile.name = "narrow", tile.output = "128x64"},
                %x: !tile.buffer<64x128xf32, global> {tile.name = "x", tile.input = "randn:64x128:seed=5"},
                %bias: !tile.buffer<1x128xf32, global> {tile.name = "bias", tile.input = "randn:1x128:seed=6"},
                %y: !tile.buffer<64x128xf32, global> {tile.name = "y", tile.output = "64x128"},
                %rows: !tile.buffer<8x128xf32, global> {tile.name = "rows", tile.output = "8x128"},
                %columns: !tile.buffer<8x128xi32, global> {tile.name = "columns", tile.output = "8x128"},
                %p: !tile.buffer<16x!tile.param<@T>, global> {tile.name = "p", tile.input = "randn:16:seed=7"},
                %q: !tile.buffer<16xf32, global> {tile.name = "q", tile.output = "16"},
                %b: !tile.buffer<64x128xf16, global> {tile.name = "b", tile.input = "randn:64x128:seed=8"},
                %products: !tile.buffer<128x128xf32, global> {tile.name = "products", tile.output = "128x128"},
                %l: !tile.buffer<8x781xf32, global> {tile.name = "l", tile.input = "randn:8x781:seed=9"},
                %h: !tile.buffer<8x781xf16, global> {tile.name = "h", tile.input = "randn:8x781:seed=10"},
                %counts: !tile.buffer<64xi32, global> {tile.name = "counts", tile.input = "randint:64:low=0:high=9:seed=11"},
                %maxima: !tile.buffer<8x1xf32, global> {tile.name = "maxima", tile.output = "8x1"},
                %s: !tile.buffer<8x1xf32, global> {tile.name = "s", tile.output = "8x1"},
                %sums: !tile.buffer<8x781xf32, global> {tile.name = "sums", tile.output = "8x781"},
                %starts: !tile.buffer<64xi32, global> {tile.name = "starts", tile.output = "64"},
                %table: !tile.buffer<?x64xf16, global> {tile.name = "table", tile.input = "randn:100x64:seed=12"},
                %ids: !tile.buffer<32x1xi32, global> {tile.name = "ids", tile.input = "randint:32x1:low=0:high=99:seed=13"},
                %pixels: !tile.buffer<64x128xi8, global> {tile.name = "pixels", tile.input = "randint:64x128:low=-128:high=127:seed=14"},
                %u: !tile.buffer<8x100xf32, global> {tile.name = "u", tile.input = "special:8x100:seed=15"},
                %scores: !tile.buffer<320x128xf32, global> {tile.name = "scores", tile.input = "randn:320x128:seed=16"},
                %gathered: !tile.buffer<32x64xf16, global> {tile.name = "gathered", tile.output = "32x64"},
                %scattered: !tile.buffer<100x64xf32, global> {tile.name = "scattered", tile.output = "100x64"},
                %histogram: !tile.buffer<256xi32, global> {tile.name = "histogram", tile.output = "256"},
                %sorted: !tile.buffer<8x100xf32, global> {tile.name = "sorted", tile.output = "8x100"},
                %order: !tile.buffer<8x100xi32, global> {tile.name = "order", tile.output = "8x100"},
                %best: !tile.buffer<320x8xf32, global> {tile.name = "best", tile.output = "320x8"},
                %which: !tile.buffer<320x8xi32, global> {tile.name = "which", tile.output = "320x8"},
                %d: !tile.buffer<2x16xf32, global> {tile.name = "d", tile.input = "randn:2x16:seed=17"},
                %e: !tile.buffer<2x16xf32, global> {tile.name = "e", tile.output = "2x16"},
                %pairs: !tile.buffer<4x16x16xf16, global> {tile.name = "pairs", tile.input = "randn:4x16x16:seed=18"},
                %handed: !tile.buffer<16x16xf32, global> {tile.name = "handed", tile.output = "16x16"},
                %fives: !tile.buffer<64x96xf8E5M2, global> {tile.name = "fives", tile.input = "randn:64x96:seed=19"},
                %eights: !tile.buffer<96x64xf8E4M3FN, global> {tile.name = "eights", tile.input = "randn:96x64:seed=20"},
                %fiveScales: !tile.buffer<64x3xf8E8M0FNU, global> {tile.name = "fiveScales", tile.input = "uniform:64x3:low=0.01:high=100:seed=21"},
                %eightScales: !tile.buffer<3x64xf8E8M0FNU, global> {tile.name = "eightScales", tile.input = "uniform:3x64:low=0.01:high=100:seed=22"},
                %scaled: !tile.buffer<64x64xf32, global> {tile.name = "scaled", tile.output = "64x64"}) {
  %c1 = arith.constant 1 : index
  %n = tile.dim %v, 0 : !tile.buffer<?xf32, global>
  %m = arith.constant 4 : index
  %g = tile.alloc(%m, %n) : !tile.buffer<?x?xf32, global>
  %factor = arith.constant 3.0 : f32
  %six = arith.constant 6 : index
  %three = arith.constant 3 : index
  tile.launch @scale grid(%n) args(%v, %factor) : !tile.buffer<?xf32, global>, f32
  tile.launch @elements grid(%six) args(%offsets, %counters, %locks) : !tile.buffer<?xi32, global>, !tile.buffer<?xi32, global>, !tile.buffer<?xi32, global>
  tile.launch @stores grid(%three) args(%stored) : !tile.buffer<?xf32, global>
  tile.launch @copies grid(%c1, %c1) args(%a, %c) : !tile.buffer<?x?xf16, global>, !tile.buffer<?x?xf16, global>
  tile.launch @memories grid(%c1) args(%window, %out8, %turned, %narrow)
      : !tile.buffer<128x64xf16, global>, !tile.buffer<8x64xf16, global>, !tile.buffer<64x128xf16, global>, !tile.buffer<128x64xbf16, global>
  tile.launch @computes grid(%c1) args(%x, %bias, %y, %rows, %columns)
      : !tile.buffer<64x128xf32, global>, !tile.buffer<1x128xf32, global>, !tile.buffer<64x128xf32, global>, !tile.buffer<8x128xf32, global>, !tile.buffer<8x128xi32, global>
  tile.launch @converts grid(%c1) args(%p, %q) : !tile.buffer<16x!tile.param<@T>, global>, !tile.buffer<16xf32, global>
  tile.launch @scaled grid(%c1) args(%fives, %eights, %fiveScales, %eightScales, %scaled)
      : !tile.buffer<64x96xf8E5M2, global>, !tile.buffer<96x64xf8E4M3FN, global>, !tile.buffer<64x3xf8E8M0FNU, global>, !tile.buffer<3x64xf8E8M0FNU, global>, !tile.buffer<64x64xf32, global>
  tile.launch @products grid(%c1) args(%window, %window, %b, %products)
      : !tile.buffer<128x64xf16, global>, !tile.buffer<128x64xf16, global>, !tile.buffer<64x128xf16, global>, !tile.buffer<128x128xf32, global>
  tile.launch @lines grid(%c1) args(%l, %h, %counts, %maxima, %s, %sums, %starts)
      : !tile.buffer<8x781xf32, global>, !tile.buffer<8x781xf16, global>, !tile.buffer<64xi32, global>, !tile.buffer<8x1xf32, global>, !tile.buffer<8x1xf32, global>, !tile.buffer<8x781xf32, global>, !tile.buffer<64xi32, global>
  tile.launch @selects grid(%c1) args(%table, %ids, %pixels, %u, %scores, %gathered, %scattered, %histogram, %sorted, %order, %best, %which)
      : !tile.buffer<?x64xf16, global>, !tile.buffer<32x1xi32, global>, !tile.buffer<64x128xi8, global>, !tile.buffer<8x100xf32, global>, !tile.buffer<320x128xf32, global>, !tile.buffer<32x64xf16, global>, !tile.buffer<100x64xf32, global>, !tile.buffer<256xi32, global>, !tile.buffer<8x100xf32, global>, !tile.buffer<8x100xi32, global>, !tile.buffer<320x8xf32, global>, !tile.buffer<320x8xi32, global>
  tile.launch @orders grid(%c1) args(%d, %e) : !tile.buffer<2x16xf32, global>, !tile.buffer<2x16xf32, global>
  tile.launch @hands_over grid(%c1) args(%pairs, %handed) : !tile.buffer<4x16x16xf16, global>, !tile.buffer<16x16xf32, global>
  return
}
