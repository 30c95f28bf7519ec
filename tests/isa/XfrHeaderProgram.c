/*===- XfrHeaderProgram.c - every intrinsic once ---------------------------===*/
/* Compiled by the build; CompiledProgramTest.cpp compares its words with the encoder's. Not meant to run. */
#include <xfr.h>

XFR_REQUIRE("xfr.dma");
XFR_REQUIRE("scratch>=4096");

uint64_t use(uint64_t a, uint64_t b) {
  xfr_d_set(31, XFR_FIELD_RESET, a);
  xfr_tok_wait(a);
  uint64_t sum = xfr_tok_test(a);
  xfr_bar_init(a, b);
  sum += xfr_bar_arrive(a, b);
  xfr_bar_wait(a, b);
  xfr_sem_add(a, b);
  xfr_sem_waitge(a, b);
  sum += xfr_id(XFR_ID_MATRIX_QUEUES);
  xfr_mark(a, XFR_MARK_END);
  sum += xfr_next();
  sum += xfr_dma_copy(31, 30, a);
  sum += xfr_dma_index(31, 30, 29, XFR_INDEX_SCATTER_ADD);
  sum += xfr_mm_load(31, 0, 1);
  sum += xfr_mm_run(31, 30, a, 1, 1);
  sum += xfr_mm_store(31, 30, b);
  sum += xfr_ve_map(31, 30, 29, XFR_VE_MAX);
  sum += xfr_ve_reduce(31, 30, 29, XFR_VE_MAX);
  if (sum == 1) xfr_exit(a);
  if (sum == 2) xfr_trap(a, sum);
  return sum;
}
