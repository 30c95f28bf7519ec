// Work items on several cores: each adds up its rows and puts its sum beside the others'; the last to arrive adds those up. Counts and extremes by
// atomic operations of every kind, a greatest value by compare and swap, teams of a core counting into scratch.
!matrix = !tile.buffer<?x?xi32, global>
!window = !tile.buffer<8x50xi32, global>
!tile = !tile.buffer<8x50xi32, scratch>
!sums = !tile.buffer<8x1xi32, scratch>
!words = !tile.buffer<?xi32, global>
!wide = !tile.buffer<?xi64, global>
!floats = !tile.buffer<?xf32, global>
!mine = !tile.buffer<4xi32, scratch>

tile.kernel @atomics(%x: !matrix, %parts: !words, %out: !words, %wide: !wide, %floats: !floats, %items: i32) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %row = arith.muli %i, %c8 : index
  %w = tile.slice %x[%row, 0] : !matrix to !window
  %in = tile.alloc : !tile
  %s = tile.alloc : !sums
  %t = tile.alloc : !tile.buffer<1x1xi32, scratch>
  tile.copy %w, %in : !window, !tile
  tile.reduce <add> %in, %s dims [1] : !tile, !sums
  tile.reduce <add> %s, %t dims [0] : !sums, !tile.buffer<1x1xi32, scratch>
  %sum = tile.load %t[%c0, %c0] : !tile.buffer<1x1xi32, scratch>
  tile.store %sum, %parts[%i] : !words
  %a0 = tile.atomic_rmw <add> %sum, %out[%c1] order <relaxed> scope <chip> : !words
  %a1 = tile.atomic_rmw <min> %sum, %out[%c2] order <relaxed> scope <chip> : !words
  %a2 = tile.atomic_rmw <max> %sum, %out[%c3] order <relaxed> scope <chip> : !words
  %a3 = tile.atomic_rmw <and> %sum, %out[%c4] order <relaxed> scope <chip> : !words
  %a4 = tile.atomic_rmw <or> %sum, %out[%c5] order <relaxed> scope <chip> : !words
  %a5 = tile.atomic_rmw <xor> %sum, %out[%c6] order <relaxed> scope <chip> : !words
  %sum64 = arith.extsi %sum : i32 to i64
  %a6 = tile.atomic_rmw <add> %sum64, %wide[%c0] order <relaxed> scope <chip> : !wide
  %number = arith.sitofp %sum : i32 to f32
  %a7 = tile.atomic_rmw <add> %number, %floats[%c0] order <relaxed> scope <chip> : !floats

  // The greatest sum again, by compare and swap.
  %first = tile.atomic_rmw <or> %zero, %out[%c7] order <relaxed> scope <chip> : !words
  %last = scf.while (%seen = %first) : (i32) -> i32 {
    %greater = arith.maxsi %seen, %sum : i32
    %old = tile.cas %seen, %greater, %out[%c7] order <acq_rel> scope <chip> : !words
    %again = arith.cmpi ne, %old, %seen : i32
    scf.condition(%again) %old : i32
  } do {
  ^bb0(%now: i32):
    scf.yield %now : i32
  }

  // Teams count into one word; each team's number once more by exchange.
  %m = tile.alloc : !mine
  tile.fill %m, %zero : !mine, i32
  tile.exec team {
    %b0 = tile.atomic_rmw <add> %sum, %m[%c0] order <acq_rel> scope <core> : !mine
    %b1 = tile.atomic_rmw <exchange> %one, %m[%c1] order <acq_rel> scope <core> : !mine
  }
  %teams = tile.num_teams : index
  %all = tile.load %m[%c0] : !mine
  %flag = tile.load %m[%c1] : !mine
  %count = arith.index_cast %teams : index to i32
  %expected = arith.muli %count, %sum : i32
  %same = arith.cmpi eq, %all, %expected : i32
  tile.assert %same, "every team adds once"
  %set = arith.cmpi eq, %flag, %one : i32
  tile.assert %set, "some team exchanged"

  // Who arrives last sees all parts.
  %arrived = tile.atomic_rmw <add> %one, %out[%c8] order <acq_rel> scope <chip> : !words
  %behind = arith.subi %items, %one : i32
  %isLast = arith.cmpi eq, %arrived, %behind : i32
  scf.if %isLast {
    %end = arith.index_cast %items : i32 to index
    %total = scf.for %p = %c0 to %end step %c1 iter_args(%so = %zero) -> (i32) {
      %part = tile.load %parts[%p] : !words
      %next = arith.addi %so, %part : i32
      scf.yield %next : i32
    }
    tile.store %total, %out[%c0] : !words
  }
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randint:197x50:low=-1000:high=1000:seed=1"},
                %parts: !words {tile.name = "parts", tile.output = "25"},
                %out: !words {tile.name = "out", tile.input = "zeros:9", tile.output = "9"},
                %wide: !wide {tile.name = "wide", tile.input = "zeros:1", tile.output = "1"},
                %floats: !floats {tile.name = "floats", tile.input = "zeros:1", tile.output = "1"}) {
  %rows = tile.dim %x, 0 : !matrix
  %c8 = arith.constant 8 : index
  %items = arith.ceildivui %rows, %c8 : index
  %n = arith.index_cast %items : index to i32
  tile.launch @atomics grid(%items) args(%x, %parts, %out, %wide, %floats, %n) : !matrix, !words, !words, !wide, !floats, i32
  return
}
