// Refusals of map, reduce and matmul, with what they say.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics

tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<2x16xf32, scratch>
  // expected-error @+1 {{expected extent 8 or 1 in dimension 0 of input 0, found 2}}
  tile.map ins(%b : !tile.buffer<2x16xf32, scratch>) outs(%a : !tile.buffer<8x16xf32, scratch>) {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<16xf32, scratch>
  // expected-error @+1 {{expected input 0 to have the rank of the outputs, 2, found 1; drop leading dimensions with tile.slice}}
  tile.map ins(%b : !tile.buffer<16xf32, scratch>) outs(%a : !tile.buffer<8x16xf32, scratch>) {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected 1 body arguments, one for each input, found 0}}
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
    %c = arith.constant 1.0 : f32
    tile.yield %c : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected body argument 0 of the input's element type 'f32', found 'f16'}}
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
  ^bb0(%x: f16):
    %c = arith.constant 1.0 : f32
    tile.yield %c : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
  ^bb0(%x: f32):
    // expected-error @+1 {{expected 1 values, one for each output, found 2}}
    tile.yield %x, %x : f32, f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    // expected-error @+1 {{expected value 0 of the output's element type 'f32', found 'f16'}}
    tile.yield %y : f16
  }
}

// -----
tile.kernel @k(%g: !tile.buffer<?xf32, global>) grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  tile.map ins(%a : !tile.buffer<8xf32, scratch>) outs(%a : !tile.buffer<8xf32, scratch>) {
  ^bb0(%x: f32):
    // expected-error @+1 {{expected arith, math, tile.index, tile.convert or tile.random in the body of tile.map; compute scalars before it}}
    %v = tile.load %g[%i] : !tile.buffer<?xf32, global>
    tile.yield %v : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xi32, scratch>
  tile.map outs(%a : !tile.buffer<8xi32, scratch>) {
    // expected-error @+1 {{expected a dimension from 0 to 0, found 1}}
    %x = tile.index 1 : i32
    tile.yield %x : i32
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{belongs into the body of a tile.map}}
  %x = tile.index 0 : i32
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected an output of rank 2 with extent 1 in the reduced dimensions, found '!tile.buffer<8xf32, scratch>'}}
  tile.reduce <add> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected at least one dimension to reduce}}
  tile.reduce <add> %a, %b dims [] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected dimensions from 0 to 1, found 2}}
  tile.reduce <add> %a, %b dims [2] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected each dimension once, found 1 twice}}
  tile.reduce <add> %a, %b dims [1, 1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x2xf32, scratch>
  // expected-error @+1 {{expected extent 1 in reduced dimension 1 of the output, found 2}}
  tile.reduce <add> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x2xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<4x1xf32, scratch>
  // expected-error @+1 {{expected extent 8 in dimension 0 of the output, found 4}}
  tile.reduce <add> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<4x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected an i32 or i64 output for argmin, found 'f32'}}
  tile.reduce <argmin> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<1x1xi32, scratch>
  // expected-error @+1 {{expected one dimension for argmax, found 2}}
  tile.reduce <argmax> %a, %b dims [0, 1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<1x1xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xi32, scratch>
  // expected-error @+1 {{cannot accumulate indices; reduce the whole extent in one operation}}
  tile.reduce <argmax> %a, %b dims [1] {accumulate} : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected an integer input for xor, found 'f32'}}
  tile.reduce <xor> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xi32, scratch>
  // expected-error @+1 {{expected a float input for maxnum, found 'i32'}}
  tile.reduce <maxnum> %a, %b dims [1] : !tile.buffer<8x16xi32, scratch>, !tile.buffer<8x1xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf16, scratch>
  // expected-error @+1 {{expected an output of the input's element type 'f32' or a wider one, found 'f16'}}
  tile.reduce <add> %a, %b dims [1] : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xf16, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<32x16xf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected the destination in acc, found '!tile.buffer<8x16xf32, scratch>'; allocate it there and copy the result out}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k(%g: !tile.buffer<8x32xf16, global>) grid(%i) {
  %b = tile.alloc : !tile.buffer<32x16xf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected a in scratch, found '!tile.buffer<8x32xf16, global>'; copy it there first}}
  tile.matmul %g, %b, %c : !tile.buffer<8x32xf16, global>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<32x16xf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected a of rank 2, found '!tile.buffer<2x8x32xf16, scratch>'; drop leading dimensions with tile.slice}}
  tile.matmul %a, %b, %c : !tile.buffer<2x8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<31x16xf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected one K, found 32 in a and 31 in b}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf16, scratch>, !tile.buffer<31x16xf16, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<32x16xf16, scratch>
  %c = tile.alloc : !tile.buffer<16x8xf32, acc>
  // expected-error @+1 {{expected acc of 8x16, found 16x8}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xf16, scratch>, !tile.buffer<16x8xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xf16, scratch>
  %b = tile.alloc : !tile.buffer<32x16xbf16, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected a and b of one element type, or both of 8-bit floats, found 'f16' and 'bf16'}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf16, scratch>, !tile.buffer<32x16xbf16, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xf64, scratch>
  %b = tile.alloc : !tile.buffer<32x16xf64, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected operands of f16, bf16, f32, f8E4M3FN, f8E5M2 or i8, found 'f64'; convert with tile.cast}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xf64, scratch>, !tile.buffer<32x16xf64, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x32xi8, scratch>
  %b = tile.alloc : !tile.buffer<32x16xi8, scratch>
  %c = tile.alloc : !tile.buffer<8x16xf32, acc>
  // expected-error @+1 {{expected an accumulator of i32 for 'i8' operands, found 'f32'}}
  tile.matmul %a, %b, %c : !tile.buffer<8x32xi8, scratch>, !tile.buffer<32x16xi8, scratch>, !tile.buffer<8x16xf32, acc>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf8E4M3FN, scratch>
  %b = tile.alloc : !tile.buffer<8x1xi32, scratch>
  // expected-error @+1 {{expected elements to compute in, found 'f8E4M3FN'; convert to f16, bf16 or f32 with tile.cast}}
  tile.reduce <argmax> %a, %b dims [1] : !tile.buffer<8x16xf8E4M3FN, scratch>, !tile.buffer<8x1xi32, scratch>
}
