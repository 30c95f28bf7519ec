// Refusals of elements of 4 bits, of scales, and of 'overflow', with what they say.
// RUN: forerun-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected no layout for 'i4', two of which share a byte; leave the layout out, or keep the elements as i8}}
func.func private @layout(!tile.buffer<8x16xi4, scratch, #tile.layout<S[(8,16):(16,1)]>>)

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected an even origin of the innermost dimension, found 3; two elements of 'i4' share a byte, at which a window begins}}
  %w = tile.slice %a[0, 3] : !tile.buffer<8x16xi4, scratch> to !tile.buffer<8x8xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.map ins(%a : !tile.buffer<8x16xi4, scratch>) outs(%a : !tile.buffer<8x16xi4, scratch>) {
  ^bb0(%x: i4):
    tile.yield %x : i4
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf4E2M1FN, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf32, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'f4E2M1FN', two of which share one; convert to f16, bf16 or f32 with tile.cast}}
  tile.map ins(%a : !tile.buffer<8x16xf4E2M1FN, scratch>) outs(%b : !tile.buffer<8x16xf32, scratch>) {
  ^bb0(%x: f4E2M1FN):
    %y = arith.extf %x : f4E2M1FN to f32
    tile.yield %y : f32
  }
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %b = tile.alloc : !tile.buffer<8x1xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.reduce <add> %a, %b dims [1] : !tile.buffer<8x16xi4, scratch>, !tile.buffer<8x1xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf8E8M0FNU, scratch>
  %b = tile.alloc : !tile.buffer<8x1xf8E8M0FNU, scratch>
  // expected-error @+1 {{expected elements to compute in, found 'f8E8M0FNU'; convert to f16, bf16 or f32 with tile.cast}}
  tile.reduce <max> %a, %b dims [1] : !tile.buffer<8x16xf8E8M0FNU, scratch>, !tile.buffer<8x1xf8E8M0FNU, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf8E8M0FNU, scratch>
  // expected-error @+1 {{expected elements to order, found f8E8M0FNU; convert to f32 with tile.cast}}
  tile.sort %a, %a dim 1 : !tile.buffer<8x16xf8E8M0FNU, scratch>, !tile.buffer<8x16xf8E8M0FNU, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.sort %a, %a dim 1 : !tile.buffer<8x16xi4, scratch>, !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %c = tile.alloc : !tile.buffer<16xi32, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.histogram %a, %c : !tile.buffer<8x16xi4, scratch>, !tile.buffer<16xi32, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  %v = tile.load %a[%i, %i] : !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k(%v: i4) grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.store %v, %a[%i, %i] : !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.iota %a dim 1 : !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %b = tile.alloc : !tile.buffer<1x16xi4, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.broadcast %b, %a : !tile.buffer<1x16xi4, scratch>, !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %b = tile.alloc : !tile.buffer<16x8xi4, scratch>
  // expected-error @+1 {{expected the innermost dimension to stay innermost, found it as another of 'i4', two of which share a byte; convert to i8 with tile.cast first}}
  tile.transpose %a, %b permutation [1, 0] : !tile.buffer<8x16xi4, scratch>, !tile.buffer<16x8xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %ids = tile.alloc : !tile.buffer<8x16xi32, scratch>
  // expected-error @+1 {{expected whole rows of 'i4', two of which share a byte (rank 2, dim 0, indices of Rx1), found indices '!tile.buffer<8x16xi32, scratch>' along dimension 0; convert with tile.cast first}}
  tile.gather %a, %ids, %a dim 0 : !tile.buffer<8x16xi4, scratch>, !tile.buffer<8x16xi32, scratch>, !tile.buffer<8x16xi4, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xi4, scratch>
  %ids = tile.alloc : !tile.buffer<8x1xi32, scratch>
  // expected-error @+1 {{expected elements of a byte or more, found 'i4', two of which share one; convert to i8 with tile.cast}}
  tile.scatter %a, %ids, %a dim 0 : !tile.buffer<8x16xi4, scratch>, !tile.buffer<8x1xi32, scratch>, !tile.buffer<8x16xi4, scratch>
}

// -----
func.func @convert(%x: f32) {
  // expected-error @+1 {{expected elements of a byte or more, found 'f4E2M1FN', two of which share one; convert to f16, bf16 or f32 with tile.cast}}
  %y = tile.convert %x : f32 to f4E2M1FN
  return
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf16, scratch>
  // expected-error @+1 {{expected 'overflow <nan>' of a conversion to f8E4M3FN, f8E5M2 or f8E8M0FNU, found 'f16', which does what its type does; leave it out}}
  tile.cast %a, %b overflow <nan> : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf16, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf32, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf4E2M1FN, scratch>
  // expected-error @+1 {{expected 'overflow <nan>' of a conversion to f8E4M3FN, f8E5M2 or f8E8M0FNU, found 'f4E2M1FN', which has no NaN; leave it out}}
  tile.cast %a, %b overflow <nan> : !tile.buffer<8x16xf32, scratch>, !tile.buffer<8x16xf4E2M1FN, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x16xf8E5M2, scratch>
  %b = tile.alloc : !tile.buffer<8x16xf8E5M2, scratch>
  // expected-error @+1 {{expected no 'overflow' between equal types, found 'f8E5M2' twice; leave it out}}
  tile.copy %a, %b overflow <nan> : !tile.buffer<8x16xf8E5M2, scratch>, !tile.buffer<8x16xf8E5M2, scratch>
}

// -----
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<8x64xi4, scratch>
  %b = tile.alloc : !tile.buffer<64x8xi4, scratch>
  %c = tile.alloc : !tile.buffer<8x8xi32, acc>
  // expected-error @+1 {{expected operands of f16, bf16, f32, f8E4M3FN, f8E5M2 or i8, found 'i4'; convert with tile.cast}}
  tile.matmul %a, %b, %c : !tile.buffer<8x64xi4, scratch>, !tile.buffer<64x8xi4, scratch>, !tile.buffer<8x8xi32, acc>
}

// -----
!a = !tile.buffer<8x70xf8E4M3FN, scratch>
!b = !tile.buffer<70x8xf4E2M1FN, scratch>
!c = !tile.buffer<8x8xf32, acc>
!two = !tile.buffer<8x2xf8E8M0FNU, scratch>
!three = !tile.buffer<3x8xf8E8M0FNU, scratch>
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c = tile.alloc : !c
  %sa = tile.alloc : !two
  %sb = tile.alloc : !three
  // expected-error @+1 {{expected scales of a with the extent 8 in dimension 0 and one scale for each 32 of K in dimension 1, found '!tile.buffer<8x2xf8E8M0FNU, scratch>'}}
  tile.matmul %a, %b, %c scales(%sa, %sb) block 32 : !a, !b, !c, !two, !three
}

// -----
!a = !tile.buffer<8x64xf8E4M3FN, scratch>
!b = !tile.buffer<64x8xf4E2M1FN, scratch>
!c = !tile.buffer<8x8xf32, acc>
!sa = !tile.buffer<8x2xf8E8M0FNU, scratch>
!sb = !tile.buffer<2x8xi8, scratch>
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c = tile.alloc : !c
  %sa = tile.alloc : !sa
  %sb = tile.alloc : !sb
  // expected-error @+1 {{expected scales of b of f8E8M0FNU, found 'i8'; tile.cast rounds to powers of two}}
  tile.matmul %a, %b, %c scales(%sa, %sb) block 32 : !a, !b, !c, !sa, !sb
}

// -----
!a = !tile.buffer<8x64xf16, scratch>
!b = !tile.buffer<64x8xf16, scratch>
!c = !tile.buffer<8x8xf32, acc>
!sa = !tile.buffer<8x2xf8E8M0FNU, scratch>
!sb = !tile.buffer<2x8xf8E8M0FNU, scratch>
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c = tile.alloc : !c
  %sa = tile.alloc : !sa
  %sb = tile.alloc : !sb
  // expected-error @+1 {{expected a of f8E4M3FN, f8E5M2 or f4E2M1FN beside scales, found 'f16'}}
  tile.matmul %a, %b, %c scales(%sa, %sb) block 32 : !a, !b, !c, !sa, !sb
}

// -----
!a = !tile.buffer<8x64xf8E4M3FN, scratch>
!b = !tile.buffer<64x8xf8E4M3FN, scratch>
!c = !tile.buffer<8x8xf32, acc>
!sa = !tile.buffer<8x2xf8E8M0FNU, scratch>
!sb = !tile.buffer<2x8xf8E8M0FNU, scratch>
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c = tile.alloc : !c
  %sa = tile.alloc : !sa
  %sb = tile.alloc : !sb
  // expected-error @+1 {{expected blocks of at least one element of K, found 0}}
  tile.matmul %a, %b, %c scales(%sa, %sb) block 0 : !a, !b, !c, !sa, !sb
}

// -----
!a = !tile.buffer<8x64xf8E4M3FN, scratch>
!b = !tile.buffer<64x8xf8E4M3FN, scratch>
!c = !tile.buffer<8x8xf32, acc>
!sa = !tile.buffer<8x2xf8E8M0FNU, scratch>
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %c = tile.alloc : !c
  %sa = tile.alloc : !sa
  // expected-error @+1 {{expected scales of both operands and their block, or none; write scales(%sa, %sb) block 32}}
  "tile.matmul"(%a, %b, %c, %sa) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!a, !b, !c, !sa) -> ()
}
