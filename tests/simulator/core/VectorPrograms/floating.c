//===- floating.c - float loops that the vectoriser turns into V -------------===//
// f16, f32 and f64: arithmetic, fused multiply-add, comparisons, reductions, conversions between widths and from
// integers. Conversions to integers are kept scalar, because QEMU 7.2 stops at vfcvt.rtz.
#include "program.h"

enum { kCount = 509 };
typedef _Float16 f16;
static f16 ah[kCount], bh[kCount], ch[kCount];
static float as[kCount], bs[kCount], cs[kCount];
static double ad[kCount], bd[kCount], cd[kCount];
static i32 whole[kCount];

static u64 hash(const void* data, u64 bytes) {
  const u8* p = data;
  u64 h = 0xcbf29ce484222325ul;
#pragma clang loop vectorize(disable)
  for (u64 i = 0; i < bytes; ++i) h = (h ^ p[i]) * 0x100000001b3ul;
  return h;
}

#define LOOPS(T, a, b, c, root)                                                 \
  __attribute__((noinline)) static void loops_##T(int n) {                      \
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i] * (T)2.5;                    \
    show(#T " fused", hash(c, sizeof c));                                       \
    for (int i = 0; i < n; ++i) c[i] = (a[i] - b[i]) / (b[i] * b[i] + (T)1);    \
    show(#T " quotient", hash(c, sizeof c));                                    \
    for (int i = 0; i < n; ++i) c[i] = root(a[i] < 0 ? -a[i] : a[i]);           \
    show(#T " root", hash(c, sizeof c));                                        \
    for (int i = 0; i < n; ++i) c[i] = a[i] < b[i] ? a[i] * a[i] - b[i] : b[i]; \
    show(#T " select", hash(c, sizeof c));                                      \
    for (int i = 0; i < n; ++i)                                                 \
      if (a[i] >= b[i]) c[i] = c[i] * a[i];                                     \
    show(#T " masked", hash(c, sizeof c));                                      \
    T ordered = 0;                                                              \
    for (int i = 0; i < n; ++i) ordered += a[i];                                \
    const double copy = (double)ordered;                                        \
    show(#T " ordered sum", bitsOfDouble(copy));                                \
    for (int i = 0; i < n; ++i) c[i] = (T)whole[i] + a[i];                      \
    show(#T " from int", hash(c, sizeof c));                                    \
  }
static inline f16 rootHalf(f16 x) { return (f16)__builtin_sqrtf((float)x); }
LOOPS(f16, ah, bh, ch, rootHalf)
LOOPS(float, as, bs, cs, __builtin_sqrtf)
LOOPS(double, ad, bd, cd, __builtin_sqrt)

__attribute__((noinline)) static void widths(int n) {
  for (int i = 0; i < n; ++i) cs[i] = (float)ah[i] * (float)bh[i] + as[i];
  show("half product in single", hash(cs, sizeof cs));
  for (int i = 0; i < n; ++i) cd[i] = (double)as[i] * bs[i] + ad[i];
  show("single product in double", hash(cd, sizeof cd));
  for (int i = 0; i < n; ++i) ch[i] = (f16)as[i];
  show("to half", hash(ch, sizeof ch));
  for (int i = 0; i < n; ++i) cs[i] = (float)ad[i];
  show("to single", hash(cs, sizeof cs));
}

int main(void) {
  u64 state = 11;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kCount; ++i) {
      const i64 r = (i64)nextRandom(&state), s = (i64)nextRandom(&state);
      ad[i] = (double)r * 0x1p-60, bd[i] = (double)s * 0x1p-62;
      as[i] = (float)ad[i], bs[i] = (float)bd[i], ah[i] = (f16)as[i], bh[i] = (f16)bs[i];
      whole[i] = (i32)(r >> (34 + (s & 15)));
      cd[i] = 0, cs[i] = 0, ch[i] = 0;
    }
    const int n = round == 0 ? kCount : round == 1 ? 33 : 3;
    loops_f16(n), loops_float(n), loops_double(n), widths(n);
  }
  return 0;
}
