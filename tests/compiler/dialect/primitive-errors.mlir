// Attributes of primitives that are refused, with what is said.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics

tile.kernel @misspelt() grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %c = arith.constant 0.0 : f32
  // expected-error @+1 {{'tile.fill' op has no attribute 'varient'; a primitive takes variant and options beside its own}}
  tile.fill %s, %c {varient = "dma"} : !tile.buffer<8xf32, scratch>, f32
}

// -----
tile.kernel @notText() grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %c = arith.constant 0.0 : f32
  // expected-error @+1 {{expected the name of a variant, as in variant = "vector", found 1 : i64}}
  tile.fill %s, %c {variant = 1} : !tile.buffer<8xf32, scratch>, f32
}

// -----
tile.kernel @notIntegers() grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %c = arith.constant 0.0 : f32
  // expected-error @+1 {{expected integers by name, as in options = {queue = 1}, found {queue = "first"}}}
  tile.fill %s, %c {variant = "dma", options = {queue = "first"}} : !tile.buffer<8xf32, scratch>, f32
}

// -----
tile.kernel @optionsOfNothing() grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %c = arith.constant 0.0 : f32
  // expected-error @+1 {{has options, but names no variant that they are for; add variant = "..."}}
  tile.fill %s, %c {options = {queue = 1}} : !tile.buffer<8xf32, scratch>, f32
}
