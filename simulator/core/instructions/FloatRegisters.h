//===- FloatRegisters.h - reading and writing NaN-boxed registers -----------===//
// A narrow value is valid only when all bits above it are ones; anything else reads as the canonical NaN.
#pragma once

#include "simulator/core/SoftFloat.h"
#include "simulator/core/instructions/Execute.h"

namespace forerun::sim::core {

template <class F>
typename F::Bits unbox(std::uint64_t value) {
  if constexpr (F::bits == 64)
    return value;
  else
    return (value >> F::bits) == (~std::uint64_t{0} >> F::bits) ? static_cast<typename F::Bits>(value)
                                                                : F::canonicalNan;
}
template <class F>
std::uint64_t box(typename F::Bits value) {
  if constexpr (F::bits == 64)
    return value;
  else
    return ~std::uint64_t{0} << F::bits | value;
}

[[noreturn]] void failRounding(unsigned frm);

/// The rounding mode of an op; throws for a reserved frm.
inline fp::Rounding roundingOf(const HartContext& hart, const Op* op) {
  const unsigned mode = op->rounding == 7 ? hart.frm : op->rounding;
  if (mode > 4) [[unlikely]]
    failRounding(mode);
  return static_cast<fp::Rounding>(mode);
}

}  // namespace forerun::sim::core
