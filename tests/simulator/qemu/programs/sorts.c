//===- sorts.c - quick, heap and merge sort ---------------------------------===//
// Recursion, indirect calls, integers and doubles.
#include "program.h"

enum { kCount = 3000 };
static i64 values[kCount], scratch[kCount];
static double reals[kCount];

static int ascending(i64 a, i64 b) { return a < b; }
static int byLowByte(i64 a, i64 b) { return (a & 255) != (b & 255) ? (a & 255) < (b & 255) : a < b; }

static void quick(i64* v, i64 low, i64 high, int (*less)(i64, i64)) {
  while (low < high) {
    const i64 pivot = v[(low + high) / 2];
    i64 i = low, j = high;
    while (i <= j) {
      while (less(v[i], pivot)) ++i;
      while (less(pivot, v[j])) --j;
      if (i <= j) {
        const i64 t = v[i];
        v[i++] = v[j];
        v[j--] = t;
      }
    }
    if (j - low < high - i)
      quick(v, low, j, less), low = i;
    else
      quick(v, i, high, less), high = j;
  }
}
static void merge(i64* v, i64* t, u64 n) {
  if (n < 2) return;
  const u64 half = n / 2;
  merge(v, t, half);
  merge(v + half, t, n - half);
  u64 i = 0, j = half, k = 0;
  while (i < half || j < n) t[k++] = j == n || (i < half && v[i] <= v[j]) ? v[i++] : v[j++];
  for (i = 0; i < n; ++i) v[i] = t[i];
}
static void heap(double* v, u64 n) {
  for (u64 end = n, start = n / 2; end > 1;) {
    if (start > 0)
      --start;
    else {
      --end;
      const double t = v[end];
      v[end] = v[0];
      v[0] = t;
    }
    for (u64 root = start, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && v[child] < v[child + 1]) ++child;
      if (!(v[root] < v[child])) break;
      const double t = v[root];
      v[root] = v[child];
      v[child] = t;
    }
  }
}
static void report(const char* label) {
  u64 h = 0;
  for (int i = 0; i < kCount; ++i) h = h * 31 + (u64)values[i];
  show(label, h);
}

int main(void) {
  u64 state = 9;
  for (int i = 0; i < kCount; ++i) values[i] = (i64)nextRandom(&state) >> (i % 50);
  quick(values, 0, kCount - 1, byLowByte);
  report("byLowByte");
  quick(values, 0, kCount - 1, ascending);
  report("ascending");
  for (int i = 0; i < kCount; ++i) values[i] = (i64)(nextRandom(&state) % 1000);
  merge(values, scratch, kCount);
  report("merge");
  for (int i = 0; i < kCount; ++i) reals[i] = (double)(i64)nextRandom(&state) * 0x1p-40;
  heap(reals, kCount);
  for (int i = 0; i < kCount; i += 100) show("heap", bitsOfDouble(reals[i]));
  return 0;
}
