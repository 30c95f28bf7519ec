/*===- xfr_start.h - entry of a C program on the machine -------------------===*/
/* Include in one source file. The machine enters every hart here with a0 = argument block (0 if none), a1 = its bytes,
 * sp set up. */
#pragma once

#include "xfr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one hart does; the value returned is its exit code. */
int xfr_main(const uint64_t* arguments, uint64_t bytes);

__attribute__((used)) static void xfr_start_(const uint64_t* arguments, uint64_t bytes) {
  xfr_exit((uint64_t)xfr_main(arguments, bytes));
}

__attribute__((naked, used, noreturn)) void _start(void) {
  __asm__ volatile(
      ".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
      "tail %0" ::"i"(xfr_start_));
}

#ifdef __cplusplus
}
#endif
