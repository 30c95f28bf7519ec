// RUN: forerun-opt %s --tile-expand-semantics -split-input-file -verify-diagnostics

func.func @unknown(%x: f32) -> f32 {
  // expected-error @+1 {{has no expansion; expected one of math.cos, math.erf, math.exp,}}
  %y = math.atan %x : f32
  return %y : f32
}

// -----
func.func @double(%x: f64) -> f64 {
  // expected-error @+1 {{has no f64 expansion yet; convert to f32, or write it with arith}}
  %y = math.exp %x : f64
  return %y : f64
}

// -----
func.func @rounding(%x: f32) -> f16 {
  // expected-error @+1 {{rounds to nearest even only, found toward_zero}}
  %y = arith.truncf %x toward_zero : f32 to f16
  return %y : f16
}

// -----
func.func @eight(%x: f8E5M2) -> f8E5M2 {
  // expected-error @+1 {{computes in an 8-bit float; convert to f32 with tile.convert first, and back after}}
  %y = arith.addf %x, %x : f8E5M2
  return %y : f8E5M2
}

// -----
func.func @four(%x: i4) -> i4 {
  // expected-error @+1 {{computes in a type of 4 bits, which lies in buffers only; convert whole tiles with tile.cast}}
  %y = arith.addi %x, %x : i4
  return %y : i4
}

// -----
func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+1 {{expected scalars, found 'vector<4xf32>'; tile.map applies a scalar body to whole tiles}}
  %y = arith.addf %x, %x : vector<4xf32>
  return %y : vector<4xf32>
}

// -----
tile.param @T : type = f32
tile.kernel @unbound(%x: !tile.param<@T>) grid(%i) {
  // expected-error @+1 {{converts a parameter's type; run --tile-bind-params first}}
  %y = tile.convert %x : !tile.param<@T> to f32
}

// -----
tile.kernel @loops() grid(%i) {
  // expected-error @+1 {{compares unsigned; bounds of loops are signed here, drop 'unsigned'}}
  scf.for unsigned %j = %i to %i step %i {
  }
}

// -----
func.func @wide(%x: i128, %y: i128) -> i128 {
  // expected-error @+1 {{expected scalars of index or an element type (i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU), found 'i128'}}
  %z = arith.divsi %x, %y : i128
  return %z : i128
}

// -----
func.func @long() -> f80 {
  // expected-error @+1 {{f8E8M0FNU), found 'f80'}}
  %z = arith.constant 1.0 : f80
  return %z : f80
}
