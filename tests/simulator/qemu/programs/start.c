//===- start.c - start-up and output of test programs -----------------------===//
// Linked to every test program.
#include "program.h"

static char buffer[65536];
static u64 used;

static void flush(void) {
  hostCall3(64, 1, (long)buffer, (long)used);
  used = 0;
}

void putBytes(const void* bytes, u64 count) {
  const char* from = bytes;
  for (u64 i = 0; i < count; ++i) {
    if (used == sizeof buffer) flush();
    buffer[used++] = from[i];
  }
}
void putText(const char* text) {
  u64 length = 0;
  while (text[length]) ++length;
  putBytes(text, length);
}
void putHex(u64 value) {
  char digits[16];
  for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  putBytes(digits, 16);
}
void show(const char* label, u64 value) {
  putText(label);
  putText(" ");
  putHex(value);
  putText("\n");
}

void* memcpy(void* destination, const void* source, u64 bytes) {
  volatile char* to = destination;
  const char* from = source;
  for (u64 i = 0; i < bytes; ++i) to[i] = from[i];
  return destination;
}
void* memmove(void* destination, const void* source, u64 bytes) {
  volatile char* to = destination;
  const char* from = source;
  if (to < from)
    for (u64 i = 0; i < bytes; ++i) to[i] = from[i];
  else
    for (u64 i = bytes; i-- > 0;) to[i] = from[i];
  return destination;
}
void* memset(void* destination, int value, u64 bytes) {
  volatile char* to = destination;
  for (u64 i = 0; i < bytes; ++i) to[i] = (char)value;
  return destination;
}

__attribute__((used)) static void startC(void) {
  const int code = main();
  flush();
  hostCall3(93, code, 0, 0);
  __builtin_unreachable();
}
__attribute__((naked)) void _start(void) {
  // Relaxed gp-relative addressing needs gp.
  __asm__ volatile(
      ".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nandi sp, sp, -16\ncall startC");
}
