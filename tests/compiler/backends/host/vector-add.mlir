// The example as code of this CPU: elements are added in vectors, of whatever width, without a check at run time.
// RUN: forerun compile %examples/vector_add.mlir --target=host --emit=ll | FileCheck %s
// RUN: forerun compile %examples/vector_add.mlir --target=host --emit=asm | FileCheck %s --check-prefix=ASM

// CHECK-NOT: memcheck
// CHECK: define void @vector_add(ptr {{.*}}, ptr {{.*}})
// CHECK-NOT: memcheck
// CHECK: vector.body{{.*}}:
// CHECK: fadd <[[WIDTH:[0-9]+]] x float>
// CHECK-NOT: memcheck
// CHECK: ret void

// ASM: vector_add:
