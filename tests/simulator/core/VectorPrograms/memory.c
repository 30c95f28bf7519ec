//===- memory.c - access patterns that the vectoriser turns into V ------------===//
// Strings (fault-only-first by hand), strided, indexed and segment accesses, reversal, table look-up, transposition.
#include "program.h"

enum { kCount = 777 };
static u8 text[4096], other[4096];
static u32 words[4 * kCount], gathered[kCount], indices[kCount];
static struct {
  u8 r, g, b;
} pixels[kCount];
static struct {
  float x, y;
} points[kCount];
static u16 grey[kCount];
static float lengths[kCount];
static double square[48][48], turned[48][48];

static u64 hash(const void* data, u64 bytes) {
  const u8* p = data;
  u64 h = 0xcbf29ce484222325ul;
#pragma clang loop vectorize(disable)
  for (u64 i = 0; i < bytes; ++i) h = (h ^ p[i]) * 0x100000001b3ul;
  return h;
}

/// strlen as the V specification's example has it.
__attribute__((noinline)) static u64 lengthOf(const u8* s) {
  u64 length;
  __asm__ volatile(
      "mv t0, %1\n"
      "1: vsetvli t1, x0, e8, m8, ta, ma\n"
      "vle8ff.v v8, (t0)\n"
      "csrr t1, vl\n"
      "vmseq.vi v0, v8, 0\n"
      "vfirst.m t2, v0\n"
      "add t0, t0, t1\n"
      "bltz t2, 1b\n"
      "sub t0, t0, t1\n add t0, t0, t2\n sub %0, t0, %1\n"
      : "=&r"(length)
      : "r"(s)
      : "t0", "t1", "t2", "memory", "v0", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15");
  return length;
}

__attribute__((noinline)) static void patterns(int n) {
  for (int i = 0; i < n; ++i) gathered[i] = words[3 * i] ^ words[4 * i + 1];
  show("strided load", hash(gathered, sizeof gathered));
  for (int i = 0; i < n; ++i) words[2 * i] = gathered[i] + (u32)i;
  show("strided store", hash(words, sizeof words));
  for (int i = 0; i < n; ++i) gathered[i] = words[indices[i]] * 3;
  show("gather", hash(gathered, sizeof gathered));
#pragma clang loop vectorize(assume_safety)
  for (int i = 0; i < n; ++i) words[indices[i]] = (u32)i;
  show("scatter", hash(words, sizeof words));
  for (int i = 0; i < n; ++i) gathered[i] = words[n - 1 - i];
  show("reverse", hash(gathered, sizeof gathered));
  for (int i = 0; i < n; ++i) grey[i] = (u16)(pixels[i].r * 77 + pixels[i].g * 150 + pixels[i].b * 29);
  show("segments of three", hash(grey, sizeof grey));
  for (int i = 0; i < n; ++i) pixels[i].r = (u8)(grey[i] >> 8), pixels[i].g = (u8)grey[i], pixels[i].b ^= 3;
  show("segment store", hash(pixels, sizeof pixels));
  for (int i = 0; i < n; ++i) lengths[i] = points[i].x * points[i].x + points[i].y * points[i].y;
  show("segments of two", hash(lengths, sizeof lengths));
  for (int i = 0; i < n; ++i)
    if (pixels[i].r & 1) gathered[i] = words[indices[i]];
  show("masked gather", hash(gathered, sizeof gathered));
}

int main(void) {
  u64 state = 3;
  for (int i = 0; i < 4095; ++i) text[i] = (u8)(1 + nextRandom(&state) % 255);
  for (int i = 0; i < 40; ++i) {
    const u64 at = nextRandom(&state) % 4000;
    const u8 kept = text[at];
    text[at] = 0;
    show("length", lengthOf(text + at / 3));
    text[at] = kept;
  }
  memcpy(other, text, 4096);
  memmove(other + 17, other, 3000);
  memset(other + 100, 0x5a, 333);
  show("moved", hash(other, sizeof other));
  u64 differing = 0;
  for (int i = 0; i < 4096; ++i) differing += text[i] != other[i];
  show("differing", differing);
  for (int i = 0; i < 4 * kCount; ++i) words[i] = (u32)nextRandom(&state);
  for (int i = 0; i < kCount; ++i) {
    indices[i] = (u32)((u64)i * 389 % (4 * kCount - 1));
    pixels[i].r = (u8)nextRandom(&state), pixels[i].g = (u8)nextRandom(&state), pixels[i].b = (u8)nextRandom(&state);
    points[i].x = (float)(i32)nextRandom(&state) * 0x1p-24f, points[i].y = (float)(i32)nextRandom(&state) * 0x1p-24f;
  }
  patterns(kCount);
  patterns(19);
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 48; ++j) square[i][j] = (double)(i64)nextRandom(&state) * 0x1p-50;
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 48; ++j) turned[j][i] = square[i][j];
  show("transposed", hash(turned, sizeof turned));
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 48; ++j) {
      double sum = 0;
      for (int k = 0; k < 48; ++k) sum += square[i][k] * turned[k][j];
      show("product", bitsOfDouble(sum));
    }
  return 0;
}
