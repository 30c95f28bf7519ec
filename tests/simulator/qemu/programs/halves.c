//===- halves.c - half precision scalar arithmetic --------------------------===//
// Zfh through the compiler's _Float16, over all exponents.
#include "program.h"

static u64 bitsOf(_Float16 v) { return __builtin_bit_cast(u16, v); }

int main(void) {
  u64 state = 11, h = 0;
  for (int i = 0; i < 20000; ++i) {
    const _Float16 a = __builtin_bit_cast(_Float16, (u16)nextRandom(&state)),
                   b = __builtin_bit_cast(_Float16, (u16)nextRandom(&state)),
                   c = __builtin_bit_cast(_Float16, (u16)nextRandom(&state));
    h = h * 31 + bitsOf(a + b), h = h * 31 + bitsOf(a - b), h = h * 31 + bitsOf(a * b), h = h * 31 + bitsOf(a / b);
    _Float16 f, s;
    __asm__("fmadd.h %0, %2, %3, %4\nfsqrt.h %1, %2" : "=&f"(f), "=&f"(s) : "f"(a), "f"(b), "f"(c));
    h = h * 31 + bitsOf(f), h = h * 31 + bitsOf(s);
    h = h * 31 + (u64)((a < b) | (a <= b) << 1 | (a == b) << 2);
    const float wide = a;
    const double wider = b;
    h = h * 31 + bitsOfFloat(wide), h = h * 31 + bitsOfDouble(wider), h = h * 31 + bitsOf((_Float16)(wide * 1.001f)),
    h = h * 31 + bitsOf((_Float16)(wider * 1.0001));
    i64 word, class;
    __asm__("fcvt.w.h %0, %2, rne\nfclass.h %1, %2" : "=&r"(word), "=&r"(class) : "f"(a));
    h = h * 31 + (u64)word, h = h * 31 + (u64)class, h = h * 31 + bitsOf((_Float16)(i64)(i16)nextRandom(&state));
    if (i % 200 == 0) show("halves", h);
  }
  show("halves", h);
  u64 flags;
  __asm__ volatile("frflags %0" : "=r"(flags));
  show("flags", flags);
  return 0;
}
