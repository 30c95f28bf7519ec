// Elements of which two lie in a byte: conversions both ways, copies of whole and of partial windows (rows of odd extent,
// whose last byte another window's element shares), fills, rows by index, exchanged outer dimensions.
tile.param @R = 20
tile.param @C = 37
tile.param @P = 7          // extent of a partial window
tile.param @T : type = i4
tile.param @U : type = f16

!numbers = !tile.buffer<?x?x!tile.param<@U>, global>
!numbersWindow = !tile.buffer<@R x @C x !tile.param<@U>, global>
!numbersTile = !tile.buffer<@R x @C x !tile.param<@U>, scratch>
!packed = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!tile = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!part = !tile.buffer<3 x @P x !tile.param<@T>, scratch>
!partWindow = !tile.buffer<3 x @P x !tile.param<@T>, global>
!pairs = !tile.buffer<2 x @R x @C x !tile.param<@T>, scratch>
!turned = !tile.buffer<@R x 2 x @C x !tile.param<@T>, scratch>
!pairsOut = !tile.buffer<?x2x?x!tile.param<@T>, global>
!pairsWindow = !tile.buffer<@R x 2 x @C x !tile.param<@T>, global>
!ids = !tile.buffer<?x?xi32, global>
!idsWindow = !tile.buffer<@R x 1 x i32, global>
!idsTile = !tile.buffer<@R x 1 x i32, scratch>

tile.kernel @packed(%x: !numbers, %q: !packed, %ids: !ids, %narrow: !packed, %wide: !numbers, %rows: !packed, %parts: !packed, %pairs: !pairsOut) grid(%i) {
  %c2 = arith.constant 2 : index
  %even = arith.muli %i, %c2 : index
  %at = arith.addi %even, %c2 : index
  %in = tile.alloc : !numbersTile
  %cast = tile.alloc : !tile
  %wx = tile.slice %x[0, 0] : !numbers to !numbersWindow
  tile.copy %wx, %in : !numbersWindow, !numbersTile
  tile.cast %in, %cast : !numbersTile, !tile
  %wn = tile.slice %narrow[0, 0] : !packed to !window
  tile.copy %cast, %wn : !tile, !window

  %widened = tile.alloc : !numbersTile
  %wq = tile.slice %q[0, 0] : !packed to !window
  tile.copy %wq, %widened : !window, !numbersTile
  %ww = tile.slice %wide[0, 0] : !numbers to !numbersWindow
  tile.copy %widened, %ww : !numbersTile, !numbersWindow

  %raw = tile.alloc : !tile
  %loaded = tile.copy_async %wq, %raw : !window, !tile
  %index = tile.alloc : !idsTile
  %wi = tile.slice %ids[0, 0] : !ids to !idsWindow
  tile.copy %wi, %index : !idsWindow, !idsTile
  tile.wait %loaded
  %found = tile.alloc : !tile
  tile.gather %raw, %index, %found dim 0 : !tile, !idsTile, !tile
  %wr = tile.slice %rows[0, 0] : !packed to !window
  tile.copy %found, %wr : !tile, !window

  // Neighbours of the partial windows keep what they had.
  %mixed = tile.alloc : !tile
  tile.copy %cast, %mixed : !tile, !tile
  %from = tile.slice %raw[1, 6] : !tile to !part
  %to = tile.slice %mixed[2, %at] : !tile to !part
  tile.copy %from, %to : !part, !part
  %other = tile.slice %mixed[6, 10] : !tile to !part
  %two = tile.slice %cast[0, 0] : !tile to !part
  tile.copy %two, %other : !part, !part
  %wp = tile.slice %parts[0, 0] : !packed to !window
  tile.copy %mixed, %wp : !tile, !window
  %rest = tile.slice %parts[10, 4] : !packed to !partWindow
  tile.copy %from, %rest : !part, !partWindow

  %both = tile.alloc : !pairs
  %first = tile.slice %both[0, 0, 0] : !pairs to !tile
  %second = tile.slice %both[1, 0, 0] : !pairs to !tile
  tile.copy %raw, %first : !tile, !tile
  tile.copy %cast, %second : !tile, !tile
  %turned = tile.alloc : !turned
  tile.transpose %both, %turned permutation [1, 0, 2] : !pairs, !turned
  %we = tile.slice %pairs[0, 0, 0] : !pairsOut to !pairsWindow
  tile.copy %turned, %we : !turned, !pairsWindow
}

func.func @main(%x: !numbers {tile.name = "x", tile.input = "uniform:20x37:low=-10:high=10:seed=1"},
                %q: !packed {tile.name = "q", tile.input = "uniform:20x37:low=-9:high=9:seed=2"},
                %ids: !ids {tile.name = "ids", tile.input = "randint:20x1:low=-3:high=22:seed=3"},
                %narrow: !packed {tile.name = "narrow", tile.output = "dim(x,0)xdim(x,1)"},
                %wide: !numbers {tile.name = "wide", tile.output = "dim(q,0)xdim(q,1)"},
                %rows: !packed {tile.name = "rows", tile.output = "dim(ids,0)xdim(q,1)"},
                %parts: !packed {tile.name = "parts", tile.output = "dim(x,0)xdim(x,1)"},
                %pairs: !pairsOut {tile.name = "pairs", tile.output = "dim(x,0)x2xdim(x,1)"}) {
  %c1 = arith.constant 1 : index
  tile.launch @packed grid(%c1) args(%x, %q, %ids, %narrow, %wide, %rows, %parts, %pairs)
      : !numbers, !packed, !ids, !packed, !numbers, !packed, !packed, !pairsOut
  return
}
