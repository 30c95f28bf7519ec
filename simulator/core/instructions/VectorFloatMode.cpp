//===- VectorFloatMode.cpp - rounding mode and flags of float kernels -------===//
// Kernels are called through pointers between setting and reading the host's control register, so the compiler moves no
// arithmetic across.
#include "simulator/core/instructions/VectorElementwise.h"
#include "simulator/core/instructions/VectorFloatKernels.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace forerun::sim::core {

#if defined(__x86_64__)
namespace {
constexpr unsigned kMaskAllExceptions = 0x1f80, kFlagBits = 0x3f;
/// frm 0..3 (nearest even, toward zero, down, up) to MXCSR.RC (0 nearest, 3 zero, 1 down, 2 up) at bit 13.
constexpr unsigned kControlBits[4] = {0u << 13, 3u << 13, 1u << 13, 2u << 13};

/// MXCSR flags: invalid 1, denormal 2 (of no interest), zero divide 4, overflow 8, underflow 16, precision 32.
constexpr std::uint8_t fflagsOf(unsigned mxcsr) {
  return static_cast<std::uint8_t>((mxcsr & 1 ? fp::kInvalid : 0) | (mxcsr & 4 ? fp::kDivideByZero : 0) |
                                   (mxcsr & 8 ? fp::kOverflow : 0) | (mxcsr & 16 ? fp::kUnderflow : 0) |
                                   (mxcsr & 32 ? fp::kInexact : 0));
}
}  // namespace

HostFloatMode::HostFloatMode(unsigned frm, std::uint8_t accrued) : saved_(_mm_getcsr()) {
  const unsigned control = kMaskAllExceptions | kControlBits[frm & 3];
  if ((saved_ & ~kFlagBits) == control && (fflagsOf(saved_) & ~accrued) == 0) return;
  changed_ = (saved_ & ~kFlagBits) != control;
  _mm_setcsr(control);
}
HostFloatMode::~HostFloatMode() {
  if (changed_) _mm_setcsr(saved_);
}
std::uint8_t HostFloatMode::flags() const { return fflagsOf(_mm_getcsr()); }
#else
HostFloatMode::HostFloatMode(unsigned, std::uint8_t) : saved_(0) {}
HostFloatMode::~HostFloatMode() = default;
std::uint8_t HostFloatMode::flags() const { return 0; }
#endif

void executeFloat(VectorContext& c, const DecodedVector& d) {
  const VectorOperation& o = operationOf(d);
  const unsigned sew = sewLog2Bytes(c.v.vtype);
  const std::uint64_t scalar = scalarOperand(c, d);
  ElementwiseState state;
  state.frm = c.frm;
  if (o.kernels[sew] && c.frm < 4) {
    const HostFloatMode mode(c.frm, c.fflags);
    runElementwise(c, d, o.kernels[sew], scalar, state);
    state.flags |= mode.flags();
  } else {
    runElementwise(c, d, o.slowKernels[sew], scalar, state);
  }
  c.fflags |= static_cast<std::uint8_t>(state.flags);
}

}  // namespace forerun::sim::core
