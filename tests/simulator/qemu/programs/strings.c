//===- strings.c - searching and comparing strings --------------------------===//
// Byte loads, byte stores and short unpredictable branches.
#include "program.h"

static char text[20000];

static i64 find(const char* hay, u64 length, const char* needle, u64 needleLength) {
  if (needleLength == 0) return 0;
  u64 skip[256];
  for (int i = 0; i < 256; ++i) skip[i] = needleLength;
  for (u64 i = 0; i + 1 < needleLength; ++i) skip[(u8)needle[i]] = needleLength - 1 - i;
  for (u64 at = 0; at + needleLength <= length; at += skip[(u8)hay[at + needleLength - 1]]) {
    u64 i = needleLength;
    while (i && hay[at + i - 1] == needle[i - 1]) --i;
    if (!i) return (i64)at;
  }
  return -1;
}
static u64 lengthOf(const char* s) {
  u64 n = 0;
  while (s[n]) ++n;
  return n;
}
static void reverse(char* s, u64 n) {
  for (u64 i = 0; i < n / 2; ++i) {
    const char t = s[i];
    s[i] = s[n - 1 - i];
    s[n - 1 - i] = t;
  }
}
static u64 parse(const char* s) {
  u64 v = 0;
  while (*s >= '0' && *s <= '9') v = v * 10 + (u64)(*s++ - '0');
  return v;
}

int main(void) {
  u64 state = 5;
  for (unsigned i = 0; i < sizeof text - 1; ++i) text[i] = (char)('a' + nextRandom(&state) % 4);
  static const char* needles[] = {"a", "abcd", "abcabc", "ddddd", "abcdabcda", "z", "cabbage"};
  for (unsigned i = 0; i < sizeof needles / sizeof needles[0]; ++i) {
    i64 from = 0;
    for (int k = 0; k < 5; ++k) {
      const i64 at = find(text + from, sizeof text - 1 - (u64)from, needles[i], lengthOf(needles[i]));
      show(needles[i], (u64)at);
      if (at < 0) break;
      from += at + 1;
    }
  }
  reverse(text, 1000);
  putBytes(text, 1000);
  putText("\n");
  show("parse", parse("18446744073709551615x"));
  return 0;
}
