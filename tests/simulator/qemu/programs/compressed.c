//===- compressed.c - every 16-bit instruction ------------------------------===//
// Written out, because the compiler picks only some of them.
#include "program.h"

static u64 frame[64];

int main(void) {
  u64 state = 21, out[12];
  for (int i = 0; i < 64; ++i) frame[i] = nextRandom(&state);
  __asm__ volatile(
      ".option push\n.option rvc\n"
      "c.mv s1, sp\n mv sp, %0\n mv a0, %0\n mv a5, %0\n"
      "c.ld a1, 8(a0)\n c.lw a2, 20(a0)\n c.fld fa0, 40(a0)\n c.ldsp a3, 56(sp)\n c.lwsp a4, 76(sp)\n c.fldsp fa1, "
      "88(sp)\n"
      "c.sd a1, 96(a0)\n c.sw a2, 104(a0)\n c.fsd fa0, 112(a0)\n c.sdsp a3, 120(sp)\n c.swsp a4, 128(sp)\n c.fsdsp "
      "fa1, 136(sp)\n"
      "c.addi4spn a5, sp, 144\n c.sub a5, a0\n sd a5, 144(a0)\n"
      "c.li a5, -17\n c.lui a4, 0xfffe1\n c.add a5, a4\n sd a5, 152(a0)\n"
      "c.addi a5, 13\n c.addiw a5, -9\n sd a5, 160(a0)\n"
      "c.slli a1, 33\n sd a1, 168(a0)\n c.srli a1, 17\n sd a1, 176(a0)\n c.srai a3, 40\n sd a3, 184(a0)\n c.andi a3, "
      "-7\n sd a3, 192(a0)\n"
      "c.mv a1, a2\n c.xor a1, a3\n c.or a1, a4\n c.and a1, a5\n c.sub a1, a2\n sd a1, 200(a0)\n"
      "c.addw a1, a2\n c.subw a1, a3\n sd a1, 208(a0)\n"
      "c.addi16sp sp, -64\n c.addi16sp sp, 496\n mv a1, sp\n c.sub a1, a0\n sd a1, 216(a0)\n mv sp, a0\n"
      "c.li a1, 0\n c.beqz a1, 1f\n c.li a1, 1\n 1: sd a1, 224(a0)\n c.li a1, 5\n 2: c.addi a1, -1\n c.bnez a1, 2b\n "
      "sd a1, 232(a0)\n"
      "c.j 3f\n c.ebreak\n 3: la a1, 4f\n c.jr a1\n c.ebreak\n 4: la a1, 5f\n c.jalr a1\n c.ebreak\n 5: c.mv a1, ra\n "
      "la a2, 5b\n c.sub a1, a2\n sd a1, 240(a0)\n"
      "c.nop\n c.mv sp, s1\n.option pop\n"
      :
      : "r"(frame)
      : "a0", "a1", "a2", "a3", "a4", "a5", "s1", "ra", "fa0", "fa1", "memory");
  for (int i = 0; i < 64; ++i) show("frame", frame[i]);
  (void)out;
  return 3;
}
