//===- program.h - what test programs need of a C library -------------------===//
// Start-up, host calls and printing for programs that run under QEMU user mode and under the simulator alike.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;

static inline long hostCall3(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

void* memcpy(void* destination, const void* source, u64 bytes);
void* memmove(void* destination, const void* source, u64 bytes);
void* memset(void* destination, int value, u64 bytes);

/// Output is gathered and written at exit or when full.
void putBytes(const void* bytes, u64 count);
void putText(const char* text);
void putHex(u64 value);
/// "label value\n"
void show(const char* label, u64 value);
static inline u64 bitsOfDouble(double v) { return __builtin_bit_cast(u64, v); }
static inline u64 bitsOfFloat(float v) { return __builtin_bit_cast(u32, v); }

/// A fixed sequence of numbers.
static inline u64 nextRandom(u64* state) {
  u64 x = *state += 0x9e3779b97f4a7c15ul;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
  return x ^ (x >> 31);
}

int main(void);
