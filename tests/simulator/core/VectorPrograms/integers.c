//===- integers.c - integer loops that the vectoriser turns into V -----------===//
// Every width, widening and narrowing, shifts, comparisons, selects, reductions, saturation, division.
#include "program.h"

enum { kCount = 1021 };
static u8 a8[kCount], b8[kCount], c8[kCount];
static u16 a16[kCount], b16[kCount], c16[kCount];
static u32 a32[kCount], b32[kCount], c32[kCount];
static u64 a64[kCount], b64[kCount], c64[kCount];

static u64 hash(const void* data, u64 bytes) {
  const u8* p = data;
  u64 h = 0xcbf29ce484222325ul;
#pragma clang loop vectorize(disable)
  for (u64 i = 0; i < bytes; ++i) h = (h ^ p[i]) * 0x100000001b3ul;
  return h;
}

#define LOOPS(T, S, W, a, b, c)                                                                \
  __attribute__((noinline)) static void loops_##T(int n) {                                     \
    for (int i = 0; i < n; ++i) c[i] = (T)(a[i] + 3 * b[i]);                                   \
    show(#T " add", hash(c, sizeof c));                                                        \
    for (int i = 0; i < n; ++i) c[i] = (T)(a[i] * b[i] - (b[i] >> 3));                         \
    show(#T " multiply", hash(c, sizeof c));                                                   \
    for (int i = 0; i < n; ++i) c[i] = (T)((S)a[i] < (S)b[i] ? a[i] ^ b[i] : a[i] & ~b[i]);    \
    show(#T " select", hash(c, sizeof c));                                                     \
    for (int i = 0; i < n; ++i) c[i] = (T)((S)a[i] > (S)b[i] ? a[i] : b[i]);                   \
    show(#T " max", hash(c, sizeof c));                                                        \
    for (int i = 0; i < n; ++i) c[i] = (T)(b[i] ? a[i] / b[i] + a[i] % b[i] : 1);              \
    show(#T " divide", hash(c, sizeof c));                                                     \
    for (int i = 0; i < n; ++i) c[i] = (T)((S)(b[i] | 1) == -1 ? 0 : (S)a[i] / (S)(b[i] | 1)); \
    show(#T " signed divide", hash(c, sizeof c));                                              \
    for (int i = 0; i < n; ++i) c[i] = (T)(((W)a[i] + b[i] + 1) >> 1);                         \
    show(#T " average", hash(c, sizeof c));                                                    \
    for (int i = 0; i < n; ++i) c[i] = (T)((S)a[i] >> (b[i] & 7)) + (T)(a[i] << (b[i] & 5));   \
    show(#T " shifts", hash(c, sizeof c));                                                     \
    for (int i = 0; i < n; ++i) c[i] = __builtin_elementwise_add_sat(a[i], b[i]);              \
    show(#T " saturate", hash(c, sizeof c));                                                   \
    for (int i = 0; i < n; ++i)                                                                \
      if (a[i] > b[i]) c[i] = (T)(c[i] + 5);                                                   \
    show(#T " masked store", hash(c, sizeof c));                                               \
    W sum = 0;                                                                                 \
    T largest = 0, all = (T) ~(T)0, any = 0, odd = 0;                                          \
    u64 hits = 0;                                                                              \
    for (int i = 0; i < n; ++i) sum += (W)a[i] * b[i];                                         \
    for (int i = 0; i < n; ++i) largest = a[i] > largest ? a[i] : largest;                     \
    for (int i = 0; i < n; ++i) all &= (T)(a[i] | b[i]), any |= (T)(a[i] & b[i]), odd ^= c[i]; \
    for (int i = 0; i < n; ++i) hits += a[i] == b[i];                                          \
    show(#T " dot", (u64)sum);                                                                 \
    show(#T " largest", largest);                                                              \
    show(#T " and or xor", (u64)all ^ (u64)any << 7 ^ (u64)odd << 13);                         \
    show(#T " equal", hits);                                                                   \
  }
LOOPS(u8, i8, u16, a8, b8, c8)
LOOPS(u16, i16, u32, a16, b16, c16)
LOOPS(u32, i32, u64, a32, b32, c32)
LOOPS(u64, i64, u64, a64, b64, c64)

__attribute__((noinline)) static void widths(int n) {
  for (int i = 0; i < n; ++i) c64[i] = (u64)(i64)(i8)a8[i] + a16[i];
  show("sign extend", hash(c64, sizeof c64));
  for (int i = 0; i < n; ++i) c32[i] = (u32)((i32)(i16)a16[i] * (i32)(i16)b16[i]);
  show("widening product", hash(c32, sizeof c32));
  for (int i = 0; i < n; ++i) c8[i] = (u8)(a32[i] >> 13);
  show("narrow", hash(c8, sizeof c8));
  for (int i = 0; i < n; ++i) c16[i] = (u16)(a64[i] >> (b16[i] & 63));
  show("narrowing shift", hash(c16, sizeof c16));
  i64 sum = 0;
  for (int i = 0; i < n; ++i) sum += (i8)a8[i] * (i16)b16[i];
  show("mixed dot", (u64)sum);
}

int main(void) {
  u64 state = 7;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kCount; ++i) {
      const u64 r = nextRandom(&state), s = nextRandom(&state);
      a8[i] = (u8)r, b8[i] = (u8)s, a16[i] = (u16)r, b16[i] = (u16)(s % 5 ? s : r), a32[i] = (u32)(r >> 7),
      b32[i] = (u32)(s >> (r & 31));
      a64[i] = r, b64[i] = s >> (r & 63);
      c8[i] = 0, c16[i] = 0, c32[i] = 0, c64[i] = 0;
    }
    const int n = round == 0 ? kCount : round == 1 ? 64 : 5;
    loops_u8(n), loops_u16(n), loops_u32(n), loops_u64(n), widths(n);
  }
  return 0;
}
