/*===- xfr.h - the Xfr extension for C and C++ compiled by clang -----------===*/
/* Intrinsics (generated, one an instruction), addresses, and the note that says what a program needs.
 * Descriptor numbers, fields, flags and modes must be constants. Programs start through xfr_start.h. */
#pragma once

#include "xfr_intrinsics.h"

/* XFR_REQUIRE("scratch>=393216"): at file scope; the simulator refuses the program on a target that lacks it. */
#define XFR_NOTE_(body)                                                               \
  __asm__(                                                                            \
      ".pushsection .note.forerun, \"a\", @note\n"                                    \
      ".balign 4\n.4byte 8\n.4byte 772f - 771f\n.4byte 1\n.asciz \"Forerun\"\n771:\n" \
      ".4byte " XFR_TEXT_(XFR_VERSION_MAJOR) "\n.4byte " XFR_TEXT_(                   \
          XFR_VERSION_MINOR) "\n" body "772:\n.balign 4\n.popsection\n")
#define XFR_TEXT_(value) XFR_TEXT_OF_(value)
#define XFR_TEXT_OF_(value) #value
#define XFR_REQUIRE(need) XFR_NOTE_(".asciz \"" need "\"\n")

/* Every program that uses the extension carries its version. */
XFR_NOTE_("");

/* Addresses as every hart sees them. */
#define XFR_SCRATCH_BASE 0x10000000ull
#define XFR_ACC_BASE 0x20000000ull
#define XFR_PRIVATE_BASE 0x30000000ull
#define XFR_PROGRAM_BASE 0x40000000ull
#define XFR_REMOTE_SCRATCH(core) (0x1000000000ull + (uint64_t)(core) * 0x10000000ull)
#define XFR_GLOBAL_BASE 0x10000000000ull

/* Semaphore of any core, for xfr_sem_add. */
#define XFR_SEMAPHORE(core, id) ((uint64_t)(core) << 32 | (uint64_t)(id))
/* Value of the credit field: bytes written count towards this barrier. */
#define XFR_CREDIT(core, id) (1 + ((uint64_t)(core) << 32 | (uint64_t)(id)))

/* Puts descriptor d into reset state and describes a dense matrix: element (r, c) at base + r * rowBytes + c *
 * elementBytes. */
#define xfr_set_matrix(d, base, rows, cols, rowBytes, elementBytes, type) \
  do {                                                                    \
    xfr_d_set(d, XFR_FIELD_RESET, 0);                                     \
    xfr_d_set(d, XFR_FIELD_BASE, base);                                   \
    xfr_d_set(d, XFR_FIELD_EXTENT0, cols);                                \
    xfr_d_set(d, XFR_FIELD_EXTENT1, rows);                                \
    xfr_d_set(d, XFR_FIELD_STRIDE0, elementBytes);                        \
    xfr_d_set(d, XFR_FIELD_STRIDE1, rowBytes);                            \
    xfr_d_set(d, XFR_FIELD_TYPE, type);                                   \
  } while (0)
