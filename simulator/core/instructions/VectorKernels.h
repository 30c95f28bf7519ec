//===- VectorKernels.h - loops that the host vectorises ---------------------===//
// Builds every element-wise kernel twice, for baseline x86-64 and for AVX2 with FMA and F16C, and picks by what the
// host has.
#pragma once

#include "simulator/core/instructions/VectorOperation.h"

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#define FORERUN_SIMD_TARGET __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")))
#else
#define FORERUN_SIMD_TARGET
#endif
#define FORERUN_INLINE [[gnu::always_inline]] static inline

// Elements do not depend on each other: destination and source are the same array or disjoint (ElementwiseKernel).
#if defined(__clang__)
#define FORERUN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define FORERUN_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace forerun::sim::core {

/// The two builds of Body::run.
template <class Body>
struct KernelVersions {
  static void base(void* d, const void* a, const void* b, std::size_t n, ElementwiseState& state) {
    Body::run(d, a, b, n, state);
  }
  FORERUN_SIMD_TARGET static void simd(void* d, const void* a, const void* b, std::size_t n, ElementwiseState& state) {
    Body::run(d, a, b, n, state);
  }
};

template <class Body>
ElementwiseKernel kernelOf(bool simd) {
  return simd ? &KernelVersions<Body>::simd : &KernelVersions<Body>::base;
}

/// d[i] = Op(a[i], b[i]).
template <class Op, class D, class A, class B>
struct BinaryBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    const B* b = static_cast<const B*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i], b[i]));
  }
};

/// d[i] = Op(a[i]).
template <class Op, class D, class A>
struct UnaryBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i]));
  }
};

/// d[i] = Op(a[i], b[i], d[i]): multiply-add and its kin.
template <class Op, class D, class A, class B>
struct AccumulateBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    const B* b = static_cast<const B*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i], b[i], d[i]));
  }
};

/// d[i] = Op(a[i], b[i], v0[i]).
template <class Op, class D, class T>
struct CarryBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    D* d = static_cast<D*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    const std::uint8_t* carry = state.carry;
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i], b[i], static_cast<T>(carry[i])));
  }
};

/// As BinaryBody with vxrm, collecting vxsat: Op(a, b, vxrm, saturated).
template <class Op, class D, class A, class B>
struct FixedPointBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    const B* b = static_cast<const B*>(bp);
    const unsigned vxrm = state.vxrm;
    D saturated = 0;
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i], b[i], vxrm, saturated));
    state.saturated |= saturated != 0;
  }
};

/// One kernel a SEW, by unsigned element type.
template <template <class Op, class T> class Body, class Op>
std::array<ElementwiseKernel, 4> kernelsBySew(bool simd) {
  return {kernelOf<Body<Op, std::uint8_t>>(simd), kernelOf<Body<Op, std::uint16_t>>(simd),
          kernelOf<Body<Op, std::uint32_t>>(simd), kernelOf<Body<Op, std::uint64_t>>(simd)};
}

template <class Op, class T>
using Same = BinaryBody<Op, T, T, T>;
template <class Op, class T>
using SameUnary = UnaryBody<Op, T, T>;
template <class Op, class T>
using SameAccumulate = AccumulateBody<Op, T, T, T>;
template <class Op, class T>
using ToMask = BinaryBody<Op, std::uint8_t, T, T>;
template <class Op, class T>
using SameCarry = CarryBody<Op, T, T>;
template <class Op, class T>
using ToMaskCarry = CarryBody<Op, std::uint8_t, T>;
template <class Op, class T>
using SameFixedPoint = FixedPointBody<Op, T, T, T>;

template <class T>
using Signed = std::make_signed_t<T>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// The integer type twice as wide.
template <class T>
struct Widened;
template <>
struct Widened<std::uint8_t> {
  using Type = std::uint16_t;
};
template <>
struct Widened<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct Widened<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct Widened<std::uint64_t> {
  using Type = unsigned __int128;
};
template <>
struct Widened<std::int8_t> {
  using Type = std::int16_t;
};
template <>
struct Widened<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct Widened<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct Widened<std::int64_t> {
  using Type = __int128;
};
template <class T>
using Wide = typename Widened<T>::Type;

}  // namespace forerun::sim::core
