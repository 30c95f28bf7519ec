// Sorts and top-k along rows and along columns, up and down, with and without positions; histograms. Inputs smaller than the window leave it partly
// invalid.
tile.param @R = 9
tile.param @C = 70
tile.param @K = 5
tile.param @T : type = f32

!matrix = !tile.buffer<?x?x!tile.param<@T>, global>
!window = !tile.buffer<@R x @C x !tile.param<@T>, global>
!tile = !tile.buffer<@R x @C x !tile.param<@T>, scratch>
!places = !tile.buffer<@R x @C x i32, scratch>
!wide = !tile.buffer<@R x @C x i64, scratch>
!few = !tile.buffer<@R x @K x !tile.param<@T>, scratch>
!fewPlaces = !tile.buffer<@R x @K x i32, scratch>
!top = !tile.buffer<@K x @C x !tile.param<@T>, scratch>
!topPlaces = !tile.buffer<@K x @C x i64, scratch>
!out = !tile.buffer<?x?x?x!tile.param<@T>, global>
!outPlaces = !tile.buffer<?x?x?xi32, global>
!outWide = !tile.buffer<?x?x?xi64, global>
!placeWindow = !tile.buffer<@R x @C x i32, global>
!wideWindow = !tile.buffer<@R x @C x i64, global>
!fewWindow = !tile.buffer<@R x @K x !tile.param<@T>, global>
!fewPlaceWindow = !tile.buffer<@R x @K x i32, global>
!topWindow = !tile.buffer<@K x @C x !tile.param<@T>, global>
!topWideWindow = !tile.buffer<@K x @C x i64, global>
!counts = !tile.buffer<?x?xi32, global>
!bins = !tile.buffer<50xi32, scratch>
!binWindow = !tile.buffer<50xi32, global>

tile.kernel @orderings(%x: !matrix, %y: !out, %p: !outPlaces, %q: !outWide, %few: !out, %fewP: !outPlaces, %top: !out, %topP: !outWide,
                       %counts: !counts) grid(%i) {
  %w = tile.slice %x[0, 0] : !matrix to !window
  %in = tile.alloc : !tile
  %s = tile.alloc : !tile
  %at = tile.alloc : !places
  %at64 = tile.alloc : !wide
  tile.copy %w, %in : !window, !tile
  tile.sort %in, %s, %at dim 1 : !tile, !tile, !places
  %y0 = tile.slice %y[0, 0, 0] : !out to !window
  tile.copy %s, %y0 : !tile, !window
  %p0 = tile.slice %p[0, 0, 0] : !outPlaces to !placeWindow
  tile.copy %at, %p0 : !places, !placeWindow
  tile.sort %in, %s, %at64 dim 0 {descending} : !tile, !tile, !wide
  %y1 = tile.slice %y[1, 0, 0] : !out to !window
  tile.copy %s, %y1 : !tile, !window
  %q0 = tile.slice %q[0, 0, 0] : !outWide to !wideWindow
  tile.copy %at64, %q0 : !wide, !wideWindow
  tile.copy %in, %s : !tile, !tile
  tile.sort %s, %s dim 1 {descending} : !tile, !tile
  %y2 = tile.slice %y[2, 0, 0] : !out to !window
  tile.copy %s, %y2 : !tile, !window

  %f = tile.alloc : !few
  %fp = tile.alloc : !fewPlaces
  tile.topk %in, %f, %fp dim 1 {descending} : !tile, !few, !fewPlaces
  %f0 = tile.slice %few[0, 0, 0] : !out to !fewWindow
  tile.copy %f, %f0 : !few, !fewWindow
  %fp0 = tile.slice %fewP[0, 0, 0] : !outPlaces to !fewPlaceWindow
  tile.copy %fp, %fp0 : !fewPlaces, !fewPlaceWindow
  tile.topk %in, %f dim 1 : !tile, !few
  %f1 = tile.slice %few[1, 0, 0] : !out to !fewWindow
  tile.copy %f, %f1 : !few, !fewWindow
  %t = tile.alloc : !top
  %tp = tile.alloc : !topPlaces
  tile.topk %in, %t, %tp dim 0 {descending} : !tile, !top, !topPlaces
  %t0 = tile.slice %top[0, 0, 0] : !out to !topWindow
  tile.copy %t, %t0 : !top, !topWindow
  %tp0 = tile.slice %topP[0, 0, 0] : !outWide to !topWideWindow
  tile.copy %tp, %tp0 : !topPlaces, !topWideWindow

  %n = tile.alloc : !bins
  tile.histogram %at, %n : !places, !bins
  %n0 = tile.slice %counts[0, 0] : !counts to !binWindow
  tile.copy %n, %n0 : !bins, !binWindow
  tile.histogram %at64, %n {accumulate} : !wide, !bins
  %n1 = tile.slice %counts[1, 0] : !counts to !binWindow
  tile.copy %n, %n1 : !bins, !binWindow
}

func.func @main(%x: !matrix {tile.name = "x", tile.input = "randn:9x70:seed=1"},
                %y: !out {tile.name = "y", tile.output = "3xdim(x,0)xdim(x,1)"},
                %p: !outPlaces {tile.name = "p", tile.output = "1xdim(x,0)xdim(x,1)"},
                %q: !outWide {tile.name = "q", tile.output = "1xdim(x,0)xdim(x,1)"},
                %few: !out {tile.name = "few", tile.output = "2xdim(x,0)x5"},
                %fewP: !outPlaces {tile.name = "fewP", tile.output = "1xdim(x,0)x5"},
                %top: !out {tile.name = "top", tile.output = "1x5xdim(x,1)"},
                %topP: !outWide {tile.name = "topP", tile.output = "1x5xdim(x,1)"},
                %counts: !counts {tile.name = "counts", tile.output = "2x50"}) {
  %c1 = arith.constant 1 : index
  tile.launch @orderings grid(%c1) args(%x, %y, %p, %q, %few, %fewP, %top, %topP, %counts)
      : !matrix, !out, !outPlaces, !outWide, !out, !outPlaces, !out, !outWide, !counts
  return
}
