//===- VectorFloat.cpp - single-width float arithmetic ----------------------===//
// Add, multiply, divide, square root, fused multiply-add in f16, f32 and f64 (V 1.0, sections 13.2, 13.4, 13.6, 13.8).
//
// f16 is computed in f32 and rounded again, which equals rounding once: f32 has 24 >= 2 * 11 + 2 bits of significand. Sums that end subnormal and all
// products are exact in f32. A quotient a / b differs from a tie or an f16 number m by |a - m b| / |b|, relatively at least 2^-22 unless it is equal,
// and f32 moves it by at most 2^-24; so also the flags of the second rounding are the true ones. Directed roundings compose.
#include "simulator/core/instructions/VectorFloatKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <cmath>
#include <cstring>

namespace forerun::sim::core {

namespace {

using fp::Rounding;

struct Add {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a + b; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::add<FormatOf<T>>(a, b, mode, flags); }
};
struct Sub {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a - b; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::sub<FormatOf<T>>(a, b, mode, flags); }
};
struct ReverseSub {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return b - a; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::sub<FormatOf<T>>(b, a, mode, flags); }
};
struct Mul {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a * b; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::mul<FormatOf<T>>(a, b, mode, flags); }
};
struct Div {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a / b; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::div<FormatOf<T>>(a, b, mode, flags); }
};
struct ReverseDiv {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return b / a; }
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::div<FormatOf<T>>(b, a, mode, flags); }
};
struct Sqrt {
  FORERUN_INLINE float fast(float a) { return __builtin_sqrtf(a); }
  FORERUN_INLINE double fast(double a) { return __builtin_sqrt(a); }
  template <class T> static T slow(T a, Rounding mode, std::uint8_t& flags) { return fp::sqrt<FormatOf<T>>(a, mode, flags); }
};

template <class Op, class T>
struct FloatBinaryBody {
  static constexpr bool needsSimd = sizeof(T) == 2;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<T>(Op::fast(toHost(a[i]), toHost(b[i])));
  }
};
template <class Op, class T>
struct FloatUnaryBody {
  static constexpr bool needsSimd = sizeof(T) == 2;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<T>(Op::fast(toHost(a[i])));
  }
};

/// +-(x * y) +- z, where z is vd (accumulate) or vs2 (add), the other of which is a factor beside vs1.
template <bool negateProduct, bool negateAddend, bool addsVs2>
struct Fma {
  template <class T> FORERUN_INLINE const T& factor(const T& a, const T& d) { return addsVs2 ? d : a; }
  template <class T> FORERUN_INLINE const T& addend(const T& a, const T& d) { return addsVs2 ? a : d; }
  template <class H> FORERUN_INLINE H signedFactor(H x) { return negateProduct ? -x : x; }
  template <class H> FORERUN_INLINE H signedAddend(H z) { return negateAddend ? -z : z; }

  template <class T> static T slow(T a, T b, T d, Rounding mode, std::uint8_t& flags) {
    using F = FormatOf<T>;
    const T x = static_cast<T>(factor(a, d) ^ (negateProduct ? F::signMask : T{0})), z = static_cast<T>(addend(a, d) ^ (negateAddend ? F::signMask : T{0}));
    return fp::fma<F>(x, b, z, mode, flags);
  }
};

FORERUN_INLINE float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
FORERUN_INLINE double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }

/// Infinity times zero raises invalid even when the addend is a quiet NaN; hosts differ there. Called when some addend is a NaN.
template <class Op, class T>
void invalidDespiteNan(const T* a, const T* b, const T* d, std::size_t n, ElementwiseState& state) {
  using F = FormatOf<T>;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = Op::factor(a[i], d[i]), y = b[i];
    if ((fp::isInfinite<F>(x) && fp::isZero<F>(y)) || (fp::isZero<F>(x) && fp::isInfinite<F>(y))) state.flags |= fp::kInvalid;
  }
}

template <class Op, class T>
struct FmaBody {
  static constexpr bool needsSimd = true;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 512;
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      T nan = 0;
      for (std::size_t i = 0; i < chunk; ++i) nan |= static_cast<T>(toHost(Op::addend(a[i], d[i])) != toHost(Op::addend(a[i], d[i])));
      if (nan) [[unlikely]] invalidDespiteNan<Op, T>(a, b, d, chunk, state);
      FORERUN_INDEPENDENT
      for (std::size_t i = 0; i < chunk; ++i)
        d[i] = fromHost<T>(fused(Op::signedFactor(toHost(Op::factor(a[i], d[i]))), toHost(b[i]), Op::signedAddend(toHost(Op::addend(a[i], d[i])))));
      a += chunk, b += chunk, d += chunk, n -= chunk;
    }
  }
};

/// f16: the product is exact in f64 (22 bits). The sum p + c is inexact there only if it spans more than 53 bits; p's lowest bit is then 53 or more places
/// below the leading bit of the sum, and as p has 22 bits it is smaller than 2^-30 of c. So the sum lies within 2^-29 of the f16 number c and far from any
/// tie (2^-12 away), on either side of it: rounding again to f16 gives the same as rounding once, in every mode. Sums that are not zero or normal and
/// finite in f16 go to the slow kernel, whose flags know about subnormals; the others are rounded to 11 bits by adding and subtracting 1.5 * 2^(e+42).
template <class Op>
struct HalfFmaBody {
  static constexpr bool needsSimd = true;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 128;
    constexpr std::uint64_t kLeast = 0x3f10000000000000, kSpan = 0x40effc0000000000 - kLeast;  // 2^-14 .. 65504
    std::uint16_t* d = static_cast<std::uint16_t*>(dp);
    const std::uint16_t* a = static_cast<const std::uint16_t*>(ap);
    const std::uint16_t* b = static_cast<const std::uint16_t*>(bp);
    alignas(32) double sum[kChunk];
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      std::uint64_t odd = 0;
      for (std::size_t i = 0; i < chunk; ++i) {
        const double product = static_cast<double>(Op::signedFactor(toHost(Op::factor(a[i], d[i])))) * static_cast<double>(toHost(b[i]));
        const double s = product + static_cast<double>(Op::signedAddend(toHost(Op::addend(a[i], d[i]))));
        const std::uint64_t magnitude = __builtin_bit_cast(std::uint64_t, s) & ~(std::uint64_t{1} << 63);
        odd |= static_cast<std::uint64_t>((magnitude != 0) & (magnitude - kLeast > kSpan));
        sum[i] = s;
      }
      if (odd) [[unlikely]] {
        slowKernel<Op, std::uint16_t, std::uint16_t, std::uint16_t>(d, a, b, chunk, state);
      } else {
        for (std::size_t i = 0; i < chunk; ++i) {
          const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, sum[i]);
          const double magic = __builtin_bit_cast(double, ((bits & 0x7ff0000000000000) + (std::uint64_t{42} << 52)) | 0x0008000000000000);
          const double rounded = __builtin_copysign((sum[i] + magic) - magic, sum[i]);
          d[i] = __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(static_cast<float>(rounded)));
        }
      }
      a += chunk, b += chunk, d += chunk, n -= chunk;
    }
  }
};

template <class Op, class T> constexpr ElementwiseKernel kSlow = &slowKernel<Op, T, T, T>;

VectorOperation floatOperation(VectorKind kind) {
  VectorOperation o = elementwise(kind, {});
  o.executor = executeFloat;
  o.floatingPoint = true;
  o.sewMask = kSew16To64;
  o.inactive = InactiveValue::FloatOne;
  return o;
}

template <template <class Op, class T> class Body, class Op>
VectorOperation arithmetic(VectorOperations& table, VectorKind kind) {
  VectorOperation o = floatOperation(kind);
  const bool simd = table.simd();
  o.kernels = {nullptr, fastKernelOf<Body<Op, std::uint16_t>>(simd), fastKernelOf<Body<Op, std::uint32_t>>(simd), fastKernelOf<Body<Op, std::uint64_t>>(simd)};
  o.slowKernels = {nullptr, kSlow<Op, std::uint16_t>, kSlow<Op, std::uint32_t>, kSlow<Op, std::uint64_t>};
  return o;
}

template <class Op>
void addFma(VectorOperations& table, const char* name) {
  VectorOperation o = floatOperation(VectorKind::FpFma);
  const bool simd = table.simd();
  o.kernels = {nullptr, fastKernelOf<HalfFmaBody<Op>>(simd), fastKernelOf<FmaBody<Op, std::uint32_t>>(simd), fastKernelOf<FmaBody<Op, std::uint64_t>>(simd)};
  o.slowKernels = {nullptr, kSlow<Op, std::uint16_t>, kSlow<Op, std::uint32_t>, kSlow<Op, std::uint64_t>};
  o.readsDestination = true;
  addForms(table, name, o, {kMacVV, kMacVF});
}

}  // namespace

void addFloatOperations(VectorOperations& table) {
  addForms(table, "VFADD", arithmetic<FloatBinaryBody, Add>(table, VectorKind::FpAdd), {kVV, kVF});
  addForms(table, "VFSUB", arithmetic<FloatBinaryBody, Sub>(table, VectorKind::FpAdd), {kVV, kVF});
  addForms(table, "VFRSUB", arithmetic<FloatBinaryBody, ReverseSub>(table, VectorKind::FpAdd), {kVF});
  addForms(table, "VFMUL", arithmetic<FloatBinaryBody, Mul>(table, VectorKind::FpMul), {kVV, kVF});
  addForms(table, "VFDIV", arithmetic<FloatBinaryBody, Div>(table, VectorKind::FpDiv), {kVV, kVF});
  addForms(table, "VFRDIV", arithmetic<FloatBinaryBody, ReverseDiv>(table, VectorKind::FpDiv), {kVF});
  addForms(table, "VFSQRT", arithmetic<FloatUnaryBody, Sqrt>(table, VectorKind::FpDiv), {{"V", VectorForm::Unary}});

  addFma<Fma<false, false, false>>(table, "VFMACC");
  addFma<Fma<true, true, false>>(table, "VFNMACC");
  addFma<Fma<false, true, false>>(table, "VFMSAC");
  addFma<Fma<true, false, false>>(table, "VFNMSAC");
  addFma<Fma<false, false, true>>(table, "VFMADD");
  addFma<Fma<true, true, true>>(table, "VFNMADD");
  addFma<Fma<false, true, true>>(table, "VFMSUB");
  addFma<Fma<true, false, true>>(table, "VFNMSUB");
}

}  // namespace forerun::sim::core
