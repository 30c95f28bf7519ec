//===- integer.c - integer arithmetic over random and edge operands ---------===//
// Every operation that C has, in all widths and signs.
#include "program.h"

static const u64 edges[] = {0,
                            1,
                            2,
                            3,
                            0x7f,
                            0x80,
                            0xff,
                            0x7fff,
                            0x8000,
                            0xffff,
                            0x7fffffff,
                            0x80000000,
                            0xffffffff,
                            0x7ffffffffffffffful,
                            0x8000000000000000ul,
                            ~0ul,
                            ~1ul,
                            0x123456789abcdef0ul};
enum { kEdges = sizeof edges / sizeof edges[0] };

static u64 sum;
static void mix(u64 v) { sum = (sum << 7 | sum >> 57) ^ (v * 0x9e3779b97f4a7c15ul); }

static void pair(u64 a, u64 b) {
  mix(a + b), mix(a - b), mix(a * b), mix(a & b), mix(a | b), mix(a ^ b), mix(a << (b & 63)), mix(a >> (b & 63)),
      mix((u64)((i64)a >> (b & 63)));
  mix((u64)(u32)((u32)a + (u32)b)), mix((u64)(i64)(i32)((u32)a - (u32)b)), mix((u64)(i64)(i32)((u32)a * (u32)b));
  mix((u64)(i64)(i32)((u32)a << (b & 31))), mix((u32)a >> (b & 31)), mix((u64)(i64)((i32)a >> (b & 31)));
  mix((u64)((unsigned __int128)a * b >> 64)), mix((u64)((__int128)(i64)a * (i64)b >> 64)),
      mix((u64)((__int128)(i64)a * (__int128)b >> 64));
  mix(a < b), mix((i64)a < (i64)b), mix((u32)a < (u32)b), mix((i32)a < (i32)b), mix(a == b),
      mix((u64)(i8)a + (u64)(i16)b), mix((u8)a * (u16)b);
  mix(a + 2047), mix(a - 2048), mix(a & 0x7ff), mix(a | 0x555), mix(a ^ 0x2aa), mix((i64)a < -5), mix(a < 77),
      mix(a * 10 + b * 3);
}

int main(void) {
  for (int i = 0; i < kEdges; ++i) {
    for (int j = 0; j < kEdges; ++j) pair(edges[i], edges[j]);
    show("edges", sum);
  }
  u64 state = 1;
  for (int i = 0; i < 20000; ++i) {
    pair(nextRandom(&state), nextRandom(&state) >> (i & 63));
    if (i % 1000 == 0) show("random", sum);
  }
  show("sum", sum);
  return 7;
}
