//===- TileRoleOps.td - roles and the pipelines between them ---------------===//
// Teams of a core that do different things at the same time, and how they hand stages of a buffer to each other.
#ifndef FORERUN_COMPILER_DIALECT_TILEROLEOPS_TD
#define FORERUN_COMPILER_DIALECT_TILEROLEOPS_TD

include "compiler/dialect/TileOpBase.td"

def RolesOp : TileOp<"roles", [NoTerminator, HasParent<"KernelOp">, RecursiveMemoryEffects]> {
  let summary = "regions that disjoint ranges of teams execute at the same time";
  let description = [{
    Each role is a name, a half-open range of teams of the core (`[3]`: one team; teams without a vector unit count) and a region, which the teams of the range execute together as
    the teams of a core execute a kernel: operations are shared among them, `tile.num_teams` is their number, `tile.exec team` counts
    them from 0. The operation as a whole is one step of the kernel: what follows begins when all roles have ended.

    Between roles nothing is ordered but by pipelines. So a buffer that one role writes and another reads or writes is accessed
    there only through windows whose leading index is a stage that a pipeline handed out: `tile.slice %buf[%stage, ...]` with
    `%stage` from `tile.producer_acquire` in the one role and from `tile.consumer_wait` in the other.

    A target whose cores have fewer teams than the ranges name refuses the kernel.

    ```mlir
    tile.roles producer [0] {
      ...
    }, consumer [1 : 4] {
      ...
    }
    ```
    Since 0.1.
  }];
  let arguments = (ins StrArrayAttr:$names, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::StringRef getRoleName(unsigned role) { return ::llvm::cast<::mlir::StringAttr>(getNames()[role]).getValue(); }
    /// Of role `role`: teams [first, second).
    std::pair<int64_t, int64_t> getTeams(unsigned role) { return {getLow()[role], getHigh()[role]}; }
    /// The role whose region holds `op`; nothing when none does.
    std::optional<unsigned> roleOf(::mlir::Operation* op);
  }];
}

def PipelineOp : TileEffectOp<"pipeline", [HasParent<"KernelOp">]> {
  let hasVerifier = 1;
  let summary = "a ring of stages that one role fills and another empties";
  let description = [{
    Made at core scope, with the number of stages (at least 1). Stages are handed out in order 0, 1, ..., stages - 1, 0, ...: by
    `tile.producer_acquire` to the role that fills them, and by `tile.consumer_wait`, once they are committed, to the role that uses
    them. When a work item ends, every acquired stage has been committed, waited for and released.

    ```mlir
    %p = tile.pipeline %stages : !tile.pipeline
    ```
    Since 0.1.
  }];
  let arguments = (ins Index:$stages);
  let results = (outs AnyPipeline:$pipeline);
  let assemblyFormat = "$stages attr-dict `:` custom<FullType>(type($pipeline))";
}

class TileStageOp<string mnemonic, string what> : TileEffectOp<mnemonic> {
  let hasVerifier = 1;
  let summary = what;
  let arguments = (ins AnyPipeline:$pipeline);
  let results = (outs Index:$stage);
  let assemblyFormat = "$pipeline attr-dict `:` type($stage)";
}
class TileStageEndOp<string mnemonic, string what> : TileEffectOp<mnemonic> {
  let hasVerifier = 1;
  let summary = what;
  let arguments = (ins AnyPipeline:$pipeline, Variadic<AnyToken>:$tokens);
  let assemblyFormat = "$pipeline (`,` $tokens^)? attr-dict";
}

def ProducerAcquireOp : TileStageOp<"producer_acquire", "the next stage to fill, once it is free"> {
  let description = [{
    Waits until the consumer has released the stage. What the stage held before is lost.

    ```mlir
    %stage = tile.producer_acquire %p : index
    ```
    Since 0.1.
  }];
}

def ProducerCommitOp : TileStageEndOp<"producer_commit", "hands the oldest acquired stage to the consumer"> {
  let description = [{
    The consumer gets the stage when this role's earlier operations on it and the operations of `tokens` are complete. Does not wait
    for them: it takes the place of `tile.wait` for the tokens.

    ```mlir
    tile.producer_commit %p, %loadA, %loadB
    ```
    Since 0.1.
  }];
}

def ConsumerWaitOp : TileStageOp<"consumer_wait", "the next stage to use, once it is filled"> {
  let description = [{
    Waits until the producer has committed the stage; its data are visible then.

    ```mlir
    %stage = tile.consumer_wait %p : index
    ```
    Since 0.1.
  }];
}

def ConsumerReleaseOp : TileStageEndOp<"consumer_release", "gives the oldest stage back to the producer"> {
  let description = [{
    The stage becomes free when this role's earlier operations on it and the operations of `tokens` are complete. Does not wait for
    them: it takes the place of `tile.wait` for the tokens.

    ```mlir
    tile.consumer_release %p, %product
    ```
    Since 0.1.
  }];
}

#endif
