//===- ScalarAssembler.h - a few encodings for tests ------------------------===//
// So that timing tests can state their instructions without a tool chain.
#pragma once

#include <cstdint>

namespace forerun::sim::core::assembly {

inline constexpr unsigned zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6, a0 = 10, a1 = 11, a2 = 12, a3 = 13, a4 = 14,
                          a5 = 15, a7 = 17;

constexpr std::uint32_t encodeI(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, int immediate) {
  return (static_cast<std::uint32_t>(immediate) & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr std::uint32_t encodeR(unsigned opcode, unsigned funct7, unsigned funct3, unsigned rd, unsigned rs1,
                                unsigned rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr std::uint32_t encodeS(unsigned opcode, unsigned funct3, unsigned rs1, unsigned rs2, int immediate) {
  const auto i = static_cast<std::uint32_t>(immediate);
  return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 31) << 7 | opcode;
}
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, int immediate) { return encodeI(0x13, 0, rd, rs1, immediate); }
constexpr std::uint32_t slli(unsigned rd, unsigned rs1, int shift) { return encodeI(0x13, 1, rd, rs1, shift); }
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) { return encodeR(0x33, 0, 0, rd, rs1, rs2); }
constexpr std::uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2) { return encodeR(0x33, 1, 0, rd, rs1, rs2); }
constexpr std::uint32_t div(unsigned rd, unsigned rs1, unsigned rs2) { return encodeR(0x33, 1, 4, rd, rs1, rs2); }
constexpr std::uint32_t lui(unsigned rd, unsigned upper) { return upper << 12 | rd << 7 | 0x37; }
constexpr std::uint32_t lw(unsigned rd, unsigned rs1, int offset) { return encodeI(0x03, 2, rd, rs1, offset); }
constexpr std::uint32_t ld(unsigned rd, unsigned rs1, int offset) { return encodeI(0x03, 3, rd, rs1, offset); }
constexpr std::uint32_t sw(unsigned rs2, unsigned rs1, int offset) { return encodeS(0x23, 2, rs1, rs2, offset); }
constexpr std::uint32_t sd(unsigned rs2, unsigned rs1, int offset) { return encodeS(0x23, 3, rs1, rs2, offset); }
constexpr std::uint32_t branch(unsigned funct3, unsigned rs1, unsigned rs2, int offset) {
  const auto o = static_cast<std::uint32_t>(offset);
  return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (o >> 1 & 0xf) << 8 |
         (o >> 11 & 1) << 7 | 0x63;
}
constexpr std::uint32_t beq(unsigned rs1, unsigned rs2, int offset) { return branch(0, rs1, rs2, offset); }
constexpr std::uint32_t bne(unsigned rs1, unsigned rs2, int offset) { return branch(1, rs1, rs2, offset); }
constexpr std::uint32_t jalr(unsigned rd, unsigned rs1, int offset) { return encodeI(0x67, 0, rd, rs1, offset); }
constexpr std::uint32_t ret() { return jalr(zero, ra, 0); }
constexpr std::uint32_t amoaddW(unsigned rd, unsigned rs2, unsigned rs1) { return encodeR(0x2f, 0, 2, rd, rs1, rs2); }
constexpr std::uint32_t rdcycle(unsigned rd) { return encodeI(0x73, 2, rd, 0, static_cast<int>(0xc00)); }
inline constexpr std::uint32_t ecall = 0x73, ebreak = 0x100073, fence = 0x0ff0000f, fenceI = 0x100f;

}  // namespace forerun::sim::core::assembly
