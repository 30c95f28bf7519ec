//===- random.c - runs random instruction sequences and prints all registers ===//
// Linked with a file that forerun-random-program wrote.
#include "program.h"

struct State {
  u64 x[32];
  u64 f[32];
  u64 fcsr;
  u64 body;
  u64 padding[9];
  u8 arena[256];
};
_Static_assert(__builtin_offsetof(struct State, arena) == 600, "the generator knows this offset");

typedef void (*Block)(struct State*);
extern const Block blocks[];

#define EACH(m)                                                                                                      \
  m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) m(14) m(15) m(16) m(17) m(18) m(19) m(20) m(21) m(22) m(23) m(24) \
      m(25) m(26) m(27) m(28) m(29) m(30)
#define EACH_FLOAT(m) m(0) m(1) m(2) m(3) m(4) EACH(m) m(31)
#define LOAD(n) "ld x" #n ", 8*" #n "(tp)\n"
#define STORE(n) "sd x" #n ", 8*" #n "(tp)\n"
#define LOAD_FLOAT(n) "fld f" #n ", 256+8*" #n "(tp)\n"
#define STORE_FLOAT(n) "fsd f" #n ", 256+8*" #n "(tp)\n"

// Entered from a block with t0 = its body, a0 = the state.
__attribute__((naked, used)) static void frame(void) {
  __asm__ volatile(
      ".globl enter\nenter:\n"
      "addi sp, sp, -224\n sd ra, 0(sp)\n sd tp, 8(sp)\n sd s0, 16(sp)\n sd s1, 24(sp)\n sd s2, 32(sp)\n sd s3, 40(sp)\n sd s4, 48(sp)\n sd s5, 56(sp)\n"
      "sd s6, 64(sp)\n sd s7, 72(sp)\n sd s8, 80(sp)\n sd s9, 88(sp)\n sd s10, 96(sp)\n sd s11, 104(sp)\n"
      "fsd fs0, 112(sp)\n fsd fs1, 120(sp)\n fsd fs2, 128(sp)\n fsd fs3, 136(sp)\n fsd fs4, 144(sp)\n fsd fs5, 152(sp)\n fsd fs6, 160(sp)\n fsd fs7, 168(sp)\n"
      "fsd fs8, 176(sp)\n fsd fs9, 184(sp)\n fsd fs10, 192(sp)\n fsd fs11, 200(sp)\n"
      "mv tp, a0\n sd t0, 520(tp)\n ld t0, 512(tp)\n fscsr t0\n" EACH_FLOAT(LOAD_FLOAT)
      "ld x31, 520(tp)\n ld x1, 8(tp)\n" EACH(LOAD) "jr x31\n"
      ".globl leave\nleave:\n"
      "sd x1, 8(tp)\n" EACH(STORE) EACH_FLOAT(STORE_FLOAT) "frcsr t0\n sd t0, 512(tp)\n"
      "ld ra, 0(sp)\n ld tp, 8(sp)\n ld s0, 16(sp)\n ld s1, 24(sp)\n ld s2, 32(sp)\n ld s3, 40(sp)\n ld s4, 48(sp)\n ld s5, 56(sp)\n"
      "ld s6, 64(sp)\n ld s7, 72(sp)\n ld s8, 80(sp)\n ld s9, 88(sp)\n ld s10, 96(sp)\n ld s11, 104(sp)\n"
      "fld fs0, 112(sp)\n fld fs1, 120(sp)\n fld fs2, 128(sp)\n fld fs3, 136(sp)\n fld fs4, 144(sp)\n fld fs5, 152(sp)\n fld fs6, 160(sp)\n fld fs7, 168(sp)\n"
      "fld fs8, 176(sp)\n fld fs9, 184(sp)\n fld fs10, 192(sp)\n fld fs11, 200(sp)\n addi sp, sp, 224\n fscsr zero\n ret\n");
}

static struct State state;
static u64 seed = 77;

static u64 interesting(void) {
  static const u64 edges[] = {
      0, 1, ~0ul, 0x7fffffff, 0x80000000, 0x7ffffffffffffffful, 0x8000000000000000ul, 0xffffffff80000000ul, 3, 64};
  const u64 r = nextRandom(&seed);
  return r % 3 == 0 ? edges[r / 3 % (sizeof edges / sizeof edges[0])] : nextRandom(&seed) >> (r / 3 % 64);
}
static u64 interestingFloat(void) {
  const u64 r = nextRandom(&seed);
  const u64 bits = nextRandom(&seed);
  static const u16 halves[] = {0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00,
                               0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7d00, 0x3555, 0x6400};
  static const u32 singles[] = {0,          0x80000000, 1,          0x7fffff,   0x800000,   0x3f800000,
                                0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00000,
                                0x4f000000, 0x5f000000, 0x3eaaaaab, 0x33800000};
  static const u64 doubles[] = {0,
                                0x8000000000000000ul,
                                1,
                                0x000ffffffffffffful,
                                0x0010000000000000,
                                0x3ff0000000000000,
                                0xbff0000000000000,
                                0x7fefffffffffffff,
                                0x7ff0000000000000,
                                0xfff0000000000000,
                                0x7ff8000000000000,
                                0x7ff4000000000000,
                                0x41e0000000000000,
                                0x43e0000000000000};
  switch (r % 8) {
    case 0:
      return 0xffffffffffff0000ul | halves[r / 8 % 14];
    case 1:
      return 0xffffffffffff0000ul | (bits & 0xffff);
    case 2:
      return 0xffffffff00000000ul | singles[r / 8 % 16];
    case 3:
      return 0xffffffff00000000ul | (bits & 0xffffffff);
    case 4:
      return 0xffffffff00000000ul | (bits & 0x007fffff) |
             (0x3f000000u + (bits >> 40 & 0x01800000));  // magnitudes near each other
    case 5:
      return doubles[r / 8 % 14];
    case 6:
      return (bits & 0x800ffffffffffffful) | (0x3fe0000000000000ul + (r >> 8 & 3) * 0x0010000000000000ul);
    default:
      return bits;
  }
}

static void showRegister(char file, u64 number, u64 value) {
  const char label[] = {file, (char)('0' + number / 10), (char)('0' + number % 10), 0};
  show(label, value);
}

int main(void) {
  for (u64 b = 0; blocks[b]; ++b) {
    for (int i = 0; i < 32; ++i) state.x[i] = interesting(), state.f[i] = interestingFloat();
    for (int i = 0; i < 256; i += 8) {
      const u64 v = interesting();
      for (int k = 0; k < 8; ++k) state.arena[i + k] = (u8)(v >> 8 * k);
    }
    state.fcsr = (nextRandom(&seed) % 5) << 5;
    blocks[b](&state);
    show("block", b);
    for (u64 i = 1; i < 31; ++i)
      if (i != 2 && i != 3 && i != 4) showRegister('x', i, state.x[i]);
    for (u64 i = 0; i < 32; ++i) showRegister('f', i, state.f[i]);
    show("fcsr", state.fcsr);
    u64 h = 0;
    for (int i = 0; i < 256; ++i) h = h * 31 + state.arena[i];
    show("memory", h);
  }
  return 0;
}
