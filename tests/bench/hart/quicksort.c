//===- quicksort.c - sorting for the instruction rate of the hart -----------===//
// Recursion and unpredictable branches.
#include "program.h"

enum { kCount = 65536 };
static i64 values[kCount];

static void quick(i64* v, i64 low, i64 high) {
  while (low < high) {
    const i64 pivot = v[(low + high) / 2];
    i64 i = low, j = high;
    while (i <= j) {
      while (v[i] < pivot) ++i;
      while (pivot < v[j]) --j;
      if (i <= j) {
        const i64 t = v[i];
        v[i++] = v[j];
        v[j--] = t;
      }
    }
    if (j - low < high - i)
      quick(v, low, j), low = i;
    else
      quick(v, i, high), high = j;
  }
}

int main(void) {
  u64 state = 9;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < kCount; ++i) values[i] = (i64)nextRandom(&state);
    quick(values, 0, kCount - 1);
  }
  show("median", (u64)values[kCount / 2]);
  return 0;
}
