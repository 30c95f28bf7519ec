// Only sums of a free order may be reordered; bf16 leaves no conversion to a library.
// RUN: forerun compile %s --target=host --emit=ll | FileCheck %s

!tile = !tile.buffer<8x512xf32, scratch>
!column = !tile.buffer<8x1xf32, scratch>

// CHECK-LABEL: define void @any(
// CHECK: fadd reassoc <{{[0-9]+}} x float>
tile.kernel @any(%x: !tile.buffer<8x512xf32, global>, %y: !tile.buffer<8x1xf32, global>) grid(%i) {
  %s = tile.alloc : !tile
  %m = tile.alloc : !column
  tile.copy %x, %s : !tile.buffer<8x512xf32, global>, !tile
  tile.reduce <add> %s, %m dims [1] : !tile, !column
  tile.copy %m, %y : !column, !tile.buffer<8x1xf32, global>
}

// CHECK-LABEL: define void @tree(
// CHECK-NOT: reassoc
// CHECK: fadd <{{[0-9]+}} x float>
// CHECK-NOT: reassoc
// CHECK: ret void
tile.kernel @tree(%x: !tile.buffer<8x512xf32, global>, %y: !tile.buffer<8x1xf32, global>) grid(%i) {
  %s = tile.alloc : !tile
  %m = tile.alloc : !column
  tile.copy %x, %s : !tile.buffer<8x512xf32, global>, !tile
  tile.reduce <add> %s, %m dims [1] order <tree> : !tile, !column
  tile.copy %m, %y : !column, !tile.buffer<8x1xf32, global>
}

// CHECK-LABEL: define void @brains(
// CHECK-NOT: bfloat
// CHECK: ret void
tile.kernel @brains(%x: !tile.buffer<8x512xf32, global>, %y: !tile.buffer<?x512xbf16, global>) grid(%i) {
  %w = tile.slice %y[%i, 0] : !tile.buffer<?x512xbf16, global> to !tile.buffer<8x512xbf16, global>
  tile.copy %x, %w : !tile.buffer<8x512xf32, global>, !tile.buffer<8x512xbf16, global>
}
