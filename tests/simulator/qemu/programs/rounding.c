//===- rounding.c - every rounding mode on operands that need it ------------===//
// Ties, tiny results, overflow and cancellation in all formats; results and flags of each operation, over all pairs of
// edges.
#include "program.h"

static const u16 halves[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x03ff, 0x0400, 0x0401, 0x8400, 0x3800,
                             0x3bff, 0x3c00, 0x3c01, 0xbc00, 0xbc01, 0x4200, 0x1400, 0x1000, 0x1001, 0x9000,
                             0x6800, 0x6801, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0x0800, 0x3555};
static const u32 singles[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x007fffff, 0x00800000, 0x00800001, 0x80800000,
    0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0xbf800000, 0xbf800001, 0x40400000, 0x34000000, 0x33800000,
    0x33800001, 0xb3800000, 0x4b800000, 0x4b800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0x7fa00001, 0x01000000, 0x3eaaaaab, 0x387fe000, 0x33000000, 0x477ff000, 0x7f000000, 0x1fffffff, 0x20000001};
static const u64 doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x0010000000000001, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
    0x3ff0000000000001, 0xbff0000000000000, 0xbff0000000000001, 0x4008000000000000, 0x3cb0000000000000,
    0x3ca0000000000000, 0x3ca0000000000001, 0xbca0000000000000, 0x4340000000000000, 0x4340000000000001,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0x7ff0000000000001, 0x0020000000000000, 0x3fd5555555555555, 0x36a0000000000000, 0x3690000000000001,
    0x47efffffefffffff, 0x47effffff0000000, 0x41dfffffffe00000, 0x43dfffffffffffff, 0xc3e0000000000000,
    0x3e70000000000000, 0x40effe0000000000, 0x1fffffffffffffff, 0x2000000000000001};

static u64 hash;
static void mix(u64 v) { hash = (hash ^ v) * 0x9e3779b97f4a7c15ul, hash ^= hash >> 29; }

#define OPERATE(text, inputs...)                                          \
  {                                                                       \
    double r;                                                             \
    u64 flags, bits;                                                      \
    __asm__ volatile("fsflags zero\n" text "\nfrflags %1\nfmv.x.d %2, %0" \
                     : "=&f"(r), "=&r"(flags), "=&r"(bits)                \
                     : inputs);                                           \
    mix(bits), mix(flags);                                                \
  }
#define TO_INTEGER(text, a)                                                                   \
  {                                                                                           \
    u64 r, flags;                                                                             \
    __asm__ volatile("fsflags zero\n" text "\nfrflags %1" : "=&r"(r), "=&r"(flags) : "f"(a)); \
    mix(r), mix(flags);                                                                       \
  }
#define FORMAT(name, f, values, count, boxed)                                                  \
  static void name(void) {                                                                     \
    for (int i = 0; i < count; ++i) {                                                          \
      const double a = __builtin_bit_cast(double, boxed(values[i]));                           \
      hash = 0;                                                                                \
      OPERATE("fsqrt." f " %0, %3", "f"(a))                                                    \
      TO_INTEGER("fcvt.w." f " %0, %2, dyn", a)                                                \
      TO_INTEGER("fcvt.wu." f " %0, %2, dyn", a)                                               \
      TO_INTEGER("fcvt.l." f " %0, %2, dyn", a)                                                \
      TO_INTEGER("fcvt.lu." f " %0, %2, dyn", a) show(f " one operand", hash);                 \
      for (int j = 0; j < count; ++j) {                                                        \
        const double b = __builtin_bit_cast(double, boxed(values[j]));                         \
        OPERATE("fadd." f " %0, %3, %4", "f"(a), "f"(b))                                       \
        OPERATE("fsub." f " %0, %3, %4", "f"(a), "f"(b))                                       \
        OPERATE("fmul." f " %0, %3, %4", "f"(a), "f"(b))                                       \
        OPERATE("fdiv." f " %0, %3, %4", "f"(a), "f"(b))                                       \
        OPERATE("fmin." f " %0, %3, %4", "f"(a), "f"(b))                                       \
        OPERATE("fmax." f " %0, %3, %4", "f"(a), "f"(b)) TO_INTEGER("feq." f " %0, %2, %2", a) \
      }                                                                                        \
      show(f " two operands", hash);                                                           \
      for (int j = 0; j < count; ++j)                                                          \
        for (int k = 0; k < count; ++k) {                                                      \
          const double b = __builtin_bit_cast(double, boxed(values[j])),                       \
                       c = __builtin_bit_cast(double, boxed(values[k]));                       \
          OPERATE("fmadd." f " %0, %3, %4, %5", "f"(a), "f"(b), "f"(c))                        \
          OPERATE("fnmsub." f " %0, %3, %4, %5", "f"(a), "f"(b), "f"(c))                       \
        }                                                                                      \
      show(f " three operands", hash);                                                         \
    }                                                                                          \
  }
#define BOX16(v) (0xffffffffffff0000ul | (v))
#define BOX32(v) (0xffffffff00000000ul | (v))
#define BOX64(v) ((u64)(v))
enum {
  kHalves = sizeof halves / sizeof halves[0],
  kSingles = sizeof singles / sizeof singles[0],
  kDoubles = sizeof doubles / sizeof doubles[0]
};
FORMAT(allHalves, "h", halves, kHalves, BOX16)
FORMAT(allSingles, "s", singles, kSingles, BOX32)
FORMAT(allDoubles, "d", doubles, kDoubles, BOX64)

static void conversions(void) {
  hash = 0;
  for (int i = 0; i < kDoubles; ++i) {
    const double a = __builtin_bit_cast(double, doubles[i]);
    OPERATE("fcvt.s.d %0, %3", "f"(a)) OPERATE("fcvt.h.d %0, %3", "f"(a)) const u64 n = doubles[i] >> (i % 13);
    OPERATE("fcvt.s.l %0, %3", "r"(n))
    OPERATE("fcvt.s.lu %0, %3", "r"(n))
    OPERATE("fcvt.d.l %0, %3", "r"(n))
    OPERATE("fcvt.d.lu %0, %3", "r"(n))
    OPERATE("fcvt.h.l %0, %3", "r"(n))
    OPERATE("fcvt.h.lu %0, %3", "r"(n)) OPERATE("fcvt.s.w %0, %3", "r"(n)) OPERATE("fcvt.h.wu %0, %3", "r"(n))
  }
  for (int i = 0; i < kSingles; ++i) {
    const double a = __builtin_bit_cast(double, BOX32(singles[i]));
    OPERATE("fcvt.h.s %0, %3", "f"(a)) OPERATE("fcvt.d.s %0, %3", "f"(a))
  }
  for (int i = 0; i < kHalves; ++i) {
    const double a = __builtin_bit_cast(double, BOX16(halves[i]));
    OPERATE("fcvt.s.h %0, %3", "f"(a)) OPERATE("fcvt.d.h %0, %3", "f"(a))
  }
  show("conversions", hash);
}

int main(void) {
  for (u64 mode = 0; mode < 5; ++mode) {
    __asm__ volatile("fsrm %0" : : "r"(mode));
    show("mode", mode);
    allHalves(), allSingles(), allDoubles(), conversions();
  }
  return 0;
}
