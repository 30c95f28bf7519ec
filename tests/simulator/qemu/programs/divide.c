//===- divide.c - division edge cases ---------------------------------------===//
// The instructions themselves, because division by zero is undefined in C.
#include "program.h"

#define DIVIDE(name)                                                  \
  {                                                                   \
    u64 r;                                                            \
    __asm__ volatile(#name " %0, %1, %2" : "=r"(r) : "r"(a), "r"(b)); \
    show(#name, r);                                                   \
  }

static const u64 values[] = {0,
                             1,
                             ~0ul,
                             2,
                             7,
                             ~6ul,
                             0x8000000000000000ul,
                             0x80000000ul,
                             0xffffffff80000000ul,
                             0x7fffffffffffffff,
                             0xffffffff,
                             0x100000000ul};

int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i)
    for (unsigned j = 0; j < sizeof values / sizeof values[0]; ++j) {
      const u64 a = values[i], b = values[j];
      DIVIDE(div)
      DIVIDE(divu)
      DIVIDE(rem)
      DIVIDE(remu)
      DIVIDE(divw) DIVIDE(divuw) DIVIDE(remw) DIVIDE(remuw) DIVIDE(mulh) DIVIDE(mulhu) DIVIDE(mulhsu) DIVIDE(mulw)
    }
  return 0;
}
