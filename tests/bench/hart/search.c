//===- search.c - string search for the instruction rate of the hart --------===//
// Naive and skipping search over text with few letters.
#include "program.h"

static char text[100000];

static u64 countNaive(const char* needle, u64 length) {
  u64 found = 0;
  for (u64 at = 0; at + length <= sizeof text; ++at) {
    u64 i = 0;
    while (i < length && text[at + i] == needle[i]) ++i;
    found += i == length;
  }
  return found;
}
static u64 countSkipping(const char* needle, u64 length) {
  u64 skip[256], found = 0;
  for (int i = 0; i < 256; ++i) skip[i] = length;
  for (u64 i = 0; i + 1 < length; ++i) skip[(u8)needle[i]] = length - 1 - i;
  for (u64 at = 0; at + length <= sizeof text; at += skip[(u8)text[at + length - 1]]) {
    u64 i = length;
    while (i && text[at + i - 1] == needle[i - 1]) --i;
    found += i == 0;
  }
  return found;
}

int main(void) {
  u64 state = 5, found = 0;
  for (unsigned i = 0; i < sizeof text; ++i) text[i] = (char)('a' + nextRandom(&state) % 8);
  for (int round = 0; round < 40; ++round) {
    found += countNaive("abcdef", 6);
    found += countSkipping("habcde", 6);
  }
  show("found", found);
  return 0;
}
