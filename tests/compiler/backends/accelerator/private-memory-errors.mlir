// What harts note about many leading indices has to fit their private memory; where nothing is ragged nothing is noted.
// RUN: split-file %s %t
// RUN: not forerun compile %t/ragged.mlir --target=edge 2>&1 | FileCheck %t/ragged.mlir
// RUN: forerun compile %t/full.mlir --target=edge -o %t/full.elf

//--- ragged.mlir
tile.kernel @ragged(%x: !tile.buffer<?x?xi8, global>) grid(%i) {
  // CHECK: ragged.mlir:[[@LINE+1]]:8: error: windows by leading index of '!tile.buffer<30000x2xi8, scratch>' and others take 480000 bytes of each hart's private memory to note what is valid, target 'edge' has 32768 for that; give the buffer a smaller leading extent, or copy windows that overhang no edge
  %a = tile.alloc : !tile.buffer<30000x2xi8, scratch>
  %w = tile.slice %x[%i, 0] : !tile.buffer<?x?xi8, global> to !tile.buffer<2xi8, global>
  %s = tile.slice %a[%i, 0] : !tile.buffer<30000x2xi8, scratch> to !tile.buffer<2xi8, scratch>
  tile.copy %w, %s : !tile.buffer<2xi8, global>, !tile.buffer<2xi8, scratch>
  tile.copy %s, %w : !tile.buffer<2xi8, scratch>, !tile.buffer<2xi8, global>
}

//--- full.mlir
tile.kernel @full(%x: !tile.buffer<30000x2xi8, global>) grid(%i) {
  %a = tile.alloc : !tile.buffer<30000x2xi8, scratch>
  tile.copy %x, %a : !tile.buffer<30000x2xi8, global>, !tile.buffer<30000x2xi8, scratch>
  %s = tile.slice %a[%i, 0] : !tile.buffer<30000x2xi8, scratch> to !tile.buffer<2xi8, scratch>
  %w = tile.slice %x[0, 0] : !tile.buffer<30000x2xi8, global> to !tile.buffer<2xi8, global>
  tile.copy %s, %w : !tile.buffer<2xi8, scratch>, !tile.buffer<2xi8, global>
}
