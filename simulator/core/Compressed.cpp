//===- Compressed.cpp - 16-bit encodings as their 32-bit equivalents --------===//
// Follows the RVC quadrant tables of the unprivileged specification, RV64 columns.
#include "simulator/core/Compressed.h"

namespace forerun::sim::core {
namespace {

constexpr std::uint32_t kLoad = 0x03, kLoadFp = 0x07, kOpImm = 0x13, kOpImm32 = 0x1b, kStore = 0x23, kStoreFp = 0x27,
                        kOp = 0x33, kLui = 0x37, kOp32 = 0x3b, kBranch = 0x63, kJalr = 0x67, kJal = 0x6f;

std::uint32_t iType(std::uint32_t opcode, unsigned funct3, unsigned rd, unsigned rs1, std::int32_t immediate) {
  return (static_cast<std::uint32_t>(immediate) & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
std::uint32_t sType(std::uint32_t opcode, unsigned funct3, unsigned rs1, unsigned rs2, std::uint32_t immediate) {
  return (immediate >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (immediate & 0x1f) << 7 | opcode;
}
std::uint32_t rType(std::uint32_t opcode, unsigned funct7, unsigned funct3, unsigned rd, unsigned rs1, unsigned rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
std::uint32_t bType(unsigned funct3, unsigned rs1, std::int32_t offset) {
  const auto o = static_cast<std::uint32_t>(offset);
  return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | rs1 << 15 | funct3 << 12 | (o >> 1 & 0xf) << 8 |
         (o >> 11 & 1) << 7 | kBranch;
}
std::uint32_t jType(unsigned rd, std::int32_t offset) {
  const auto o = static_cast<std::uint32_t>(offset);
  return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xff) << 12 | rd << 7 | kJal;
}

/// Bit `from` of the encoding, moved to bit `to`.
std::uint32_t bit(std::uint16_t c, unsigned from, unsigned to) {
  return (static_cast<std::uint32_t>(c) >> from & 1) << to;
}
std::uint32_t field(std::uint16_t c, unsigned low, unsigned width) {
  return static_cast<std::uint32_t>(c) >> low & ((1u << width) - 1);
}
std::int32_t signExtend(std::uint32_t value, unsigned width) {
  return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

std::optional<std::uint32_t> quadrant0(std::uint16_t c, unsigned funct3) {
  const unsigned low = 8 + field(c, 2, 3), base = 8 + field(c, 7, 3);  // rd' or rs2', rs1'
  const std::uint32_t word = field(c, 10, 3) << 3 | bit(c, 6, 2) | bit(c, 5, 6);
  const std::uint32_t doubleword = field(c, 10, 3) << 3 | field(c, 5, 2) << 6;
  switch (funct3) {
    case 0: {
      const std::uint32_t immediate = field(c, 11, 2) << 4 | field(c, 7, 4) << 6 | bit(c, 6, 2) | bit(c, 5, 3);
      if (immediate == 0) return std::nullopt;
      return iType(kOpImm, 0, low, 2, static_cast<std::int32_t>(immediate));
    }
    case 1:
      return iType(kLoadFp, 3, low, base, static_cast<std::int32_t>(doubleword));
    case 2:
      return iType(kLoad, 2, low, base, static_cast<std::int32_t>(word));
    case 3:
      return iType(kLoad, 3, low, base, static_cast<std::int32_t>(doubleword));
    case 5:
      return sType(kStoreFp, 3, base, low, doubleword);
    case 6:
      return sType(kStore, 2, base, low, word);
    case 7:
      return sType(kStore, 3, base, low, doubleword);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint32_t> arithmetic(std::uint16_t c, std::int32_t immediate) {
  const unsigned rd = 8 + field(c, 7, 3), rs2 = 8 + field(c, 2, 3);
  const std::int32_t shift = immediate & 0x3f;
  switch (field(c, 10, 2)) {
    case 0:
      return iType(kOpImm, 5, rd, rd, shift);
    case 1:
      return iType(kOpImm, 5, rd, rd, shift | 0x400);
    case 2:
      return iType(kOpImm, 7, rd, rd, immediate);
    default:
      break;
  }
  const unsigned operation = field(c, 5, 2);
  if (bit(c, 12, 0)) {
    if (operation > 1) return std::nullopt;
    return rType(kOp32, operation == 0 ? 0x20 : 0, 0, rd, rd, rs2);
  }
  static constexpr unsigned kFunct3[] = {0, 4, 6, 7};
  return rType(kOp, operation == 0 ? 0x20 : 0, kFunct3[operation], rd, rd, rs2);
}

std::optional<std::uint32_t> quadrant1(std::uint16_t c, unsigned funct3) {
  const unsigned rd = field(c, 7, 5), rs1 = 8 + field(c, 7, 3);
  const std::int32_t immediate = signExtend(bit(c, 12, 5) | field(c, 2, 5), 6);
  switch (funct3) {
    case 0:
      return iType(kOpImm, 0, rd, rd, immediate);
    case 1:
      return rd == 0 ? std::nullopt : std::optional(iType(kOpImm32, 0, rd, rd, immediate));
    case 2:
      return iType(kOpImm, 0, rd, 0, immediate);
    case 3:
      if (immediate == 0) return std::nullopt;
      if (rd == 2) {
        const std::int32_t adjust =
            signExtend(bit(c, 12, 9) | bit(c, 6, 4) | bit(c, 5, 6) | field(c, 3, 2) << 7 | bit(c, 2, 5), 10);
        return iType(kOpImm, 0, 2, 2, adjust);
      }
      return (static_cast<std::uint32_t>(immediate) & 0xfffff) << 12 | rd << 7 | kLui;
    case 4:
      return arithmetic(c, immediate);
    case 5: {
      const std::uint32_t offset = bit(c, 12, 11) | bit(c, 11, 4) | field(c, 9, 2) << 8 | bit(c, 8, 10) | bit(c, 7, 6) |
                                   bit(c, 6, 7) | field(c, 3, 3) << 1 | bit(c, 2, 5);
      return jType(0, signExtend(offset, 12));
    }
    default: {
      const std::uint32_t offset =
          bit(c, 12, 8) | field(c, 10, 2) << 3 | field(c, 5, 2) << 6 | field(c, 3, 2) << 1 | bit(c, 2, 5);
      return bType(funct3 == 6 ? 0 : 1, rs1, signExtend(offset, 9));
    }
  }
}

std::optional<std::uint32_t> quadrant2(std::uint16_t c, unsigned funct3) {
  const unsigned rd = field(c, 7, 5), rs2 = field(c, 2, 5);
  const std::uint32_t loadWord = bit(c, 12, 5) | field(c, 4, 3) << 2 | field(c, 2, 2) << 6;
  const std::uint32_t loadDoubleword = bit(c, 12, 5) | field(c, 5, 2) << 3 | field(c, 2, 3) << 6;
  const std::uint32_t storeWord = field(c, 9, 4) << 2 | field(c, 7, 2) << 6;
  const std::uint32_t storeDoubleword = field(c, 10, 3) << 3 | field(c, 7, 3) << 6;
  switch (funct3) {
    case 0:
      return iType(kOpImm, 1, rd, rd, static_cast<std::int32_t>(bit(c, 12, 5) | rs2));
    case 1:
      return iType(kLoadFp, 3, rd, 2, static_cast<std::int32_t>(loadDoubleword));
    case 2:
      return rd == 0 ? std::nullopt : std::optional(iType(kLoad, 2, rd, 2, static_cast<std::int32_t>(loadWord)));
    case 3:
      return rd == 0 ? std::nullopt : std::optional(iType(kLoad, 3, rd, 2, static_cast<std::int32_t>(loadDoubleword)));
    case 4:
      if (bit(c, 12, 0)) {
        if (rs2) return rType(kOp, 0, 0, rd, rd, rs2);
        return rd ? iType(kJalr, 0, 1, rd, 0) : 0x00100073;  // c.jalr, c.ebreak
      }
      if (rs2) return iType(kOpImm, 0, rd, rs2, 0);  // c.mv as `mv` is assembled: one source
      return rd ? std::optional(iType(kJalr, 0, 0, rd, 0)) : std::nullopt;
    case 5:
      return sType(kStoreFp, 3, 2, rs2, storeDoubleword);
    case 6:
      return sType(kStore, 2, 2, rs2, storeWord);
    default:
      return sType(kStore, 3, 2, rs2, storeDoubleword);
  }
}

}  // namespace

std::optional<std::uint32_t> expandCompressed(std::uint16_t encoding) {
  const unsigned funct3 = encoding >> 13;
  switch (encoding & 3) {
    case 0:
      return quadrant0(encoding, funct3);
    case 1:
      return quadrant1(encoding, funct3);
    case 2:
      return quadrant2(encoding, funct3);
    default:
      return std::nullopt;
  }
}

}  // namespace forerun::sim::core
