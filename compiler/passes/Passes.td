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

def TileExpandSemantics : Pass<"tile-expand-semantics"> {
  let summary = "rewrites scalar operations to the language's meaning";
  let description = [{
    Runs first, before any folder or canonicaliser: those use the host's libm and make division by zero, long shifts and out-of-range
    conversions poison. Rewrites map bodies and scalar code; locations stay. Division, remainder, shifts, conversions, float remainder and math functions
    become straight-line code over the operations below; everything in bf16 but conversions is done in f32 and rounded once, math functions of f16 too.
    Fast-math, overflow and exact flags are dropped. Meanings and error bounds: docs/numerics.md.

    What survives, with a meaning that every back end must keep to the bit (NaN sign and payload apart):
    - arith: constant, select, bitcast, index_cast(ui); addi subi muli andi ori xori, minsi maxsi minui maxui, cmpi, extsi extui
      trunci; shli shrsi shrui by less than the width; divsi divui remsi remui of defined operands;
    - arith in f16, f32, f64, IEEE, one rounding each, no contraction: addf subf mulf divf negf cmpf; maximumf minimumf (IEEE 754-2019 maximum, minimum: NaN wins,
      -0 < +0), maxnumf minnumf (maximumNumber, minimumNumber: a number wins over NaN, -0 < +0);
    - conversions: extf f16|bf16 -> f32 -> f64; truncf f64 -> f32, f32 -> f16|bf16; sitofp, uitofp to f32, f64; fptosi, fptoui of values in range to i32, i64;
    - math: fma (f32, f64, one rounding), sqrt (correctly rounded), absf copysign floor ceil trunc roundeven in f16, f32, f64; absi ctlz cttz ctpop.
    tile.iota and tile.broadcast become tile.map; tile.histogram that counts from 0 becomes tile.fill and one that accumulates; tile.atomic_rmw and tile.cas at core scope are given to team 0. After it no tile.convert
    and no tile.random is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [Statistic<"numExpanded", "expanded", "operations replaced">];
}

def TileInferLayouts : Pass<"tile-infer-layouts", "::mlir::ModuleOp"> {
  let summary = "gives every on-chip buffer a layout";
  let description = [{
    Layouts that are written stay. A result without one follows the first operand that tells something: of `tile.map` and `tile.cast` it gets the operand's
    layout, of `tile.reduce` the operand's with the iterators of reduced dimensions as replicas and its memory packed. Scratch follows scratch, `reg` and
    `acc` also what is spread over lanes and teams; windows are neither followed into nor given layouts. The rest is row-major: accumulators because the
    matrix unit writes rows (GPU back ends place them in fragments), scratch by default; types without a layout stand for it.

    Operands that are spread over lanes, teams, cores must be so alike: `tile.map` needs each to be where its output's element is, `tile.reduce` its output
    where the input's elements were. One that is not is copied into a buffer that is, or out of it, with a remark that names both sides and the bytes.
    Memory serves every distribution.
  }];
  let statistics = [Statistic<"numConverted", "converted", "operands that are copied to another layout">];
}

def TileVerifyScopes : Pass<"tile-verify-scopes"> {
  let summary = "checks that all come to what joins them";
  let description = [{
    Control around a tile.sync inside `tile.exec team` may not depend on who executes, nor on values that are not known to be equal for
    all, unless it says `assume_uniform`. Ranges of `tile.exec core` in a cluster or chip are equal on all cores. Changes nothing.
  }];
}

def TileVerifyTokens : Pass<"tile-verify-tokens"> {
  let summary = "checks that every token is waited for exactly once on every path";
  let description = [{
    A token ends in one tile.wait, by the scope that issued or an ancestor, on every path; on the way it may pass through operands,
    iter_args and results of scf.for and scf.if only. Changes nothing; errors name the token's origin and what consumes it.
  }];
}

#endif
