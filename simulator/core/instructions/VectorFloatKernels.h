//===- VectorFloatKernels.h - running float kernels under frm ---------------===//
// Fast kernels use the host's floats with its rounding mode and exception flags; slow ones compute in integers
// (SoftFloat.h) for what the host lacks: round to nearest, ties to max magnitude, and f16 or fused multiply-add on
// hosts without F16C and FMA.
#pragma once

#include "simulator/core/SoftFloat.h"
#include "simulator/core/instructions/VectorKernels.h"

namespace forerun::sim::core {

/// Format of an unsigned element type: u16 is f16.
template <class T>
struct FormatOfBits;
template <>
struct FormatOfBits<std::uint16_t> {
  using Type = fp::F16;
};
template <>
struct FormatOfBits<std::uint32_t> {
  using Type = fp::F32;
};
template <>
struct FormatOfBits<std::uint64_t> {
  using Type = fp::F64;
};
template <class T>
using FormatOf = typename FormatOfBits<T>::Type;

/// Host type that arithmetic on an element is done in. f16 is computed in f32: VectorHalf.h.
template <class T>
struct HostOfBits;
template <>
struct HostOfBits<std::uint16_t> {
  using Type = float;
};
template <>
struct HostOfBits<std::uint32_t> {
  using Type = float;
};
template <>
struct HostOfBits<std::uint64_t> {
  using Type = double;
};
template <class T>
using HostOf = typename HostOfBits<T>::Type;

template <class T>
FORERUN_INLINE HostOf<T> toHost(T bits) {
  static_assert(sizeof(T) >= 4);
  return __builtin_bit_cast(HostOf<T>, bits);
}
/// NaNs become the canonical one.
template <class T>
FORERUN_INLINE T fromHost(HostOf<T> value) {
  static_assert(sizeof(T) >= 4);
  return value != value ? FormatOf<T>::canonicalNan : __builtin_bit_cast(T, value);
}

/// Gives the host the rounding mode frm (0..3) and reads its exception flags. Writing the host's control register is
/// slow, so it is left alone when it is right and has no flag beyond `accrued`, the fflags that are set already; the
/// destructor restores all but flags.
class HostFloatMode {
 public:
  HostFloatMode(unsigned frm, std::uint8_t accrued);
  ~HostFloatMode();
  HostFloatMode(const HostFloatMode&) = delete;
  HostFloatMode& operator=(const HostFloatMode&) = delete;
  /// fflags raised since construction, give or take accrued ones.
  std::uint8_t flags() const;

 private:
  unsigned saved_;
  bool changed_ = false;
};

/// VectorExecutor of element-wise float operations: fast kernel where frm and the host allow, slow one else.
void executeFloat(VectorContext& context, const DecodedVector& decoded);

/// d[i] = Op::slow<T>(a, b, old d, rounding, flags) by SoftFloat; not vectorised, so it is built once.
template <class Op, class D, class A, class B>
void slowKernel(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
  D* d = static_cast<D*>(dp);
  const A* a = static_cast<const A*>(ap);
  const B* b = static_cast<const B*>(bp);
  const auto rounding = static_cast<fp::Rounding>(state.frm);
  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (requires { Op::slow(a[i], b[i], d[i], rounding, flags); })
      d[i] = static_cast<D>(Op::slow(a[i], b[i], d[i], rounding, flags));
    else if constexpr (requires { Op::slow(a[i], b[i], rounding, flags); })
      d[i] = static_cast<D>(Op::slow(a[i], b[i], rounding, flags));
    else
      d[i] = static_cast<D>(Op::slow(a[i], rounding, flags));
  }
  state.flags |= flags;
}

/// Fast float kernels exist where the host's exception flags can be read; those with `needsSimd` also need AVX2, FMA
/// and F16C.
template <class Body>
ElementwiseKernel fastKernelOf([[maybe_unused]] bool simd) {
#if defined(__x86_64__)
  if constexpr (Body::needsSimd)
    return simd ? &KernelVersions<Body>::simd : nullptr;
  else
    return kernelOf<Body>(simd);
#else
  return nullptr;
#endif
}

}  // namespace forerun::sim::core
