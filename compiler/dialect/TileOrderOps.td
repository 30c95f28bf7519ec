//===- TileOrderOps.td - waits and barriers --------------------------------===//
// Operations that order asynchronous work and teams.
#ifndef FORERUN_COMPILER_DIALECT_TILEORDEROPS_TD
#define FORERUN_COMPILER_DIALECT_TILEORDEROPS_TD

include "compiler/dialect/TileOpBase.td"

def WaitOp : TileEffectOp<"wait"> {
  let summary = "waits for asynchronous operations";
  let description = [{
    Returns when the operations of all tokens are complete and visible to this scope. Each token is waited for exactly once.

    ```mlir
    tile.wait %t0, %t1
    ```
    Since 0.1.
  }];
  let arguments = (ins Variadic<AnyToken>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

def ReadyOp : TileOp<"ready", [Pure]> {
  let summary = "a token that is complete already";
  let description = [{
    Starts a chain of tokens that a loop carries. Linear as every token: waited for exactly once.

    ```mlir
    %t = tile.ready : !tile.token
    ```
    Since 0.1.
  }];
  let results = (outs AnyToken:$token);
  let assemblyFormat = "attr-dict `:` custom<FullType>(type($token))";
}

def BarrierInitOp : TileEffectOp<"barrier_init"> {
  let summary = "a barrier that `count` arrivals complete";
  let description = [{
    Made at core scope. Each phase completes at `count` arrivals; then the next begins.

    ```mlir
    %b = tile.barrier_init %count : !tile.barrier
    ```
    Since 0.1.
  }];
  let arguments = (ins Index:$count);
  let results = (outs AnyBarrier:$barrier);
  let assemblyFormat = "$count attr-dict `:` custom<FullType>(type($barrier))";
}

def BarrierArriveOp : TileEffectOp<"barrier_arrive"> {
  let summary = "arrives at a barrier";
  let description = [{
    Makes this team's earlier writes visible to those that wait for the phase, and yields the number of the phase (0, 1, ...) that it
    arrived in. Does not block.

    ```mlir
    %phase = tile.barrier_arrive %b : i64
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBarrier:$barrier);
  let results = (outs I64:$phase);
  let assemblyFormat = "$barrier attr-dict `:` type($phase)";
}

def BarrierWaitOp : TileEffectOp<"barrier_wait"> {
  let summary = "waits until a phase of a barrier is complete";
  let description = [{
    ```mlir
    tile.barrier_wait %b, %phase
    ```
    Since 0.1.
  }];
  let arguments = (ins AnyBarrier:$barrier, I64:$phase);
  let assemblyFormat = "$barrier `,` $phase attr-dict";
}

def SyncOp : TileEffectOp<"sync"> {
  let summary = "joins all who execute the region";
  let description = [{
    Every team waits for every other, and sees what they wrote: the teams of the core, of the role or of the group around it; in
    `tile.exec cluster` and `chip` all teams of their cores. Inside `tile.exec team` the teams that execute it, so its range is all of them.
    In a lane there is nobody to join.

    All have to come to it equally often, or none would leave it: control around it may not depend on who executes (`tile.team_id`...), and
    what it depends on must be known to be equal for all, as values that were loaded are not. `{assume_uniform}` says that they are; the
    interpreter and the simulator find out.

    ```mlir
    tile.sync
    ```
    Since 0.1.
  }];
  let arguments = (ins UnitAttr:$assume_uniform);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif
