/* VectorOracleGuest.c - runs single vector instructions for VectorOracleTest
 * Reads records (registers, memory, instruction words) from standard input, executes them under QEMU user mode, writes
 * the state back. */
typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned char u8;

/* Layouts shared with VectorOracle.h. */
struct Record {
  u64 words, usesWindow, vtype, avl, vstart, frm, vxrm, x10, x11, f10;
  u32 code[8];
};
struct Result {
  u64 traps, vl, fflags, vxsat, x12, f12, vtype, vstart;
};
enum { kWindowBytes = 4096, kMaxVlenBytes = 128 };

static long call(long number, long a, long b, long c, long d) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
  return a0;
}
static void leave(long code) {
  call(93, code, 0, 0, 0);
  __builtin_unreachable();
}
/* 0 at the end of input. */
static int readAll(void* to, u64 bytes) {
  for (u64 done = 0; done < bytes;) {
    long n = call(63, 0, (long)((u8*)to + done), (long)(bytes - done), 0);
    if (n <= 0) {
      if (done == 0 && n == 0) return 0;
      leave(2);
    }
    done += (u64)n;
  }
  return 1;
}
static void writeAll(const void* from, u64 bytes) {
  for (u64 done = 0; done < bytes;) {
    long n = call(64, 1, (long)((const u8*)from + done), (long)(bytes - done), 0);
    if (n <= 0) leave(3);
    done += (u64)n;
  }
}

static volatile u64 traps;
/* SIGILL: skip the instruction. The program counter is the first register of the machine context, 176 bytes into the
 * user context. */
static void onIllegal(int signal, void* info, void* context) {
  (void)signal, (void)info;
  *(u64*)((u8*)context + 176) += 4;
  ++traps;
}

static struct Record record;
static struct Result result;
static u8 registers[32 * kMaxVlenBytes] __attribute__((aligned(64)));
static u8 window[kWindowBytes] __attribute__((aligned(64)));
static u32 code[1024] __attribute__((aligned(4096))); /* one page, made executable */

/* a0 record, a1 registers, a2 code, a3 result, a4 bytes of 8 registers. */
__attribute__((naked)) static void execute(struct Record* r, u8* v, u32* instructions, struct Result* out, u64 eight) {
  __asm__ volatile(
      "addi sp, sp, -64\n sd ra, 0(sp)\n sd s0, 8(sp)\n sd s1, 16(sp)\n sd s2, 24(sp)\n sd s3, 32(sp)\n sd s4, 40(sp)\n"
      "mv s0, a0\n mv s1, a1\n mv s2, a2\n mv s3, a3\n mv s4, a4\n"
      "mv t0, s1\n vl8re8.v v0, (t0)\n add t0, t0, s4\n vl8re8.v v8, (t0)\n add t0, t0, s4\n vl8re8.v v16, (t0)\n add "
      "t0, t0, s4\n vl8re8.v v24, (t0)\n"
      "ld t0, 16(s0)\n ld t1, 24(s0)\n vsetvl x0, t1, t0\n"
      "ld t0, 40(s0)\n csrw fcsr, x0\n csrw frm, t0\n ld t0, 48(s0)\n csrw vxsat, x0\n csrw vxrm, t0\n"
      "ld a0, 56(s0)\n ld a1, 64(s0)\n fld fa0, 72(s0)\n li a2, 0\n fcvt.d.w fa2, x0\n csrw fflags, x0\n"
      "ld t0, 32(s0)\n csrw vstart, t0\n"
      "jalr s2\n"
      "sd a2, 32(s3)\n fsd fa2, 40(s3)\n csrr t0, vl\n sd t0, 8(s3)\n csrr t0, fflags\n sd t0, 16(s3)\n csrr t0, "
      "vxsat\n sd t0, 24(s3)\n"
      "csrr t0, vtype\n sd t0, 48(s3)\n csrr t0, vstart\n sd t0, 56(s3)\n csrw vstart, x0\n"
      "mv t0, s1\n vs8r.v v0, (t0)\n add t0, t0, s4\n vs8r.v v8, (t0)\n add t0, t0, s4\n vs8r.v v16, (t0)\n add t0, "
      "t0, s4\n vs8r.v v24, (t0)\n"
      "ld ra, 0(sp)\n ld s0, 8(sp)\n ld s1, 16(sp)\n ld s2, 24(sp)\n ld s3, 32(sp)\n ld s4, 40(sp)\n addi sp, sp, 64\n "
      "ret\n");
}

__attribute__((used)) static void run(void) {
  struct {
    void (*handler)(int, void*, void*);
    u64 flags;
    u64 mask[2];
  } action = {onIllegal, 4 /* SA_SIGINFO */, {0, 0}};
  if (call(134, 4 /* SIGILL */, (long)&action, 0, 8) != 0) leave(4);
  if (call(226, (long)code, sizeof code, 7 /* read, write, execute */, 0) != 0) leave(5);
  u64 vlenb;
  __asm__ volatile("csrr %0, vlenb" : "=r"(vlenb));
  while (readAll(&record, sizeof record)) {
    if (!readAll(registers, 32 * vlenb)) leave(6);
    if (record.usesWindow) {
      if (!readAll(window, kWindowBytes)) leave(7);
      record.x10 += (u64)window;
    }
    for (u64 i = 0; i < record.words; ++i) code[i] = record.code[i];
    code[record.words] = 0x00008067; /* ret */
    __asm__ volatile("fence.i" ::: "memory");
    traps = 0;
    execute(&record, registers, code, &result, 8 * vlenb);
    result.traps = traps;
    writeAll(&result, sizeof result);
    writeAll(registers, 32 * vlenb);
    if (record.usesWindow) writeAll(window, kWindowBytes);
  }
  leave(0);
}

__attribute__((naked)) void _start(void) { __asm__ volatile("andi sp, sp, -16\n call run\n"); }
