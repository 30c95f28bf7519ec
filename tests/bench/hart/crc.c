//===- crc.c - CRC-32 for the instruction rate of the hart ------------------===//
// Table-driven, byte by byte.
#include "program.h"

static u32 table[256];
static u8 data[65536];

int main(void) {
  for (u32 i = 0; i < 256; ++i) {
    u32 c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  u64 state = 3;
  for (unsigned i = 0; i < sizeof data; ++i) data[i] = (u8)nextRandom(&state);
  u32 c = ~0u;
  for (int round = 0; round < 400; ++round)
    for (unsigned i = 0; i < sizeof data; ++i) c = table[(c ^ data[i]) & 255] ^ c >> 8;
  show("crc", ~c);
  return 0;
}
