//===- floats.c - single and double precision programs ----------------------===//
// Series, Newton iterations, a small solver, conversions and comparisons with edges.
#include "program.h"

static double exponential(double x) {
  double term = 1, sum = 1;
  for (int i = 1; i < 40; ++i) term *= x / i, sum += term;
  return sum;
}
static float rootOf(float x) {
  float y = x;
  for (int i = 0; i < 30; ++i) y = 0.5f * (y + x / y);
  return y;
}
static double matrix[24][25];

static void solve(void) {
  u64 state = 4;
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 25; ++j) matrix[i][j] = (double)(i64)(nextRandom(&state) >> 20) * 0x1p-40 - 8 + (i == j) * 30;
  for (int k = 0; k < 24; ++k)
    for (int i = 0; i < 24; ++i) {
      if (i == k) continue;
      const double f = matrix[i][k] / matrix[k][k];
      for (int j = k; j < 25; ++j) matrix[i][j] -= f * matrix[k][j];
    }
  for (int i = 0; i < 24; ++i) show("x", bitsOfDouble(matrix[i][24] / matrix[i][i]));
}

static const u64 doubleBits[] = {0,
                                 0x8000000000000000ul,
                                 1,
                                 0x000fffffffffffff,
                                 0x0010000000000000,
                                 0x3ff0000000000000,
                                 0xbff8000000000000,
                                 0x4340000000000001,
                                 0x43e0000000000000,
                                 0xc3e0000000000000,
                                 0x41dfffffffc00000,
                                 0x41e0000000000000,
                                 0xc1e0000000200000,
                                 0x7fefffffffffffff,
                                 0x7ff0000000000000,
                                 0xfff0000000000000,
                                 0x7ff8000000000000,
                                 0x7ff0000000000001,
                                 0x47efffffefffffff,
                                 0x36a0000000000000};
enum { kDoubles = sizeof doubleBits / sizeof doubleBits[0] };

#define SHOW_CONVERT(instruction, type, constraint, conversion)                                          \
  {                                                                                                      \
    type r;                                                                                              \
    u64 flags;                                                                                           \
    __asm__ volatile("fsflags zero\n" instruction "\nfrflags %1" : constraint(r), "=r"(flags) : "f"(a)); \
    show(instruction, conversion(r));                                                                    \
    show(" flags", flags);                                                                               \
  }
#define IDENTITY(v) ((u64)(v))

int main(void) {
  for (int i = -20; i <= 20; ++i) show("exp", bitsOfDouble(exponential(i * 0.7)));
  for (int i = 1; i < 20; ++i) show("root", bitsOfFloat(rootOf((float)i * 1.37f)));
  solve();
  for (int i = 0; i < kDoubles; ++i) {
    const double a = __builtin_bit_cast(double, doubleBits[i]);
    SHOW_CONVERT("fcvt.w.d %0, %2, rtz", i64, "=r", IDENTITY)
    SHOW_CONVERT("fcvt.wu.d %0, %2, rup", i64, "=r", IDENTITY)
    SHOW_CONVERT("fcvt.l.d %0, %2, rne", i64, "=r", IDENTITY)
    SHOW_CONVERT("fcvt.lu.d %0, %2, rdn", i64, "=r", IDENTITY)
    SHOW_CONVERT("fcvt.s.d %0, %2, rmm", float, "=f", bitsOfFloat)
    SHOW_CONVERT("fclass.d %0, %2", i64, "=r", IDENTITY)
    SHOW_CONVERT("fsqrt.d %0, %2", double, "=f", bitsOfDouble) for (int j = 0; j < kDoubles; ++j) {
      const double b = __builtin_bit_cast(double, doubleBits[j]);
      show("compare", (u64)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3));
      double low, high, fused;
      __asm__("fmadd.d %0, %1, %2, %1" : "=f"(fused) : "f"(a), "f"(b));
      __asm__("fmin.d %0, %2, %3\nfmax.d %1, %2, %3" : "=&f"(low), "=&f"(high) : "f"(a), "f"(b));
      show("min", bitsOfDouble(low)), show("max", bitsOfDouble(high));
      show("ops", bitsOfDouble(a + b) ^ bitsOfDouble(a * b) * 3 ^ bitsOfDouble(a / b) * 5 ^ bitsOfDouble(fused) * 7);
    }
  }
  u64 flags;
  __asm__ volatile("frflags %0" : "=r"(flags));
  show("flags", flags);
  return 0;
}
