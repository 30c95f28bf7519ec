// What examples/gemm_roles.mlir does not use of roles: teams that compute together before they hand a stage on, a role that consumes from one pipeline and
// produces for another, releases without tokens, a pipeline of one stage, team numbers within a role, ragged stages that a map writes. y = (2 x) + 1 row by
// row, z = the sums of its rows; x of any size up to 96 columns.
tile.param @R = 16
tile.param @C = 96
tile.param @IN = 3
tile.param @OUT = 1

!x = !tile.buffer<?x?xf32, global>
!rows = !tile.buffer<@R x @C x f32, global>
!ones = !tile.buffer<@R x 1 x f32, global>
!stages = !tile.buffer<@IN x @R x @C x f32, scratch>
!results = !tile.buffer<@OUT x @R x @C x f32, scratch>
!tile = !tile.buffer<@R x @C x f32, scratch>
!sums = !tile.buffer<@R x 1 x f32, scratch>

tile.kernel @roles(%x: !x, %y: !x, %z: !x) grid(%item) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.param_value @R : index
  %inStages = tile.param_value @IN : index
  %outStages = tile.param_value @OUT : index
  // A work item takes two blocks of rows.
  %first = arith.muli %item, %c2 : index
  %end = arith.addi %first, %c2 : index
  %stages = tile.alloc : !stages
  %results = tile.alloc : !results
  %in = tile.pipeline %inStages : !tile.pipeline
  %out = tile.pipeline %outStages : !tile.pipeline

  tile.roles loader [0] {
    scf.for %block = %first to %end step %c1 {
      %row = arith.muli %block, %r : index
      %window = tile.slice %x[%row, 0] : !x to !rows
      %stage = tile.producer_acquire %in : index
      %to = tile.slice %stages[%stage, 0, 0] : !stages to !tile
      // Not asynchronous: the commit waits for it.
      tile.copy %window, %to : !rows, !tile
      tile.producer_commit %in
    }
  }, computers [1 : 3] {
    scf.for %block = %first to %end step %c1 {
      %stage = tile.consumer_wait %in : index
      %from = tile.slice %stages[%stage, 0, 0] : !stages to !tile
      %slot = tile.producer_acquire %out : index
      %to = tile.slice %results[%slot, 0, 0] : !results to !tile
      tile.map ins(%from : !tile) outs(%to : !tile) {
      ^bb0(%v: f32):
        %sum = arith.addf %v, %v : f32
        tile.yield %sum : f32
      }
      tile.consumer_release %in
      %one = arith.constant 1.0 : f32
      // Teams are 0 and 1 here, each with rows of its own.
      tile.exec team {
        %team = tile.team_id : index
        %teams = tile.num_teams : index
        scf.for %i = %team to %r step %teams {
          %line = tile.slice %to[%i, 0] : !tile to !tile.buffer<1x @C x f32, scratch>
          tile.map ins(%line : !tile.buffer<1x @C x f32, scratch>) outs(%line : !tile.buffer<1x @C x f32, scratch>) {
          ^bb0(%v: f32):
            %sum = arith.addf %v, %one : f32
            tile.yield %sum : f32
          }
        }
      }
      tile.producer_commit %out
    }
  }, storer [3] {
    %sums = tile.alloc : !sums
    scf.for %block = %first to %end step %c1 {
      %row = arith.muli %block, %r : index
      %slot = tile.consumer_wait %out : index
      %from = tile.slice %results[%slot, 0, 0] : !results to !tile
      %wy = tile.slice %y[%row, 0] : !x to !rows
      %store = tile.copy_async %from, %wy : !tile, !rows
      tile.reduce <add> %from, %sums dims [1] : !tile, !sums
      %wz = tile.slice %z[%row, 0] : !x to !ones
      tile.consumer_release %out, %store
      tile.copy %sums, %wz : !sums, !ones
    }
  }
}

func.func @main(%x: !x {tile.name = "x", tile.input = "randn:500x90:seed=1"},
                %y: !x {tile.name = "y", tile.output = "dim(x,0)xdim(x,1)"},
                %z: !x {tile.name = "z", tile.output = "dim(x,0)x1"}) {
  %c2 = arith.constant 2 : index
  %r = tile.param_value @R : index
  %rows = tile.dim %x, 0 : !x
  %two = arith.muli %r, %c2 : index
  %items = arith.ceildivui %rows, %two : index
  tile.launch @roles grid(%items) args(%x, %y, %z) : !x, !x, !x
  return
}
