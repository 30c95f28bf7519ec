/*===- probe.c - small kernels that poke at one rule of the machine each -------===*/
/* Entered by name through the facade; every hart runs them. */
#include "xfr_start.h"

XFR_REQUIRE("xfr.dma");
XFR_REQUIRE("xfr.matrix");

#define KERNEL(name)                                                           \
  static void name##_body(const uint64_t* arguments);                          \
  __attribute__((used)) void name(const uint64_t* arguments, uint64_t bytes) { \
    name##_body(arguments);                                                    \
    xfr_exit(0);                                                               \
  }                                                                            \
  static void name##_body(const uint64_t* arguments)

int xfr_main(const uint64_t* arguments, uint64_t bytes) { return 7; }

#define hart() xfr_id(XFR_ID_TEAM)
#define core() xfr_id(XFR_ID_CORE)
#define first() (hart() == 0 && core() == 0)

static void line(int d, uint64_t base, uint64_t elements) {
  /* descriptor numbers are constants */
  if (d == 0) {
    xfr_set_matrix(0, base, 1, elements, 0, 4, XFR_TYPE_I32);
  }
  if (d == 1) {
    xfr_set_matrix(1, base, 1, elements, 0, 4, XFR_TYPE_I32);
  }
}

/* Never waits for its copy. */
KERNEL(unwaited) {
  if (!first()) return;
  line(0, XFR_SCRATCH_BASE, 64);
  line(1, arguments[0], 64);
  xfr_dma_copy(0, 1, 0);
}

/* Reads the destination of a copy too early. */
KERNEL(race) {
  if (!first()) return;
  *(volatile uint32_t*)(XFR_SCRATCH_BASE + 64) = 1;
  line(0, XFR_SCRATCH_BASE, 1024);
  line(1, arguments[0], 1024);
  uint64_t token = xfr_dma_copy(0, 1, 0);
  *(volatile uint32_t*)(arguments[0]) = *(volatile uint32_t*)(XFR_SCRATCH_BASE + 64);
  xfr_tok_wait(token);
}

/* Two queues write the same bytes without order. */
KERNEL(unorderedQueues) {
  if (!first()) return;
  line(0, XFR_SCRATCH_BASE, 1024);
  line(1, arguments[0], 1024);
  uint64_t a = xfr_dma_copy(0, 1, 0);
  xfr_d_set(0, XFR_FIELD_QUEUE, 1);
  uint64_t b = xfr_dma_copy(0, 1, 0);
  xfr_tok_wait(a);
  xfr_tok_wait(b);
}

/* The same, ordered by `after`. */
KERNEL(orderedQueues) {
  if (!first()) return;
  line(0, XFR_SCRATCH_BASE, 1024);
  line(1, arguments[0], 1024);
  uint64_t a = xfr_dma_copy(0, 1, 0);
  xfr_d_set(0, XFR_FIELD_QUEUE, 1);
  xfr_tok_wait(xfr_dma_copy(0, 1, a));
}

/* Waits for an arrival that never comes. */
KERNEL(deadlock) {
  if (!first()) return;
  xfr_bar_init(3, 2);
  xfr_bar_wait(3, xfr_bar_arrive(3, 0));
}

KERNEL(endless) {
  for (;;) __asm__ volatile("");
}

/* A token that no one gave out. */
KERNEL(strangeToken) {
  if (first()) xfr_tok_wait(12345);
}

/* Core 0 sends to core 1, which waits for the bytes at a barrier and passes a credit back. */
KERNEL(credit) {
  if (hart() != 0) return;
  if (core() == 1) {
    xfr_bar_init(0, 1);
    uint64_t phase = xfr_bar_arrive(0, 4096);
    xfr_sem_add(XFR_SEMAPHORE(0, 5), 1);
    xfr_bar_wait(0, phase);
    line(0, arguments[0] + 4096, 1024);
    line(1, XFR_SCRATCH_BASE + 8192, 1024);
    xfr_tok_wait(xfr_dma_copy(0, 1, 0));
  }
  if (core() == 0) {
    xfr_sem_waitge(5, 1);
    line(0, XFR_REMOTE_SCRATCH(1) + 8192, 1024);
    line(1, arguments[0], 1024);
    xfr_d_set(0, XFR_FIELD_CREDIT, XFR_CREDIT(1, 0));
    xfr_dma_copy(0, 1, 0);
  }
}

/* Every hart adds its work items to a word of its own; harts of a core see the same items. */
KERNEL(items) {
  uint64_t* sums = (uint64_t*)arguments[3];
  uint64_t sum = 0, item;
  while ((item = xfr_next()) != ~(uint64_t)0) sum += 1 + item;
  sums[core() * xfr_id(XFR_ID_TEAMS) + hart()] = sum;
}
