// Every refusal of the verifiers and parsers, with what it says.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected an element type (i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU), found 'i7'}}
tile.param @T : type = i7

// -----
// expected-error @+1 {{a buffer has at least one dimension; write 1 for a single element}}
func.func private @f(!tile.buffer<f32, global>)

// -----
// expected-error @+1 {{'?' extents are for global buffers; give a scratch buffer an integer or '@PARAM' extent}}
func.func private @f(!tile.buffer<?xf32, scratch>)

// -----
// expected-error @+1 {{expected a positive extent, found 0}}
func.func private @f(!tile.buffer<0xf32, scratch>)

// -----
// expected-error @+1 {{expected at most 281474976710656 elements, found more with extent 8; no memory holds them}}
func.func private @f(!tile.buffer<?x4294967296x65536x8xf32, global>)

// -----
// expected-error @+1 {{expected an element type (i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU or !tile.param), found 'f80'}}
func.func private @f(!tile.buffer<4xf80, scratch>)

// -----
// expected-error @+1 {{unknown memory space 'shared'; expected global, scratch, acc or reg}}
func.func private @f(!tile.buffer<4xf32, shared>)

// -----
// expected-error @+2 {{expected 'x' in dimension list}}
// expected-error @+1 {{a parameter extent is followed by ' x ', with a space between, as in '@TM x @TK x f16'}}
func.func private @f(!tile.buffer<@TMxf32, scratch>)

// -----
// expected-error @+1 {{a kernel has no results; write to a global buffer}}
tile.kernel @k() -> f32 grid(%i) {
}

// -----
// expected-error @+1 {{expected 'grid' with one to three ids after the arguments, as in 'grid(%i, %j)'}}
tile.kernel @k() {
}

// -----
// expected-error @+1 {{expected one to three grid ids after 0 arguments, found 4}}
tile.kernel @k() grid(%a, %b, %c, %d) {
}

// -----
// expected-error @+1 {{expected a global buffer or a scalar as argument 0, found '!tile.buffer<4xf32, scratch>'; allocate on-chip buffers in the body}}
tile.kernel @k(%a: !tile.buffer<4xf32, scratch>) grid(%i) {
}

// -----
// expected-error @+1 {{expected a global buffer or a scalar as argument 0, found '!tile.token'}}
tile.kernel @k(%a: !tile.token) grid(%i) {
}

// -----
// expected-error @+1 {{uses parameter @TM, which the module does not define; add 'tile.param @TM = 1'}}
tile.kernel @k(%a: !tile.buffer<@TM x f32, global>) grid(%i) {
}

// -----
tile.param @T = 3
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{uses parameter @T as an element type, but it is an integer}}
  %a = tile.alloc : !tile.buffer<4x!tile.param<@T>, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{uses parameter @TM, which the module does not define; add 'tile.param @TM = 1'}}
  %a = tile.param_value @TM : index
}

// -----
tile.param @T : type = f32
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{expected an integer parameter, found element type @T}}
  %a = tile.param_value @T : index
}

// -----
func.func @main(%n: index) {
  // expected-error @+1 {{expected a tile.kernel of the module, found @k}}
  tile.launch @k grid(%n) args()
  return
}

// -----
tile.kernel @k() grid(%i, %j) {
}
func.func @main(%n: index) {
  // expected-error @+1 {{expected 2 grid extents as @k has grid ids, found 1}}
  tile.launch @k grid(%n) args()
  return
}

// -----
tile.kernel @k(%s: f32) grid(%i) {
}
func.func @main(%n: index) {
  // expected-error @+1 {{expected 1 arguments for @k, found 0}}
  tile.launch @k grid(%n) args()
  return
}

// -----
tile.kernel @k(%a: !tile.buffer<?x4xf32, global>) grid(%i) {
}
func.func @main(%n: index, %a: !tile.buffer<8x?xf32, global>) {
  // expected-error @+1 {{expected '!tile.buffer<?x4xf32, global>' as argument 0 of @k, found '!tile.buffer<8x?xf32, global>'}}
  tile.launch @k grid(%n) args(%a) : !tile.buffer<8x?xf32, global>
  return
}

// -----
tile.kernel @k() grid(%i) {
}
func.func @main(%n: index) {
  // expected-error @+1 {{expected one to three grid extents, found 4}}
  tile.launch @k grid(%n, %n, %n, %n) args()
  return
}

// -----
tile.kernel @inner() grid(%i) {
}
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{belongs outside of kernels}}
  tile.launch @inner grid(%i) args()
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{a core has no range; write 'tile.exec team [...]' to select teams}}
  tile.exec core [0 : 1] {
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{expected team numbers from 0, found -1}}
  tile.exec team [-1] {
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{expected a range [low : high] with low < high, found [2 : 2]}}
  tile.exec team [2 : 2] {
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-note @+1 {{the enclosing region}}
  tile.exec team {
    // expected-error @+1 {{a single team executes here already; move this region out of 'tile.exec team'}}
    tile.exec team [0] {
    }
  }
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{at core scope all teams act together; use it inside 'tile.exec team'}}
  %t = tile.team_id : index
}

// -----
tile.kernel @k(%a: !tile.buffer<?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected a dimension from 0 to 0, found 1}}
  %d = tile.dim %a, 1 : !tile.buffer<?xf32, global>
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{expected an on-chip space inside a kernel, found global; allocate it in the host function and pass it}}
  %a = tile.alloc : !tile.buffer<4xf32, global>
}

// -----
func.func @main() {
  // expected-error @+1 {{expected global in a host function, found scratch; on-chip buffers live inside kernels}}
  %a = tile.alloc : !tile.buffer<4xf32, scratch>
  return
}

// -----
func.func @main(%n: index) {
  // expected-error @+1 {{expected 2 sizes, one for each '?', found 1}}
  %a = tile.alloc(%n) : !tile.buffer<?x?xf32, global>
  return
}

// -----
tile.kernel @k(%a: !tile.buffer<?x?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected 2 origins, one for each dimension of '!tile.buffer<?x?xf32, global>', found 1}}
  %w = tile.slice %a[%i] : !tile.buffer<?x?xf32, global> to !tile.buffer<4x4xf32, global>
}

// -----
tile.kernel @k(%a: !tile.buffer<?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected a result of at most rank 1, found '!tile.buffer<4x4xf32, global>'}}
  %w = tile.slice %a[%i] : !tile.buffer<?xf32, global> to !tile.buffer<4x4xf32, global>
}

// -----
tile.kernel @k(%a: !tile.buffer<?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected element type and space of the source ('f32', global), found '!tile.buffer<4xf32, scratch>'; a window changes neither, use tile.copy or tile.cast}}
  %w = tile.slice %a[%i] : !tile.buffer<?xf32, global> to !tile.buffer<4xf32, scratch>
}

// -----
tile.kernel @k(%a: !tile.buffer<?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected static extents of the window, found '!tile.buffer<?xf32, global>'; a window may overhang the edges, so give its largest extent}}
  %w = tile.slice %a[%i] : !tile.buffer<?xf32, global> to !tile.buffer<?xf32, global>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  // expected-error @+1 {{expected a window inside of the on-chip buffer, found 8 elements from 4 of 8 in dimension 1}}
  %w = tile.slice %a[%i, 4] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected a window inside of the on-chip buffer, found 8 elements from 9223372036854775807 of 8 in dimension 0}}
  %w = tile.slice %a[9223372036854775807] : !tile.buffer<8xf32, scratch> to !tile.buffer<8xf32, scratch>
}

// -----
tile.kernel @k(%a: !tile.buffer<?xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected static extents, found '!tile.buffer<?xf32, global>' as source; take a window with tile.slice first}}
  tile.copy %a, %s : !tile.buffer<?xf32, global>, !tile.buffer<8xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %b = tile.alloc : !tile.buffer<16xf32, scratch>
  // expected-error @+1 {{expected operands of one rank, found source of rank 2 and destination of rank 1; drop leading dimensions with tile.slice}}
  tile.copy %a, %b : !tile.buffer<2x8xf32, scratch>, !tile.buffer<16xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %b = tile.alloc : !tile.buffer<2x9xf16, scratch>
  // expected-error @+1 {{expected equal extents, found 8 in dimension 1 of source and 9 in destination; take windows of one shape with tile.slice}}
  tile.cast %a, %b : !tile.buffer<2x8xf32, scratch>, !tile.buffer<2x9xf16, scratch>
}

// -----
tile.kernel @k(%s: f16) grid(%i) {
  %a = tile.alloc : !tile.buffer<8xf32, scratch>
  // expected-error @+1 {{expected a value of the element type 'f32', found 'f16'}}
  tile.fill %a, %s : !tile.buffer<8xf32, scratch>, f16
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x2xf32, scratch>
  // expected-error @+1 {{expected a permutation of 0 to 1, found [1, 1]}}
  tile.transpose %a, %b permutation [1, 1] : !tile.buffer<2x8xf32, scratch>, !tile.buffer<8x2xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %b = tile.alloc : !tile.buffer<2x8xf32, scratch>
  // expected-error @+1 {{expected extent 8 (dimension 1 of the source) in dimension 0 of the destination, found 2}}
  tile.transpose %a, %b permutation [1, 0] : !tile.buffer<2x8xf32, scratch>, !tile.buffer<2x8xf32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x2xf16, scratch>
  // expected-error @+1 {{expected one element type, found 'f32' and 'f16'; convert with tile.cast}}
  tile.transpose %a, %b permutation [1, 0] : !tile.buffer<2x8xf32, scratch>, !tile.buffer<8x2xf16, scratch>
}

// -----
tile.kernel @k(%a: !tile.buffer<?x?xf32, global>) grid(%i) {
  // expected-error @+1 {{expected 2 indices for '!tile.buffer<?x?xf32, global>', found 1}}
  %v = tile.load %a[%i] : !tile.buffer<?x?xf32, global>
}

// -----
tile.kernel @k() grid(%i) {
  // expected-error @+1 {{expected at least one token}}
  tile.wait
}

// -----
// expected-error @+1 {{expected a layout, #tile.layout<S[(extents):(strides@axes)]>, found "rows"}}
func.func private @f(!tile.buffer<4xf32, scratch, "rows">)

// -----
// expected-error @+1 {{the layout does not fit the buffer: expected a shape of 64 elements, as the layout has, found 8x9 with 72; change the extents of S or the shape}}
func.func private @f(!tile.buffer<8x9xf32, scratch, #tile.layout<S[(8,8):(8,1)]>>)

// -----
// expected-error @+1 {{a layout places a fixed number of elements, found '?' extents; leave the layout out}}
func.func private @f(!tile.buffer<?xf32, global, #tile.layout<S[8:1]>>)

// -----
// expected-error @+1 {{expected ':' between extents and strides, found ']'; write S[(extents):(strides@axes)] + R[...] + offset@axis}}
#l = #tile.layout<S[8]>

// -----
// expected-error @+1 {{replicas fall on one another, so that a write or reduction would count twice; expected distinct places, give them strides that step over each other}}
#l = #tile.layout<S[8:1] + R[2:0]>

// -----
tile.kernel @k() grid(%i) {
  %s = tile.alloc : !tile.buffer<8x8xf32, scratch, #tile.layout<S[(8,8):(9,1)]>>
  // expected-error @+1 {{expected no layout in the window's type, found '!tile.buffer<4x8xf32, scratch, #tile.layout<S[(4,8):(9,1)]>>'; a window lies as its buffer does}}
  %w = tile.slice %s[0, 0] : !tile.buffer<8x8xf32, scratch, #tile.layout<S[(8,8):(9,1)]>> to !tile.buffer<4x8xf32, scratch, #tile.layout<S[(4,8):(9,1)]>>
}
