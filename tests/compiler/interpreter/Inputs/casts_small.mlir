// Conversions to the types of 4 bits, to scales, and to 8-bit floats that do not saturate; and back.
!x = !tile.buffer<37x283xf32, global>
!xTile = !tile.buffer<37x283xf32, scratch>
!int4 = !tile.buffer<37x283xi4, global>
!int4Tile = !tile.buffer<37x283xi4, scratch>
!float4 = !tile.buffer<37x283xf4E2M1FN, global>
!float4Tile = !tile.buffer<37x283xf4E2M1FN, scratch>
!scale = !tile.buffer<37x283xf8E8M0FNU, global>
!scaleTile = !tile.buffer<37x283xf8E8M0FNU, scratch>
!open4 = !tile.buffer<37x283xf8E4M3FN, global>
!open4Tile = !tile.buffer<37x283xf8E4M3FN, scratch>
!open5 = !tile.buffer<37x283xf8E5M2, global>
!open5Tile = !tile.buffer<37x283xf8E5M2, scratch>

tile.kernel @casts(%x: !x, %int4: !int4, %float4: !float4, %scale: !scale, %open4: !open4, %open5: !open5, %fromScale: !x, %fromFloat4: !x) grid(%i) {
  %in = tile.alloc : !xTile
  tile.copy %x, %in : !x, !xTile
  %int4Tile = tile.alloc : !int4Tile
  tile.cast %in, %int4Tile : !xTile, !int4Tile
  tile.copy %int4Tile, %int4 : !int4Tile, !int4
  %float4Tile = tile.alloc : !float4Tile
  tile.cast %in, %float4Tile : !xTile, !float4Tile
  tile.copy %float4Tile, %float4 : !float4Tile, !float4
  %scaleTile = tile.alloc : !scaleTile
  tile.cast %in, %scaleTile : !xTile, !scaleTile
  tile.copy %scaleTile, %scale : !scaleTile, !scale
  %open4Tile = tile.alloc : !open4Tile
  tile.cast %in, %open4Tile overflow <nan> : !xTile, !open4Tile
  tile.copy %open4Tile, %open4 : !open4Tile, !open4
  %open5Tile = tile.alloc : !open5Tile
  tile.cast %in, %open5Tile overflow <nan> : !xTile, !open5Tile
  tile.copy %open5Tile, %open5 : !open5Tile, !open5
  tile.copy %scaleTile, %fromScale : !scaleTile, !x
  tile.copy %float4Tile, %fromFloat4 : !float4Tile, !x
}

func.func @main(%x: !x {tile.name = "x"},
                %int4: !int4 {tile.name = "int4", tile.output = "37x283"},
                %float4: !float4 {tile.name = "float4", tile.output = "37x283"},
                %scale: !scale {tile.name = "scale", tile.output = "37x283"},
                %open4: !open4 {tile.name = "open4", tile.output = "37x283"},
                %open5: !open5 {tile.name = "open5", tile.output = "37x283"},
                %fromScale: !x {tile.name = "fromScale", tile.output = "37x283"},
                %fromFloat4: !x {tile.name = "fromFloat4", tile.output = "37x283"}) {
  %c1 = arith.constant 1 : index
  tile.launch @casts grid(%c1) args(%x, %int4, %float4, %scale, %open4, %open5, %fromScale, %fromFloat4)
      : !x, !int4, !float4, !scale, !open4, !open5, !x, !x
  return
}
