// RUN: not forerun-opt %s "--tile-bind-params=values=TN=3" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not forerun-opt %s "--tile-bind-params=values=TM" 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not forerun-opt %s "--tile-bind-params=values=TM=f16" 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not forerun-opt %s "--tile-bind-params=values=T=12" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not forerun-opt %s "--tile-bind-params=values=TM=0" 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not forerun-opt %s "--tile-bind-params=values=TM=9" 2>&1 | FileCheck %s --check-prefix=CHECKED

// UNKNOWN: error: unknown parameter 'TN'; the module defines 'TM', 'T'
// FORM: error: expected NAME=VALUE for a parameter, found 'TM'
// INTEGER: :[[@LINE+4]]:1: error: expected a 64-bit decimal integer for parameter 'TM', found 'f16'
// TYPE: :[[@LINE+4]]:1: error: expected an element type (i1 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU) for parameter 'T', found '12'
// EXTENT: :[[@LINE+2]]:1: error: parameter @TM is used as an extent: expected at least 1, found 0
// CHECKED: error: 'tile.copy' op expected equal extents, found 9 in dimension 0 of source and 8 in destination
tile.param @TM = 8
tile.param @T : type = f32
tile.kernel @k() grid(%i) {
  %a = tile.alloc : !tile.buffer<@TM x !tile.param<@T>, scratch>
  %b = tile.alloc : !tile.buffer<8x!tile.param<@T>, scratch>
  tile.copy %a, %b : !tile.buffer<@TM x !tile.param<@T>, scratch>, !tile.buffer<8x!tile.param<@T>, scratch>
}
