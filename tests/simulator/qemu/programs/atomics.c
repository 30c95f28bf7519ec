//===- atomics.c - read-modify-write and lr / sc ----------------------------===//
// Every AMO in both widths with sign edges, and conditional stores that succeed and fail.
#include "program.h"

static volatile u64 cell;

#define AMO(name)                                                                        \
  {                                                                                      \
    cell = a;                                                                            \
    u64 old;                                                                             \
    __asm__ volatile(#name " %0, %2, (%1)" : "=r"(old) : "r"(&cell), "r"(b) : "memory"); \
    show(#name, old);                                                                    \
    show(" now", cell);                                                                  \
  }
#define BOTH(name) AMO(name.w) AMO(name.d) AMO(name.w.aq) AMO(name.d.rl) AMO(name.d.aqrl)

static const u64 values[] = {
    0, 1, ~0ul, 0x80000000ul, 0x7fffffff80000000ul, 0x8000000000000000ul, 0x123456789abcdef0ul};

int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i)
    for (unsigned j = 0; j < sizeof values / sizeof values[0]; ++j) {
      const u64 a = values[i], b = values[j];
      BOTH(amoadd)
      BOTH(amoswap) BOTH(amoand) BOTH(amoor) BOTH(amoxor) BOTH(amomin) BOTH(amomax) BOTH(amominu) BOTH(amomaxu)
    }
  u64 read, failed;
  cell = 0xfffffffff1234567ul;
  __asm__ volatile("lr.w %0, (%2)\nsc.w %1, %3, (%2)" : "=&r"(read), "=&r"(failed) : "r"(&cell), "r"(99) : "memory");
  show("lr.w", read), show("sc.w", failed), show("cell", cell);
  __asm__ volatile("sc.d %0, %2, (%1)" : "=r"(failed) : "r"(&cell), "r"(5) : "memory");
  show("sc without lr", failed), show("cell", cell);
  __asm__ volatile("lr.d %0, (%2)\nsc.d %1, %3, (%2)\n" : "=&r"(read), "=&r"(failed) : "r"(&cell), "r"(-3) : "memory");
  show("lr.d", read), show("sc.d", failed), show("cell", cell);
  u64 total = 0;
  for (int i = 0; i < 1000; ++i) total += __atomic_fetch_add(&cell, (u64)i, __ATOMIC_SEQ_CST);
  show("total", total);
  u64 expected = cell;
  show("exchange", __atomic_compare_exchange_n(&cell, &expected, 42, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  show("exchange", __atomic_compare_exchange_n(&cell, &expected, 43, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  show("cell", cell);
  return 0;
}
