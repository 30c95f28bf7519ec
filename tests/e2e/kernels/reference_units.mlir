// The examples of the dialect's definitions that need several groups in a core, or all cores at the same time (reference.mlir has the others).
tile.kernel @units(%x: !tile.buffer<2x16xf32, global>, %y: !tile.buffer<2x16xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<2x16xf32, scratch>
  tile.copy %x, %s : !tile.buffer<2x16xf32, global>, !tile.buffer<2x16xf32, scratch>
  tile.exec group [1] {
    %g = tile.group_id : index
    tile.exec lane [2 : 7] {
      %l = tile.lane_id : index
      %v = tile.load %s[%g, %l] : !tile.buffer<2x16xf32, scratch>
      %n = arith.negf %v : f32
      tile.store %n, %s[%g, %l] : !tile.buffer<2x16xf32, scratch>
    }
  }
  tile.exec chip {
    tile.exec core [0] {
      tile.copy %s, %y : !tile.buffer<2x16xf32, scratch>, !tile.buffer<2x16xf32, global>
    }
  }
}

func.func @main(%x: !tile.buffer<2x16xf32, global> {tile.name = "x", tile.input = "randn:2x16:seed=1"},
                %y: !tile.buffer<2x16xf32, global> {tile.name = "y", tile.output = "2x16"}) {
  %c1 = arith.constant 1 : index
  tile.launch @units grid(%c1) args(%x, %y) : !tile.buffer<2x16xf32, global>, !tile.buffer<2x16xf32, global>
  return
}
