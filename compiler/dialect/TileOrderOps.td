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
  let summary = "joins all teams of the core";
  let description = [{
    Every team waits for every other, and sees what they wrote. Inside `tile.exec team` only where the range is all teams.

    ```mlir
    tile.sync
    ```
    Since 0.1.
  }];
  let assemblyFormat = "attr-dict";
}

#endif
