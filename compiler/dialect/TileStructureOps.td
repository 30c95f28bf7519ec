//===- TileStructureOps.td - parameters, kernels, launches, scopes ---------===//
// Operations that give a module its structure.
#ifndef FORERUN_COMPILER_DIALECT_TILESTRUCTUREOPS_TD
#define FORERUN_COMPILER_DIALECT_TILESTRUCTUREOPS_TD

include "compiler/dialect/TileOpBase.td"

def ParamOp : TileOp<"param", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "named compile-time integer or element type";
  let description = [{
    Gives a default that the target file, the command line (`--tile-bind-params=values=TM=64,T=bf16`) or a tuner may replace.
    Used in types (`@TM x f16`, `!tile.param<@T>`) and by `tile.param_value`. Integers are 64-bit.

    ```mlir
    tile.param @TM = 128
    tile.param @T : type = f16
    ```
    Since 0.1.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$value);
  let assemblyFormat = "$sym_name custom<ParamDefault>($value) attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isType() { return ::llvm::isa<::mlir::TypeAttr>(getValue()); }
  }];
}

def ParamValueOp : TileOp<"param_value", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "value of an integer parameter";
  let description = [{
    Yields the integer bound to the parameter. `--tile-bind-params` replaces it by an `arith.constant`.

    ```mlir
    %tm = tile.param_value @TM : index
    ```
    Since 0.1.
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs AnyTypeOf<[Index, AnySignlessInteger]>:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def KernelOp : TileOp<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, HasParent<"::mlir::ModuleOp">, SingleBlockImplicitTerminator<"ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "what one work item does";
  let description = [{
    The body runs once for every (x, y, z) of the launch grid, at core scope. Arguments are `global` buffers and scalars (index,
    integers, floats, parameters' types); one to three grid ids, of type index, follow them as trailing block arguments. Different
    global arguments do not overlap. The body is one block; control flow is `scf`.

    ```mlir
    tile.kernel @scale(%x: !tile.buffer<?xf32, global>, %factor: f32) grid(%i) {
      ...
    }
    ```
    Since 0.1.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region* getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyBody();
    /// Arguments that a launch passes (grid ids excluded).
    BlockArgListType getKernelArguments() { return getBody().getArguments().take_front(getNumArguments()); }
    /// The one to three grid ids: x, y, z.
    BlockArgListType getGridIds() { return getBody().getArguments().drop_front(getNumArguments()); }
  }];
}

def ReturnOp : TileOp<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let description = "Implied at the end of a kernel; not printed. Since 0.1.";
  let assemblyFormat = "attr-dict";
}

def LaunchOp : TileOp<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, AttrSizedOperandSegments,
                                 MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "runs a kernel over a grid, from a host function";
  let description = [{
    Runs the kernel once for every (x, y, z) with 0 <= x < gx, 0 <= y < gy, 0 <= z < gz, in no given order, and returns when all have
    ended. One to three extents, as many as the kernel has grid ids; an empty grid does nothing. Argument types equal the
    kernel's (a kernel extent `?` takes any extent).

    ```mlir
    tile.launch @gemm grid(%gm, %gn) args(%a, %b, %c) : !tile.buffer<?x?xf16, global>, ...
    ```
    Since 0.1.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Index>:$grid, Variadic<AnyType>:$args);
  let assemblyFormat = "$kernel `grid` `(` $grid `)` `args` `(` $args `)` attr-dict (`:` type($args)^)?";
  let hasVerifier = 1;
}

def ExecOp : TileOp<"exec", [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "a region executed by stated units of the machine";
  let description = [{
    Each unit of the scope executes the region, its members together: `core` by the core's teams, `group` by the teams of each group
    (as many as the target says, one group a core where it says nothing), `team` by each team on its own, `lane` by each lane of a
    team, one after the other. A range takes some of the units that the enclosing region has, counted from 0: `[3]` one,
    `[%lo : %hi]` a half-open range, `[%lo : %hi : 2]` every second of it (a static step, at least 1); without one all do. `tile.team_id`
    and its like count within the enclosing region. A range that reaches past the units that there are is a run-time error, and an error of
    compilation where it is seen. The exec as a whole is one step of its parent: what follows begins when all its units have ended.

    Scopes nest from coarse to fine. Lanes of several teams are a static range that is a rectangle of teams and lanes: of teams with 16
    lanes, `lane [20 : 28]` is part of team 1 and `lane [16 : 48]` teams 1 and 2, `lane [10 : 20]` an error.

    `cluster` and `chip` stand in a kernel's own block, where the work items of a launch are on as many cores, each at the same time, or the
    launch is an error. Their region holds `tile.exec core` with ranges of those cores, `tile.sync`, and what computes scalars: one of
    these begins when all cores have ended the one before.

    ```mlir
    tile.exec team [0 : 2] {
      %t = tile.team_id : index
      ...
    }
    tile.exec group [1] {
      ...
    }
    tile.exec chip {
      tile.exec core [0] {
        ...
      }
    }
    ```
    Since 0.1; group, lane, cluster, chip and steps since 0.2.
  }];
  let arguments = (ins ScopeAttr:$scope, Variadic<Index>:$range, DenseI64ArrayAttr:$static_range);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`` $scope `` custom<UnitRange>($range, $static_range) $body attr-dict";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Empty (all units), one entry (a single one), or low and high.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedRange();
    /// Of the units in the range, every how many takes part.
    int64_t getStep() { return getStaticRange().size() == 3 ? getStaticRange()[2] : 1; }
    /// Low, high and step where all are known; nothing without a range.
    std::optional<std::array<int64_t, 3>> getConstantRange();
  }];
}

def YieldOp : TileOp<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ExecOp", "MarkOp", "MapOp"]>]> {
  let summary = "end of a region; in a map, the elements of the outputs";
  let description = "Implied and not printed where it yields nothing. Since 0.1.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* nothing to yield */ }]>];
}

class TileIdOp<string mnemonic, string what> : TileOp<mnemonic, [Pure]> {
  let summary = what;
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def LaneIdOp : TileIdOp<"lane_id", "number of the executing lane within its team"> {
  let description = [{
    0 <= id < `tile.num_lanes`. Only inside `tile.exec lane`.

    ```mlir
    %l = tile.lane_id : index
    ```
    Since 0.2.
  }];
  let hasVerifier = 1;
}
def NumLanesOp : TileIdOp<"num_lanes", "lanes of a team"> {
  let description = "`%n = tile.num_lanes : index`: 32-bit elements of a vector register; 1 without vector units. Since 0.2.";
}
def TeamIdOp : TileIdOp<"team_id", "number of the executing team within its core"> {
  let description = [{
    0 <= id < `tile.num_teams`. Only inside `tile.exec team`; within a role of `tile.roles` or a group of `tile.exec group` its teams
    count from 0.

    ```mlir
    %t = tile.team_id : index
    ```
    Since 0.1.
  }];
  let hasVerifier = 1;
}
def GroupIdOp : TileIdOp<"group_id", "number of the executing group within its core"> {
  let description = [{
    0 <= id < `tile.num_groups`. Only inside `tile.exec group`.

    ```mlir
    %g = tile.group_id : index
    ```
    Since 0.2.
  }];
  let hasVerifier = 1;
}
def NumGroupsOp : TileIdOp<"num_groups", "groups of a core"> {
  let description = "`%n = tile.num_groups : index`. Since 0.2.";
}
def NumTeamsOp : TileIdOp<"num_teams", "teams of a core"> {
  let description = "`%n = tile.num_teams : index`; inside `tile.roles` or `tile.exec group`: teams of the role or group. Since 0.1.";
}
def CoreIdOp : TileIdOp<"core_id", "number of the executing core"> {
  let description = "`%c = tile.core_id : index`. Results of a kernel should not depend on it. Since 0.1.";
}
def NumCoresOp : TileIdOp<"num_cores", "cores of the chip"> {
  let description = "`%n = tile.num_cores : index`. Also in host functions, for grids that fit the chip. Since 0.1.";
}

def MarkOp : TileOp<"mark", [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "a region that appears by name in the profile";
  let description = [{
    The region ends when what was issued in it is complete, so that its cycles are those of its work; it has no other effect.

    ```mlir
    tile.mark "softmax" {
      ...
    }
    ```
    Since 0.1.
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $body attr-dict";
}

def AssertOp : TileEffectOp<"assert"> {
  let summary = "stops the run with a message when a condition is false";
  let description = [{
    ```mlir
    tile.assert %inside, "row index past the table"
    ```
    Since 0.1.
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

#endif
