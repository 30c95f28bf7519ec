// A map that reads a window overhanging the low edges: zeros are there, as a copy would have it.
!x = !tile.buffer<?x?xf32, global>
!window = !tile.buffer<8x16xf32, global>
!tile = !tile.buffer<8x16xf32, scratch>

tile.kernel @edges_map(%x: !x, %kept: !x, %direct: !x, %dy: index, %dx: index) grid(%i, %j) {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %marker = arith.constant 7.0 : f32
  %row = arith.muli %i, %c8 : index
  %col = arith.muli %j, %c16 : index
  %up = arith.subi %row, %dy : index
  %left = arith.subi %col, %dx : index
  %w = tile.slice %x[%up, %left] : !x to !window
  %there = tile.alloc : !tile
  %s = tile.alloc : !tile
  tile.fill %there, %marker : !tile, f32
  tile.map ins(%w, %there : !window, !tile) outs(%s : !tile) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  }
  %wKept = tile.slice %kept[%row, %col] : !x to !window
  tile.copy %s, %wKept : !tile, !window
  %wDirect = tile.slice %direct[%row, %col] : !x to !window
  tile.map ins(%w, %there : !window, !tile) outs(%wDirect : !window) {
  ^bb0(%a: f32, %b: f32):
    %difference = arith.subf %a, %b : f32
    tile.yield %difference : f32
  }
}

func.func @main(%x: !x {tile.name = "x", tile.input = "special:21x37:seed=1"},
                %dy: index {tile.name = "dy", tile.input = "3"}, %dx: index {tile.name = "dx", tile.input = "5"},
                %kept: !x {tile.name = "kept", tile.input = "full:24x48:value=-1", tile.output = "24x48"},
                %direct: !x {tile.name = "direct", tile.input = "full:24x48:value=-1", tile.output = "24x48"}) {
  %c3 = arith.constant 3 : index
  tile.launch @edges_map grid(%c3, %c3) args(%x, %kept, %direct, %dy, %dx) : !x, !x, !x, index, index
  return
}
