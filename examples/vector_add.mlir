// c = a + b. Each work item walks blocks of @BLOCK elements; the loads of the next block and the store of the last
// one overlap the addition. Works for every length: a window that overhangs the end moves only its valid elements.
tile.param @BLOCK = 2048
tile.param @T : type = f32

!vector = !tile.buffer<?x!tile.param<@T>, global>
!window = !tile.buffer<@BLOCK x !tile.param<@T>, global>
!block = !tile.buffer<@BLOCK x !tile.param<@T>, scratch>
!stages = !tile.buffer<2 x @BLOCK x !tile.param<@T>, scratch>

tile.kernel @vector_add(%a: !vector, %b: !vector, %c: !vector, %items: index) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = tile.param_value @BLOCK : index
  %n = tile.dim %c, 0 : !vector
  %blocks = arith.ceildivui %n, %block : index
  %as = tile.alloc : !stages
  %bs = tile.alloc : !stages
  %cs = tile.alloc : !stages

  %origin = arith.muli %item, %block : index
  %a0 = tile.slice %a[%origin] : !vector to !window
  %b0 = tile.slice %b[%origin] : !vector to !window
  %as0 = tile.slice %as[0, 0] : !stages to !block
  %bs0 = tile.slice %bs[0, 0] : !stages to !block
  %loadA = tile.copy_async %a0, %as0 : !window, !block
  %loadB = tile.copy_async %b0, %bs0 : !window, !block
  %store = tile.ready : !tile.token

  %last:4 = scf.for %i = %item to %blocks step %items
      iter_args(%ta = %loadA, %tb = %loadB, %tc = %store, %stage = %c0) -> (!tile.token, !tile.token, !tile.token, index) {
    // Past the end the window is empty and the copy moves nothing.
    %other = arith.subi %c1, %stage : index
    %next = arith.addi %i, %items : index
    %nextOrigin = arith.muli %next, %block : index
    %an = tile.slice %a[%nextOrigin] : !vector to !window
    %bn = tile.slice %b[%nextOrigin] : !vector to !window
    %asn = tile.slice %as[%other, 0] : !stages to !block
    %bsn = tile.slice %bs[%other, 0] : !stages to !block
    %tan = tile.copy_async %an, %asn : !window, !block
    %tbn = tile.copy_async %bn, %bsn : !window, !block

    tile.wait %ta, %tb
    %x = tile.slice %as[%stage, 0] : !stages to !block
    %y = tile.slice %bs[%stage, 0] : !stages to !block
    %z = tile.slice %cs[%stage, 0] : !stages to !block
    tile.map ins(%x, %y : !block, !block) outs(%z : !block) {
    ^bb0(%p: !tile.param<@T>, %q: !tile.param<@T>):
      %pf = tile.convert %p : !tile.param<@T> to f32
      %qf = tile.convert %q : !tile.param<@T> to f32
      %sum = arith.addf %pf, %qf : f32
      %r = tile.convert %sum : f32 to !tile.param<@T>
      tile.yield %r : !tile.param<@T>
    }
    tile.wait %tc
    %here = arith.muli %i, %block : index
    %w = tile.slice %c[%here] : !vector to !window
    %tcn = tile.copy_async %z, %w : !block, !window
    scf.yield %tan, %tbn, %tcn, %other : !tile.token, !tile.token, !tile.token, index
  }
  tile.wait %last#0, %last#1, %last#2
}

func.func @main(%a: !vector {tile.name = "a", tile.input = "randn:1000003:seed=1"},
                %b: !vector {tile.name = "b", tile.input = "randn:1000003:seed=2"},
                %c: !vector {tile.name = "c", tile.output = "dim(a,0)"}) {
  %items = tile.num_cores : index
  tile.launch @vector_add grid(%items) args(%a, %b, %c, %items) : !vector, !vector, !vector, index
  return
}
