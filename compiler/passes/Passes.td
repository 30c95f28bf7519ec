//===- Passes.td - passes over the tile dialect ----------------------------===//
// The one place for flags, options and statistics of passes.
#ifndef FORERUN_COMPILER_PASSES_PASSES_TD
#define FORERUN_COMPILER_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileBindParams : Pass<"tile-bind-params", "::mlir::ModuleOp"> {
  let summary = "replaces tile.param by values";
  let description = [{
    Puts the bound value, else the default, of each `tile.param` into every type that names it, turns `tile.param_value` into
    constants, and erases the parameters. The verifier then checks what had to wait for the values. An unknown name, a value
    of the wrong kind and an extent below 1 are errors.
  }];
  let options = [
    ListOption<"values", "values", "std::string", "NAME=VALUE pairs: an integer or an element type, as in TM=64,T=bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif
