// Refusals of moves by index, scans, orderings and atomic operations, with what they say.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics

tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi1, scratch>
  // expected-error @+1 {{expected elements that hold an index, found i1; compare tile.index in a tile.map}}
  tile.iota %a dim 0 : !tile.buffer<8x16xi1, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi32, scratch>
  // expected-error @+1 {{expected a dimension from 0 to 1, found 2}}
  tile.iota %a dim 2 : !tile.buffer<8x16xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi32, scratch>
  %b = tile.alloc : !tile.buffer<8x2xi32, scratch>
  // expected-error @+1 {{expected extent 16 or 1 in dimension 1 of source, found 2}}
  tile.broadcast %b, %a : !tile.buffer<8x2xi32, scratch>, !tile.buffer<8x16xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi32, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf32, scratch>
  // expected-error @+1 {{expected one element type, found 'f32' and 'i32'; convert with tile.cast}}
  tile.broadcast %b, %a : !tile.buffer<8x1xf32, scratch>, !tile.buffer<8x16xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x15xf32, scratch>
  // expected-error @+1 {{expected equal extents, found 16 in dimension 1 of input and 15 in output; take windows of one shape with tile.slice}}
  tile.scan <add> %a, %b dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x15xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected a kind that combines elements, found argmax, which yields an index; use tile.reduce}}
  tile.scan <argmax> %a, %a dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf16, scratch>
  // expected-error @+1 {{expected an output of the input's element type 'f32' or a wider one, found 'f16'}}
  tile.scan <add> %a, %b dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf16, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi1, scratch>
  // expected-error @+1 {{expected elements that sums of bits fit, found i1; convert to i8 or wider with tile.cast}}
  tile.scan <add> %a, %a dim 1 : !tile.buffer<8x16xi1, scratch>, !tile.buffer<8x16xi1, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<9x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x1xi16, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected i32 or i64 indices, found 'i16'}}
  tile.gather %a, %n, %b dim 0 : !tile.buffer<9x16xf32, scratch>, !tile.buffer<8x1xi16, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<9x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x1xi32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected extent 8 in dimension 0 of source, found 9; take a window with tile.slice}}
  tile.gather %a, %n, %b dim 1 : !tile.buffer<9x16xf32, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<9x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x3xi32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected extent 16 or 1 in dimension 1 of indices, found 3}}
  tile.gather %a, %n, %b dim 0 : !tile.buffer<9x16xf32, scratch>, !tile.buffer<8x3xi32, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x1xi32, scratch>
  %b = tile.alloc : !tile.buffer<16xf32, scratch>
  // expected-error @+1 {{expected destination of rank 2, found '!tile.buffer<16xf32, scratch>'}}
  tile.scatter %a, %n, %b dim 0 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x1xi32, scratch>
  %b = tile.alloc : !tile.buffer<9x16xf16, scratch>
  // expected-error @+1 {{expected one element type, found 'f16' and 'f32'; convert with tile.cast}}
  tile.scatter %a, %n, %b dim 0 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<9x16xf16, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x1xi32, scratch>
  // expected-error @+1 {{expected an integer input for xor, found 'f32'}}
  tile.scatter %a, %n, %a dim 0 combine <xor> : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8xi32, scratch>
  // expected-error @+1 {{expected an input of integers, found 'f32'; number the bins with tile.map}}
  tile.histogram %a, %n : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi32, scratch>
  %n = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected an output of rank 1 and i32, one count a value, found '!tile.buffer<8xf32, scratch>'}}
  tile.histogram %a, %n : !tile.buffer<8x16xi32, scratch>, !tile.buffer<8xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %n = tile.alloc : !tile.buffer<8x16xi32, scratch>
  // expected-error @+1 {{expected one output, the elements, or two, their indices as well; found 3}}
  tile.sort %a, %a, %n, %n dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xi32, scratch>, !tile.buffer<8x16xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf16, scratch>
  // expected-error @+1 {{expected elements of the input's type 'f32', found 'f16'}}
  tile.sort %a, %b dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf16, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x17xf32, scratch>
  // expected-error @+1 {{expected at most the input's 16 elements in dimension 1 of the outputs, found 17}}
  tile.topk %a, %b dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x17xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<7x4xf32, scratch>
  // expected-error @+1 {{expected extent 8 in dimension 0 of the outputs, found 7}}
  tile.topk %a, %b dim 1 : !tile.buffer<8x16xf32, scratch>, !tile.buffer<7x4xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf8E5M2, scratch>
  // expected-error @+1 {{expected elements to compute in, found 'f8E5M2'; convert to f16, bf16 or f32 with tile.cast}}
  tile.scan <add> %a, %a dim 1 : !tile.buffer<8x16xf8E5M2, scratch>, !tile.buffer<8x16xf8E5M2, scratch>
}

// -----
tile.kernel @k(%g: !tile.buffer<?xf32, global>, %v: f32) grid(%i) {
  // expected-error @+1 {{expected elements of i32 or i64 for max, found 'f32'}}
  %old = tile.atomic_rmw <max> %v, %g[%i] order <relaxed> scope <chip> : !tile.buffer<?xf32, global>
}

// -----
tile.kernel @k(%g: !tile.buffer<?xf16, global>, %v: f16) grid(%i) {
  // expected-error @+1 {{expected elements of i32, i64, f32 or f64 for add, found 'f16'}}
  %old = tile.atomic_rmw <add> %v, %g[%i] order <relaxed> scope <chip> : !tile.buffer<?xf16, global>
}

// -----
tile.kernel @k(%v: i32) grid(%i) {
  %s = tile.alloc : !tile.buffer<8xi32, scratch>
  // expected-error @+1 {{expected scope <core> for a buffer that one core has, found <chip>}}
  %old = tile.atomic_rmw <add> %v, %s[%i] order <relaxed> scope <chip> : !tile.buffer<8xi32, scratch>
}

// -----
tile.kernel @k(%g: !tile.buffer<?x?xi32, global>, %v: i32) grid(%i) {
  // expected-error @+1 {{expected 2 indices for '!tile.buffer<?x?xi32, global>', found 1}}
  %old = tile.cas %v, %v, %g[%i] order <acquire> scope <chip> : !tile.buffer<?x?xi32, global>
}
