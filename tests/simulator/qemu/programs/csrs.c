//===- csrs.c - control and status registers --------------------------------===//
// fcsr and its parts through every access form; counters only for what is certain about them.
#include "program.h"

#define CSR(text)                              \
  {                                            \
    u64 r;                                     \
    __asm__ volatile(text : "=r"(r) : "r"(v)); \
    show(text, r);                             \
  }

int main(void) {
  static const u64 values[] = {0, 1, 5, 0x1f, 0x20, 0x7f, 0xff, ~0ul};
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i) {
    const u64 v = values[i];
    // clang-format off: statements without semicolons
    CSR("csrrw %0, fcsr, %1") CSR("csrrs %0, fcsr, zero") CSR("csrrw %0, fflags, %1") CSR("csrrw %0, frm, %1") CSR("csrrs %0, fcsr, %1") CSR("csrrc %0, fcsr, %1")
    CSR("csrrwi %0, frm, 3") CSR("csrrsi %0, fflags, 9") CSR("csrrci %0, fcsr, 1") CSR("csrrs %0, fflags, %1") CSR("csrrci %0, frm, 1") CSR("csrrs %0, fcsr, zero")
    // clang-format on
  }
  __asm__ volatile("fscsr zero");
  // Dynamic rounding.
  for (u64 mode = 0; mode < 5; ++mode) {
    __asm__ volatile("fsrm %0" : : "r"(mode));
    double sum, third;
    float narrow;
    __asm__ volatile("fadd.d %0, %3, %4\nfdiv.d %1, %3, %4\nfcvt.s.d %2, %1"
                     : "=&f"(sum), "=&f"(third), "=&f"(narrow)
                     : "f"(1.0), "f"(-0x1.8p-53));
    show("add", bitsOfDouble(sum)), show("div", bitsOfDouble(third)), show("narrow", bitsOfFloat(narrow));
  }
  __asm__ volatile("fscsr zero");
  u64 first, second;
  __asm__ volatile("rdinstret %0\nnop\nnop\nrdinstret %1" : "=&r"(first), "=&r"(second));
  show("instret moves", second > first);
  __asm__ volatile("rdcycle %0\nnop\nrdcycle %1" : "=&r"(first), "=&r"(second));
  show("cycle moves", second > first);
  // NaN boxing.
  u64 bits = 0xffffffff3f800000ul, bad = 0x3f800000ul, r;
  __asm__ volatile("fmv.d.x fa0, %1\nfmv.d.x fa1, %2\nfadd.s fa2, fa0, fa1\nfmv.x.d %0, fa2"
                   : "=r"(r)
                   : "r"(bits), "r"(bad)
                   : "fa0", "fa1", "fa2");
  show("unboxed", r);
  __asm__ volatile("fmv.d.x fa1, %1\nfsgnj.s fa2, fa1, fa1\nfmv.x.d %0, fa2" : "=r"(r) : "r"(bad) : "fa1", "fa2");
  show("sgnj", r);
  __asm__ volatile("fmv.d.x fa1, %1\nfmv.x.w %0, fa1" : "=r"(r) : "r"(0x1234567880000000ul) : "fa1");
  show("fmv.x.w", r);
  __asm__ volatile("fmv.d.x fa1, %1\nfclass.h %0, fa1" : "=r"(r) : "r"(bits) : "fa1");
  show("fclass.h of f32", r);
  return 0;
}
