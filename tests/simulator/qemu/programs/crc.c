//===- crc.c - checksums ----------------------------------------------------===//
// Table-driven CRC-32, Adler and SHA-256 compression.
#include "program.h"

static u32 table[256];
static u8 data[16384];

static u32 crc32(const u8* p, u64 n) {
  u32 c = ~0u;
  for (u64 i = 0; i < n; ++i) c = table[(c ^ p[i]) & 255] ^ c >> 8;
  return ~c;
}
static u32 adler(const u8* p, u64 n) {
  u32 a = 1, b = 0;
  for (u64 i = 0; i < n; ++i) a = (a + p[i]) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}
static u32 rotate(u32 v, int n) { return v >> n | v << (32 - n); }
static void sha(u32* h, const u8* p) {
  u32 w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = (u32)p[4 * i] << 24 | (u32)p[4 * i + 1] << 16 | (u32)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
  u32 s[8];
  for (int i = 0; i < 8; ++i) s[i] = h[i];
  for (int i = 0; i < 64; ++i) {
    const u32 t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                  0x428a2f98u * (u32)(i + 1) + w[i];
    const u32 u =
        (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t;
    s[0] = t + u;
  }
  for (int i = 0; i < 8; ++i) h[i] += s[i];
}

int main(void) {
  for (u32 i = 0; i < 256; ++i) {
    u32 c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  show("check", crc32((const u8*)"123456789", 9));
  u64 state = 3;
  for (unsigned i = 0; i < sizeof data; ++i) data[i] = (u8)nextRandom(&state);
  show("crc", crc32(data, sizeof data));
  show("adler", adler(data, sizeof data));
  u32 h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (unsigned i = 0; i < sizeof data; i += 64) sha(h, data + i);
  for (int i = 0; i < 8; ++i) show("sha", h[i]);
  return 0;
}
